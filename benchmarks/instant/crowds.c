// Answers every turn of Splendor at once, taking nothing, while 45 of its threads never sleep.
#include <pthread.h>
#include <unistd.h>

static void *spin(void *unused) {
    for (volatile long i = 0;; i++) {}
    return unused;
}

int main(void) {
    char buffer[65536];
    pthread_t thread;
    for (int i = 0; i < 45; i++) pthread_create(&thread, NULL, spin, NULL);
    while (read(0, buffer, sizeof buffer) > 0)
        if (write(1, "1 0\n", 4) != 4) return 1;
}
