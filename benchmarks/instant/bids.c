// Plays the Auction of the tests: uses 25 ms of CPU time for every prize, then bids 5.
#include <stdio.h>
#include <string.h>
#include <time.h>

static long long used_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "prize", 5)) continue;
        long long until = used_ns() + 25000000;
        while (used_ns() < until) {}
        puts("5");
        fflush(stdout);
    }
}
