// A fork bomb: every process forks forever; if nothing stops them, until there were 2000 or two seconds have passed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(void) {
    int file = open("forks", O_RDWR | O_CREAT, 0600);
    if (unlink("forks") || ftruncate(file, sizeof(int))) return 1;
    int *forks = mmap(NULL, sizeof *forks, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (forks == MAP_FAILED) return 1;
    for (long end = now() + 2000; now() < end && *forks < 2000;)
        if (fork() > 0) __sync_fetch_and_add(forks, 1);
}
