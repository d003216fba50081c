/* The higher number wins: a referee for two players in C, for 'arbiter play --referee'.

       cc -o higher higher.c
       ./higher -p1 COMMAND -p2 COMMAND -l LOG -d seed=N

   Each player is sent the seed on a line, prints a number and loses if it is not the higher one. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long ask(const char *command, const char *seed) {
    int to[2], from[2];
    char line[64] = "";
    if (pipe(to) || pipe(from)) exit(2);
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    dprintf(to[1], "%s\n", seed);
    FILE *answer = fdopen(from[0], "r");
    if (!fgets(line, sizeof line, answer)) strcpy(line, "-1");
    close(to[1]);
    fclose(answer);
    waitpid(child, NULL, 0);
    return strtol(line, NULL, 10);
}

int main(int count, char **words) {
    const char *players[2] = {NULL, NULL}, *log = NULL, *seed = "0";
    for (int at = 1; at + 1 < count; at += 2) {
        if (!strcmp(words[at], "-p1")) players[0] = words[at + 1];
        if (!strcmp(words[at], "-p2")) players[1] = words[at + 1];
        if (!strcmp(words[at], "-l")) log = words[at + 1];
        if (!strcmp(words[at], "-d")) seed = words[at + 1] + strlen("seed=");
    }
    if (!players[0] || !players[1] || !log) return 2;
    long first = ask(players[0], seed), second = ask(players[1], seed);
    FILE *file = fopen(log, "w");
    if (!file) return 2;
    fprintf(file, "{\"scores\": {\"0\": %d, \"1\": %d}, \"errors\": {}, \"outputs\": {\"0\": [\"%ld\"], \"1\": [\"%ld\"]}}\n",
            first > second, second > first, first, second);
    return fclose(file) ? 2 : 0;
}
