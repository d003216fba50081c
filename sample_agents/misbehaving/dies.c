// Makes a legal move, then is killed by a signal.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char line[4096];
    if (!fgets(line, sizeof line, stdin)) return 0;
    for (int left = 6 + 4 * atoi(line); left > 0; left--)
        if (!fgets(line, sizeof line, stdin)) return 0;
    puts("1 0");
    fflush(stdout);
    kill(getpid(), SIGSEGV);
}
