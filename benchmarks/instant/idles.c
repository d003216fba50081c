// Answers every turn of Splendor at once, taking nothing, and sleeps in between.
#include <unistd.h>

int main(void) {
    char buffer[65536];
    while (read(0, buffer, sizeof buffer) > 0)
        if (write(1, "1 0\n", 4) != 4) return 1;
}
