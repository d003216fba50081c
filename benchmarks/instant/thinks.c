// Counts for 50 ms of wall time in every turn of Splendor, kibitzes how far it got, and takes nothing.
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(void) {
    char buffer[65536];
    while (read(0, buffer, sizeof buffer) > 0) {
        long long until = now_ns() + 50000000, nodes = 0;
        while (now_ns() < until) nodes++;
        fprintf(stderr, "kibitz %lld\n", nodes);
        if (write(1, "1 0\n", 4) != 4) return 1;
    }
}
