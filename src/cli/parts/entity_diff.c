// SPDX-License-Identifier: MIT
// Pairing entities by hashes of what they are, and the lines that tell them apart.
#include "cli/parts/entity_diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Entities with more pairs than this between the first and the last that differ are shown whole.
#define MOST_COMPARED 2048u

// --- pairing ------------------------------------------------------------------------------------

typedef struct entry {
    uint64_t hash;
    uint32_t number;
} entry;

typedef uint64_t (*hash_of)(const bsp_entity *entity);

// FNV-1a; a mark behind each text, so that texts do not run into each other.
static uint64_t add_hash(uint64_t hash, bsp_text text) {
    for (size_t i = 0; i < text.size; i++) {
        hash = (hash ^ (uint8_t)text.data[i]) * 0x100000001b3u;
    }
    return (hash ^ 0x100u) * 0x100000001b3u;
}

#define FIRST_HASH 0xcbf29ce484222325u

static uint64_t hash_all(const bsp_entity *entity) {
    uint64_t hash = FIRST_HASH;
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        hash = add_hash(add_hash(hash, entity->pairs[i].key), entity->pairs[i].value);
    }
    return hash;
}

static uint64_t hash_identity(const bsp_entity *entity) {
    static const char *const keys[] = {"classname", "targetname", "origin"};
    bsp_text id = bsp_entity_value(entity, "hammerid");
    if (id.size != 0) {
        return add_hash(FIRST_HASH, id);
    }
    uint64_t hash = FIRST_HASH;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hash = add_hash(hash, bsp_entity_value(entity, keys[i]));
    }
    return hash;
}

static int compare(const void *a, const void *b) {
    const entry *x = a;
    const entry *y = b;
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

// Hashes of the entities that have no partner yet, sorted.
static size_t list_lonely(const bsp_entities *entities, const uint32_t *partner, hash_of hash,
                          entry *out) {
    size_t count = 0;
    for (uint32_t i = 0; i < entities->count; i++) {
        if (partner[i] == BSP_NONE) {
            out[count++] = (entry){hash(&entities->list[i]), i};
        }
    }
    qsort(out, count, sizeof *out, compare);
    return count;
}

static void pair_by(cli_entity_diff *d, hash_of hash, entry *old, entry *new) {
    size_t num_old = list_lonely(d->before, d->new_of, hash, old);
    size_t num_new = list_lonely(d->after, d->old_of, hash, new);
    for (size_t i = 0, j = 0; i < num_old && j < num_new;) {
        if (old[i].hash == new[j].hash) {
            d->new_of[old[i].number] = new[j].number;
            d->old_of[new[j++].number] = old[i++].number;
        } else if (old[i].hash < new[j].hash) {
            i++;
        } else {
            j++;
        }
    }
}

static uint32_t *no_partners(uint32_t count) {
    uint32_t *list = malloc(((size_t)count + 1) * sizeof *list);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        list[i] = BSP_NONE;
    }
    return list;
}

static bool begin(cli_entity_diff *d, const char *path, const bsp_entities *before,
                  const bsp_entities *after) {
    *d = (cli_entity_diff){before, after, no_partners(before->count), no_partners(after->count)};
    if (d->new_of == NULL || d->old_of == NULL) {
        cli_entity_diff_free(d);
        cli_message(path, "no memory");
        return false;
    }
    return true;
}

bool cli_entity_diff_new(cli_entity_diff *d, const char *path, const bsp_entities *before,
                         const bsp_entities *after) {
    if (!begin(d, path, before, after)) {
        return false;
    }
    entry *old = calloc((size_t)before->count + 1, sizeof *old);
    entry *new = calloc((size_t)after->count + 1, sizeof *new);
    bool done = old != NULL && new != NULL;
    if (done) {
        pair_by(d, hash_all, old, new);
        pair_by(d, hash_identity, old, new);
    } else {
        cli_entity_diff_free(d);
        cli_message(path, "no memory");
    }
    free(old);
    free(new);
    return done;
}

bool cli_entity_diff_known(cli_entity_diff *d, const char *path, const bsp_entities *before,
                           const bsp_entities *after, const bool *removed) {
    if (!begin(d, path, before, after)) {
        return false;
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < before->count && next < after->count; i++) {
        if (!removed[i]) {
            d->new_of[i] = next;
            d->old_of[next++] = i;
        }
    }
    return true;
}

void cli_entity_diff_free(cli_entity_diff *d) {
    free(d->new_of);
    free(d->old_of);
    memset(d, 0, sizeof *d);
}

// --- pairs --------------------------------------------------------------------------------------

static bool equal(const bsp_pair *a, const bsp_pair *b) {
    return bsp_text_equal(a->key, b->key) && bsp_text_equal(a->value, b->value);
}

static uint32_t count_equal(const bsp_pair *list, uint32_t count, const bsp_pair *pair) {
    uint32_t equals = 0;
    for (uint32_t i = 0; i < count; i++) {
        equals += equal(&list[i], pair) ? 1 : 0;
    }
    return equals;
}

uint32_t cli_entity_diff_pairs(const bsp_entity *entity, const bsp_entity *other,
                               const bsp_pair **out) {
    uint32_t first = 0;
    uint32_t a = entity->num_pairs;
    uint32_t b = other->num_pairs;
    while (first < a && first < b && equal(&entity->pairs[first], &other->pairs[first])) {
        first++;
    }
    while (a > first && b > first && equal(&entity->pairs[a - 1], &other->pairs[b - 1])) {
        a--;
        b--;
    }
    bool whole = a - first > MOST_COMPARED || b - first > MOST_COMPARED;
    uint32_t count = 0;
    for (uint32_t i = first; i < a; i++) {
        const bsp_pair *pair = &entity->pairs[i];
        // Of equal pairs so many are of both lists as the shorter has.
        if (whole || count_equal(entity->pairs + first, i - first, pair) >=
                         count_equal(other->pairs + first, b - first, pair)) {
            out[count++] = pair;
        }
    }
    return count;
}

// --- lines --------------------------------------------------------------------------------------

static void print_heading(cli_output *output, uint32_t number, const bsp_entity *entity) {
    bsp_text name = bsp_entity_value(entity, "targetname");
    cli_set_style(output, CLI_STRONG);
    cli_print(output, "@ %u ", (unsigned)number);
    cli_print_text(output, bsp_entity_value(entity, "classname"));
    cli_print(output, "%s", name.size == 0 ? "" : " ");
    cli_print_text(output, name);
    cli_set_style(output, CLI_PLAIN);
    cli_print(output, "\n");
}

static void print_pair(cli_output *output, const char *before, const bsp_pair *pair) {
    cli_print(output, "%s\"", before);
    cli_print_text(output, pair->key);
    cli_print(output, "\" \"");
    cli_print_text(output, pair->value);
    cli_print(output, "\"\n");
}

static void print_entity(cli_output *output, const char *before, const bsp_entity *entity) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        print_pair(output, before, &entity->pairs[i]);
    }
}

// Room for the pairs of the longest entity of both lists.
static const bsp_pair **pair_room(const cli_entity_diff *d, cli_output *output) {
    size_t most = 1;
    for (uint32_t i = 0; i < d->before->count; i++) {
        most = d->before->list[i].num_pairs > most ? d->before->list[i].num_pairs : most;
    }
    for (uint32_t i = 0; i < d->after->count; i++) {
        most = d->after->list[i].num_pairs > most ? d->after->list[i].num_pairs : most;
    }
    const bsp_pair **room = calloc(most, sizeof *room);
    if (room == NULL) {
        cli_message(NULL, "no memory");
        output->failure = output->failure == 0 ? ENOMEM : output->failure;
    }
    return room;
}

static bool print_changed(const cli_entity_diff *d, uint32_t old, const bsp_pair **room,
                          cli_output *output) {
    const bsp_entity *before = &d->before->list[old];
    const bsp_entity *after = &d->after->list[d->new_of[old]];
    uint32_t gone = cli_entity_diff_pairs(before, after, room);
    if (gone != 0) {
        print_heading(output, old, before);
    }
    for (uint32_t i = 0; i < gone; i++) {
        print_pair(output, "- ", room[i]);
    }
    uint32_t came = cli_entity_diff_pairs(after, before, room);
    if (came != 0 && gone == 0) {
        print_heading(output, old, before);
    }
    for (uint32_t i = 0; i < came; i++) {
        print_pair(output, "+ ", room[i]);
    }
    return gone != 0 || came != 0;
}

bool cli_entity_diff_print(const cli_entity_diff *d, cli_output *output) {
    bool any = false;
    const bsp_pair **room = pair_room(d, output);
    for (uint32_t i = 0; room != NULL && i < d->before->count; i++) {
        if (d->new_of[i] != BSP_NONE) {
            any = print_changed(d, i, room, output) || any;
        } else {
            print_heading(output, i, &d->before->list[i]);
            print_entity(output, "- ", &d->before->list[i]);
            any = true;
        }
    }
    uint32_t number = d->before->count;
    for (uint32_t i = 0; room != NULL && i < d->after->count; i++) {
        if (d->old_of[i] == BSP_NONE) {
            print_heading(output, number++, &d->after->list[i]);
            print_entity(output, "+ ", &d->after->list[i]);
            any = true;
        }
    }
    free(room);
    return any;
}

// --- Stripper:Source ----------------------------------------------------------------------------

// A value between slashes would be taken for a regular expression.
static bool is_pattern(const bsp_pair *pair) {
    size_t size = pair->value.size;
    return size > 1 && pair->value.data[0] == '/' && pair->value.data[size - 1] == '/';
}

static void print_match(cli_output *output, const char *before, const bsp_entity *entity) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        if (!is_pattern(&entity->pairs[i])) {
            print_pair(output, before, &entity->pairs[i]);
        }
    }
}

void cli_entity_stripper_add(const bsp_entity *entity, cli_output *output) {
    cli_print(output, "add:\n{\n");
    print_entity(output, "", entity);
    cli_print(output, "}\n");
}

static void print_block(cli_output *output, const char *name, const bsp_pair **pairs,
                        uint32_t count) {
    if (count != 0) {
        cli_print(output, "    %s:\n    {\n", name);
        for (uint32_t i = 0; i < count; i++) {
            print_pair(output, "        ", pairs[i]);
        }
        cli_print(output, "    }\n");
    }
}

static void print_modify(const cli_entity_diff *d, uint32_t old, const bsp_pair **room,
                         cli_output *output) {
    const bsp_entity *before = &d->before->list[old];
    const bsp_entity *after = &d->after->list[d->new_of[old]];
    uint32_t gone = cli_entity_diff_pairs(before, after, room);
    bool differs = gone != 0 || cli_entity_diff_pairs(after, before, room) != 0;
    if (!differs) {
        return;
    }
    cli_print(output, "modify:\n{\n    match:\n    {\n");
    print_match(output, "        ", before);
    cli_print(output, "    }\n");
    gone = cli_entity_diff_pairs(before, after, room);
    print_block(output, "delete", room, gone);
    uint32_t came = cli_entity_diff_pairs(after, before, room);
    print_block(output, "insert", room, came);
    cli_print(output, "}\n");
}

void cli_entity_diff_stripper(const cli_entity_diff *d, cli_output *output) {
    const bsp_pair **room = pair_room(d, output);
    for (uint32_t i = 0; room != NULL && i < d->before->count; i++) {
        if (d->new_of[i] != BSP_NONE) {
            print_modify(d, i, room, output);
        } else {
            cli_print(output, "filter:\n{\n");
            print_match(output, "", &d->before->list[i]);
            cli_print(output, "}\n");
        }
    }
    for (uint32_t i = 0; room != NULL && i < d->after->count; i++) {
        if (d->old_of[i] == BSP_NONE) {
            cli_entity_stripper_add(&d->after->list[i], output);
        }
    }
    free(room);
}
