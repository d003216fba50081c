// Answers WAIT every turn.
#include <stdio.h>
#include <stdlib.h>

static int next(void) {
    static char line[65536];
    if (!fgets(line, sizeof line, stdin)) exit(0);
    return atoi(line);
}

static void skip(int count) {
    while (count-- > 0) next();
}

int main(void) {
    next();  // our player number
    int width = next(), cells = width * next();
    skip(cells);
    skip(next());  // the towns
    for (;;) {
        skip(2 + cells);
        puts("WAIT");
        fflush(stdout);
    }
}
