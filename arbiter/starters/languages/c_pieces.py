"""Parts of C programs that are the same for every game."""

from __future__ import annotations

MEMORY = """
/* Memory for the input, released all at once. */
typedef struct Block {
    struct Block *next;
} Block;

typedef struct {
    Block *blocks;
} Memory;

static void *keep(Memory *memory, size_t size) {
    Block *block = calloc(1, sizeof(Block) + size);
    if (block == NULL) {
        abort();
    }
    block->next = memory->blocks;
    memory->blocks = block;
    return block + 1;
}

static void release(Memory *memory) {
    while (memory->blocks != NULL) {
        Block *next = memory->blocks->next;
        free(memory->blocks);
        memory->blocks = next;
    }
}
"""
COPY = """
static const char *keep_text(Memory *memory, const char *text) {
    return strcpy(keep(memory, strlen(text) + 1), text);
}
"""
APPEND = """
/* Appends to a string in a buffer of ANSWER_SIZE characters. */
static void append(char *text, const char *format, ...) {
    size_t used = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + used, ANSWER_SIZE - used, format, values);
    va_end(values);
}
"""
WORDS = """
static char buffer[65536]; /* the word or line that was read last */

/* Waits for the next word; returns false at the end of the input. */
static bool more(void) {
    int letter = getchar();
    while (isspace(letter)) {
        letter = getchar();
    }
    ungetc(letter, stdin);
    return letter != EOF;
}

static void check(int found) {
    if (found != 1) {
        fprintf(stderr, "the input ends in the middle of a turn\\n");
        exit(1);
    }
}

static int read_number(void) {
    int number = 0;
    check(scanf("%d", &number));
    return number;
}
"""
WORD = """
static const char *read_word(void) {
    check(scanf("%65535s", buffer));
    return buffer;
}
"""
LINE = """
static const char *read_line(void) {
    check(scanf(" %65535[^\\n]", buffer));
    return buffer;
}
"""
ITEMS = """
/* Counts the items of a word; none stands for no items. */
static int count_items(const char *word, char separator, const char *none) {
    int count = strcmp(word, none) != 0;
    for (; count > 0 && *word != '\\0'; word++) {
        count += *word == separator;
    }
    return count;
}

/* Returns the start of the next item. */
static const char *next_item(const char *word, char separator) {
    const char *found = strchr(word, separator);
    return found == NULL ? "" : found + 1;
}
"""
ITEM_TEXT = """
static const char *keep_item(Memory *memory, const char *word, const char *separator) {
    size_t length = strcspn(word, separator);
    return memcpy(keep(memory, length + 1), word, length);
}
"""
INPUT = """
/* Reads a line of any length; returns false at the end of the input. */
static bool read_line(char **line, size_t *size) {
    return getline(line, size, stdin) > 0;
}
"""
