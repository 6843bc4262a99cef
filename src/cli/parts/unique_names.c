// SPDX-License-Identifier: MIT
// A hash table of names. Each stores the last number that was added to it, so that equal names are
// counted, not compared with each other.
#include "cli/parts/unique_names.h"

#include "cli/parts/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cli_unique_name {
    char *name; // NULL: free
    unsigned number;
} slot;

static uint32_t hash_of(const char *name) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (; *name != '\0'; name++) {
        hash = (hash ^ (uint8_t)cli_lower(*name)) * 16777619u;
    }
    return hash;
}

static bool is_same(const char *a, const char *b) {
    for (; *a != '\0' && cli_lower(*a) == cli_lower(*b); a++, b++) {
    }
    return *a == '\0' && *b == '\0';
}

// Returns the slot of a name, or the free one where it belongs.
static slot *find(const cli_unique *names, const char *name) {
    for (size_t at = hash_of(name);; at++) {
        slot *s = &names->slots[at & (names->room - 1)];
        if (s->name == NULL || is_same(s->name, name)) {
            return s;
        }
    }
}

static bool grow(cli_unique *names) {
    cli_unique larger = {.room = names->room != 0 ? names->room * 2 : 64, .count = names->count};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < names->room; i++) {
        if (names->slots[i].name != NULL) {
            *find(&larger, names->slots[i].name) = names->slots[i];
        }
    }
    free(names->slots);
    *names = larger;
    return true;
}

bool cli_unique_take(cli_unique *names, char *name, size_t room) {
    if (2 * names->count >= names->room && !grow(names)) {
        return false;
    }
    size_t size = strlen(name);
    slot *first = find(names, name);
    slot *own = first;
    while (own->name != NULL) {
        snprintf(name + size, room - size, "_%u", ++first->number);
        own = find(names, name);
    }
    own->name = malloc(strlen(name) + 1);
    if (own->name == NULL) {
        return false;
    }
    strcpy(own->name, name);
    own->number = 1;
    names->count++;
    return true;
}

void cli_unique_free(cli_unique *names) {
    for (size_t i = 0; i < names->room; i++) {
        free(names->slots[i].name);
    }
    free(names->slots);
    *names = (cli_unique){0};
}
