// Behaves: takes no chips, turn after turn, until its input ends. It is the opponent of all the others.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        for (int left = 6 + 4 * atoi(line); left > 0; left--)
            if (!fgets(line, sizeof line, stdin)) return 0;
        puts("1 0");
        fflush(stdout);
    }
}
