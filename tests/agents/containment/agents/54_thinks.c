// The opponent of the agent that crowds: uses 60 ms of CPU time for every move.
#include <stdio.h>
#include <time.h>

enum { THINKS_MS = 60 };

int main(void) {
    static char line[1 << 16];
    if (!fgets(line, sizeof line, stdin)) {
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        clock_t end = clock() + CLOCKS_PER_SEC / 1000 * THINKS_MS;
        while (clock() < end) {
        }
        puts("1");
        fflush(stdout);
    }
    return 0;
}
