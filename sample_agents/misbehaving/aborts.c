// Aborts (SIGABRT), with a message on standard error.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    fputs("assertion failed: chips >= 0\n", stderr);
    abort();
}
