// Crowds its own core with children that only burn CPU time, to look as if it had to wait for a busy machine, and
// answers after LATE_MS milliseconds (environment variable, default 1000).
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(void) {
    const char *late = getenv("LATE_MS");
    long until = now_ms() + (late ? atol(late) : 1000);
    pid_t agent = getpid();
    for (int child = 0; child < 9; child++)
        if (fork() == 0)
            while (getppid() == agent) {}
    while (now_ms() < until) {}
    puts("1 0");
}
