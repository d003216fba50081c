// Floods its standard error.
#include <string.h>
#include <unistd.h>

int main(void) {
    char noise[65536];
    memset(noise, '!', sizeof noise);
    while (write(2, noise, sizeof noise) > 0) {}
}
