// Reads to end of file, answers "ok" and exits.
#include <unistd.h>

int main(void) {
    char buffer[4096];
    while (read(0, buffer, sizeof buffer) > 0) {}
    return write(1, "ok\n", 3) != 3;
}
