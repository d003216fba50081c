// Floods its standard output, without ever ending the line.
#include <string.h>
#include <unistd.h>

int main(void) {
    char noise[65536];
    memset(noise, '1', sizeof noise);
    while (write(1, noise, sizeof noise) > 0) {}
}
