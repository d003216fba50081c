// Spins in 45 threads on its opponent's time, and reports how much CPU time that took from the core they share.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>

enum { THREADS = 45, FEW_MS = 15, SHARE = 20 };

static int home;
static _Atomic int resting;
static _Atomic long long taken_ns;

static long long read_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void *spin(void *unused) {
    long long before = read_ns(CLOCK_THREAD_CPUTIME_ID);
    for (;;) {
        for (volatile int work = 0; work < 2000; work++) {
        }
        long long now = read_ns(CLOCK_THREAD_CPUTIME_ID);
        // Its opponent is asked after its answer was read, and until it is asked itself.
        int unread = 0, asked = 0;
        ioctl(1, FIONREAD, &unread);
        ioctl(0, FIONREAD, &asked);
        if (resting && !unread && !asked && sched_getcpu() == home) {
            taken_ns += now - before;
        }
        before = now;
    }
    return unused;
}

int main(void) {
    static char line[1 << 16];
    int spinning = 0;
    long long since_ns = 0;
    home = sched_getcpu();
    if (!fgets(line, sizeof line, stdin)) {
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        resting = 0;
        if (spinning) {
            // What it may take: little, and little of a turn that other load makes long.
            long long most_ns = FEW_MS * 1000000LL + (read_ns(CLOCK_MONOTONIC) - since_ns) / SHARE;
            fprintf(stderr, "kibitz tried: crowd %s\n", taken_ns < most_ns ? "aside" : "ok");
        }
        for (; spinning < THREADS; spinning++) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, spin, NULL)) {
                break;
            }
        }
        taken_ns = 0;
        since_ns = read_ns(CLOCK_MONOTONIC);
        resting = 1;
        puts("1");
        fflush(stdout);
    }
    return 0;
}
