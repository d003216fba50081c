// Uses as many microseconds of CPU time as each line says, then answers "ok".
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long used_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        long long until = used_ns() + 1000 * atoll(line);
        while (used_ns() < until) {}
        puts("ok");
        fflush(stdout);
    }
}
