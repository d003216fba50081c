// Plays the first action it is offered.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[256], first[256];

static int next(void) {
    if (!fgets(line, sizeof line, stdin)) exit(0);
    return atoi(line);
}

static void skip(int count) {
    while (count-- > 0) next();
}

int main(void) {
    for (;;) {
        next();        // the phase
        skip(next());  // the applications
        skip(2);       // the teams
        skip(next());  // the piles of cards
        int actions = next();
        next();
        strcpy(first, line);
        skip(actions - 1);
        fputs(first, stdout);
        fflush(stdout);
    }
}
