// Fills 128 MB of shared memory, which is not counted by limits on a process's private data, then sleeps.
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
