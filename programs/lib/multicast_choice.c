/* The algorithm of a multicast by a table of sizes and members: see multicast.h. */
#include "collective.h"
#include "multicast.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(FILE *file) {
    size_t used = 0;
    size_t size = 256;
    char *text = malloc(size);
    for (size_t got = 1; text != NULL && got > 0; used += got) {
        if (size - used < 2) {
            size *= 2;
            char *larger = realloc(text, size);
            if (larger == NULL) {
                free(text);
                return NULL;
            }
            text = larger;
        }
        got = fread(text + used, 1, size - used - 1, file);
    }
    if (text != NULL) {
        text[used] = '\0';
    }
    return text;
}

/* Lines that begin with # are comments; the others are one text. */
static void without_comments(char *text) {
    char *to = text;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (*line != '#') {
            memmove(to, line, length);
            to += length;
        }
        line += length + (line[length] == '\n');
    }
    *to = '\0';
}

char *MGEN_Multicast_read_rules(const char *path) {
    FILE *file = fopen(path, "r");
    char *rules = file == NULL ? NULL : text_of(file);
    if (file != NULL) {
        fclose(file);
    }
    if (rules == NULL) {
        char failure[256];
        snprintf(failure, sizeof failure, "a multicast cannot read its rules from %s", path);
        mgen_fail(failure);
        return NULL;
    }
    without_comments(rules);
    return rules;
}

void MGEN_Multicast_by_rules(const MGEN_Multicast *group, const char *rules, void *buffer,
                             size_t bytes) {
    struct choice choice = mgen_collective_by_rules("multicast", rules, bytes, bytes, group->size);
    if (strcmp(choice.name, "ring") == 0) {
        MGEN_Multicast_ring(group, buffer, bytes);
        return;
    }
    uint64_t named = 0;
    int is_number = mgen_whole_number(choice.name, strlen(choice.name), INT_MAX, &named);
    int d = (int)named;
    if (!is_number || d < 1 || (d & (d - 1)) != 0) {
        mgen_fail("a rule of a multicast names neither ring nor a power of two");
    }
    while (MGEN_Multicast_refusal(group->size, d) != NULL) {
        d /= 2;
    }
    MGEN_Multicast_hybrid(group, d, buffer, bytes);
}
