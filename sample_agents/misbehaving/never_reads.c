// Answers once without reading its input, then keeps running and reads nothing.
#include <unistd.h>

int main(void) {
    if (write(1, "1 0\n", 4) == 4)
        for (;;) pause();
}
