// Small itself, it fills its folder with more than it may have of memory, where folders are memory.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    static char line[65536], piece[1 << 20];
    if (!fgets(line, sizeof line, stdin)) return 1;
    while (fgets(line, sizeof line, stdin)) {
        int file = open("fill", O_CREAT | O_TRUNC | O_WRONLY, 0600), written = 0;
        while (written < 48 && write(file, piece, sizeof piece) == sizeof piece) written++;
        fprintf(stderr, "kibitz tried: fill %s\n", written == 48 ? "ok" : "refused");
        close(file);
        unlink("fill");
        puts("1");
        fflush(stdout);
    }
}
