// Starts a line and exits, but its children, in their own sessions and on any core, continue the line forever.
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char noise[4096];
    cpu_set_t everywhere;
    pid_t parent = getpid();
    memset(noise, 'x', sizeof noise);
    memset(&everywhere, 0xff, sizeof everywhere);
    if (write(1, noise, 5) != 5) return 1;
    for (int child = 0; child < 4; child++)
        if (fork() == 0) {
            setsid();
            sched_setaffinity(0, sizeof everywhere, &everywhere);
            while (getppid() == parent) sched_yield();
            while (write(1, noise, sizeof noise) > 0) {}
            return 0;
        }
    usleep(30000);
}
