// Starts a hundred processes and waits for them.
#include <unistd.h>

int main(void) {
    for (int child = 0; child < 100; child++)
        if (fork() == 0) break;
    for (;;) pause();
}
