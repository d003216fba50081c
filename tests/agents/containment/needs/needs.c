// Uses what an agent may use: threads, temporary files, its own data, a large file, and notes from one move to the next.
#define _FILE_OFFSET_BITS 64
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sums[4];

static void *add(void *place) {
    for (int number = 0; number < 1000; number++) *(long *)place += number;
    return NULL;
}

static void tell(const char *word, int well) { fprintf(stderr, "kibitz tried: %s %s\n", word, well ? "ok" : "wrong"); }

static void use(void) {
    pthread_t threads[4];
    char text[4096] = "";
    long total = 0;
    int count = 0;
    for (int each = 0; each < 4; each++) {
        sums[each] = 0;
        pthread_create(&threads[each], NULL, add, &sums[each]);
    }
    for (int each = 0; each < 4; each++) {
        pthread_join(threads[each], NULL);
        total += sums[each];
    }
    tell("threads", total == 1998000);
    snprintf(text, sizeof text, "%s/temporary-XXXXXX", getenv("TMPDIR"));
    FILE *file = fdopen(mkstemp(text), "w+");
    tell("temporary", file && fputs("x", file) >= 0 && !fseek(file, 0, SEEK_SET) && fgetc(file) == 'x');
    file = fopen("data.txt", "r");
    tell("data", file && fgets(text, sizeof text, file) && !strcmp(text, "precomputed\n"));
    file = fopen("large.bin", "rb");
    tell("large", file && !fseeko(file, 3LL << 30, SEEK_SET) && fgetc(file) == 'x');
    if ((file = fopen("state", "r"))) {
        if (fscanf(file, "%d", &count) != 1) count = -1;
        fclose(file);
    }
    if ((file = fopen("state", "w"))) fprintf(file, "%d", ++count);
    fprintf(stderr, "kibitz tried: state %d\n", count);
    fflush(NULL);
}

int main(void) {
    char line[65536];
    if (!fgets(line, sizeof line, stdin)) return 1;
    while (fgets(line, sizeof line, stdin)) {
        use();
        puts("1");
        fflush(stdout);
    }
}
