// Makes legal moves, and each time leaves a daemon behind: forked twice, in its own session, with standard output
// open and an empty environment.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    char line[4096], *nothing[] = {NULL};
    while (fgets(line, sizeof line, stdin)) {
        for (int left = 6 + 4 * atoi(line); left > 0; left--)
            if (!fgets(line, sizeof line, stdin)) return 0;
        if (fork() == 0) {
            setsid();
            if (fork() == 0) execle("/bin/sleep", "sleep", "3600", (char *)NULL, nothing);
            _exit(0);
        }
        wait(NULL);
        puts("1 0");
        fflush(stdout);
    }
}
