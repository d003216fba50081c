// Fills 128 MB of shared memory, which no limit on a process's own data counts, and then sleeps.
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    size_t size = 128 << 20;
    char *hoard = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (hoard == MAP_FAILED) return 1;
    memset(hoard, 1, size);
    for (;;) pause();
}
