// Works in children that nobody waits for, and is itself ready to run all the time but gives way to them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 8, WORK_MS = 25 };

static void work(void) {
    clock_t end = clock() + CLOCKS_PER_SEC / 1000 * WORK_MS;
    while (clock() < end) {
    }
}

int main(void) {
    static char line[1 << 16];
    int file = open("done", O_RDWR | O_CREAT, 0600);
    if (unlink("done") || ftruncate(file, sizeof(int))) {
        return 1;
    }
    int *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    signal(SIGCHLD, SIG_IGN);
    if (!fgets(line, sizeof line, stdin)) {
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        *done = 0;
        for (int child = 0; child < CHILDREN; child++) {
            if (fork() == 0) {
                work();
                __sync_fetch_and_add(done, 1);
                _exit(0);
            }
        }
        setpriority(PRIO_PROCESS, 0, 19);
        while (__sync_fetch_and_add(done, 0) < CHILDREN) {
        }
        puts("1");
        fflush(stdout);
    }
    return 0;
}
