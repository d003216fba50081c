// A line in, a line out, for as long as there is input.
#include <stdio.h>

int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        puts("ok");
        fflush(stdout);
    }
}
