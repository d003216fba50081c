// Does a fixed amount of work for every line: as many rounds as the line says, over a table that is part of the program.
#include <stdio.h>
#include <stdlib.h>

// The table is in the file and not zero, so that its pages are read from disk and can be evicted like any program's.
static const unsigned char table[1 << 20] = {[0] = 1, [4096] = 2, [(1 << 20) - 1] = 3};

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        unsigned long long sum = 1;
        for (long long left = atoll(line); left > 0; left--) {
            for (int step = 0; step < 256; step++) sum = sum * 6364136223846793005ULL + 1442695040888963407ULL;
            sum += table[sum >> 44];
        }
        printf("%llu\n", sum);
        fflush(stdout);
    }
}
