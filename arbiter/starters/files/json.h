/* A small JSON reader: enough for the messages of the game; it does not validate them. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Json {
    double number;      /* value of a number */
    bool truth;         /* whether this is true */
    char *text;         /* value of a string; never NULL */
    char *key;          /* key of a member of an object, else NULL */
    struct Json *first; /* the first item of an array or member of an object */
    struct Json *next;  /* the next one in the same array or object */
    int count;          /* number of items or members */
} Json;

static char json_empty[1];

static void free_json(Json *json) {
    while (json != NULL) {
        Json *next = json->next;
        free_json(json->first);
        if (json->text != json_empty) {
            free(json->text);
        }
        free(json->key);
        free(json);
        json = next;
    }
}

/* Returns the member of that name, or an empty value if there is none. */
static const Json *json_get(const Json *json, const char *key) {
    static const Json none = {.text = json_empty};
    for (const Json *member = json->first; member != NULL; member = member->next) {
        if (member->key != NULL && strcmp(member->key, key) == 0) {
            return member;
        }
    }
    return &none;
}

static void json_skip_blanks(const char **at) {
    while (**at == ' ' || **at == '\t' || **at == '\r' || **at == '\n') {
        (*at)++;
    }
}

/* Skips commas and colons, and returns whether the end has not been reached. */
static bool json_more(const char **at, char end) {
    json_skip_blanks(at);
    while (**at == ',' || **at == ':') {
        (*at)++;
        json_skip_blanks(at);
    }
    if (**at == end) {
        (*at)++;
        return false;
    }
    return **at != '\0';
}

/* Writes a character in UTF-8; characters beyond the basic plane are written as two surrogates. */
static char *json_put(char *out, unsigned code) {
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

static char *json_escaped(const char **at, char *out) {
    const char letter = *(*at)++;
    const char *names = "ntrbf", *values = "\n\t\r\b\f", *found = strchr(names, letter);
    if (found != NULL) {
        *out++ = values[found - names];
    } else if (letter == 'u' && strlen(*at) >= 4) {
        char digits[5] = {(*at)[0], (*at)[1], (*at)[2], (*at)[3], '\0'};
        *at += 4;
        out = json_put(out, (unsigned)strtoul(digits, NULL, 16));
    } else {
        *out++ = letter;
    }
    return out;
}

static char *json_read_text(const char **at) {
    char *text = malloc(strlen(*at) + 1), *out = text;
    if (text == NULL) {
        abort();
    }
    (*at)++;
    while (**at != '\0' && **at != '"') {
        if (**at == '\\' && (*at)[1] != '\0') {
            (*at)++;
            out = json_escaped(at, out);
        } else {
            *out++ = *(*at)++;
        }
    }
    *at += **at == '"';
    *out = '\0';
    char *fitting = realloc(text, (size_t)(out - text) + 1);
    return fitting != NULL ? fitting : text;
}

static Json *json_read(const char **at) {
    Json *json = calloc(1, sizeof *json);
    if (json == NULL) {
        abort();
    }
    json->text = json_empty;
    json_skip_blanks(at);
    if (**at == '{' || **at == '[') {
        const bool object = *(*at)++ == '{';
        Json **end = &json->first;
        while (json_more(at, object ? '}' : ']')) {
            char *key = object && **at == '"' ? json_read_text(at) : NULL;
            json_more(at, ':');
            *end = json_read(at);
            (*end)->key = key;
            end = &(*end)->next;
            json->count++;
        }
    } else if (**at == '"') {
        json->text = json_read_text(at);
    } else if (**at == 't' || **at == 'f' || **at == 'n') {
        json->truth = **at == 't';
        while (**at >= 'a' && **at <= 'z') {
            (*at)++;
        }
    } else {
        char *after;
        json->number = strtod(*at, &after);
        *at = after > *at ? after : *at + (**at != '\0');
    }
    return json;
}

static Json *parse_json(const char *source) { return json_read(&source); }

#endif
