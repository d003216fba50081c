// Takes no chips, every turn. Reads whole turns by their number of lines, which is cheaper than parsing each.
#include <string.h>
#include <unistd.h>

int main(void) {
    char turn[65536];
    long got, size = 0;
    while ((got = read(0, turn + size, sizeof turn - size)) > 0) {
        size += got;
        int left = 7 + 4 * (turn[0] - '0');  // the first line begins with the number of players
        for (char *at = turn; left && (at = memchr(at, '\n', turn + size - at)); at++) left--;
        if (left) continue;
        size = 0;
        if (write(1, "1 0\n", 4) != 4) return 1;
    }
}
