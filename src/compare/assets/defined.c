// SPDX-License-Identifier: MIT
// Sounds, soundscapes and effects of Source that entities call by names. Scripts define them, which
// a list of the game names (scripts/game_sounds_manifest.txt). Needed of these are the scripts with
// a definition that is called, and what that definition names; of a script in the map's own zip
// all.
#include "compare/assets/finder.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct names {
    bsp_text *list;
    size_t count;
    size_t room;
    bool sorted;
} names;

// A script with definitions.
typedef struct script {
    bsp_text name;
    bsp_blob blob;
    bsp_key_values *values; // NULL: a particle file
    bool *taken;            // for each of the values: a definition that was called
} script;

typedef struct search {
    bspi_finder *f;
    const bspi_asset_set *set;
    names called;
    script *scripts;
    uint32_t count;
    size_t room;
    bool any; // something of this list was called
} search;

// --- names --------------------------------------------------------------------------------------

static bool call(search *s, bsp_text name) {
    names *n = &s->called;
    if (name.size == 0 || name.size > 128) {
        return true;
    }
    bsp_text *list = bspi_grow(s->f->heap, n->list, n->count, &n->room, sizeof *list, s->f->error);
    if (list == NULL) {
        return false;
    }
    n->list = list;
    list[n->count++] = name;
    n->sorted = false;
    return true;
}

static int compare(const void *a, const void *b) {
    return bspi_text_compare_nocase(*(const bsp_text *)a, *(const bsp_text *)b);
}

static bool is_called(search *s, bsp_text name) {
    if (!s->called.sorted && s->called.count != 0) {
        qsort(s->called.list, s->called.count, sizeof *s->called.list, compare);
    }
    s->called.sorted = true;
    return s->called.count != 0 && name.size != 0 &&
           bsearch(&name, s->called.list, s->called.count, sizeof name, compare) != NULL;
}

// Any value of an entity may be such a name: what is none meets no definition.
static bool call_entities(search *s) {
    const bsp_entities *all = s->f->map->entities;
    for (uint32_t i = 0; all != NULL && i < all->count; i++) {
        for (uint32_t p = 0; p < all->list[i].num_pairs; p++) {
            if (!call(s, all->list[i].pairs[p].value)) {
                return false;
            }
        }
    }
    return bspi_heap_work(s->f->heap, s->called.count, s->f->error);
}

// --- scripts ------------------------------------------------------------------------------------

static bool open_script(search *s, bsp_text name) {
    bspi_finder *f = s->f;
    bsp_asset_use use = {.name = name};
    const bsp_asset *asset = bspi_finder_look(f, name, &use.in_pak);
    script *list = bspi_grow(f->heap, s->scripts, s->count, &s->room, sizeof *list, f->error);
    s->scripts = list == NULL ? s->scripts : list;
    if (asset == NULL || list == NULL) {
        return list != NULL;
    }
    use.found = true;
    script *to = &list[s->count];
    *to = (script){.name = name};
    const bsp_text_options options = {.allocator = &f->heap->allocator, .budget = f->heap->budget};
    if (!bspi_finder_read(f, &use, &to->blob) ||
        !bspi_heap_work(f->heap, to->blob.size / 64, f->error)) {
        bsp_blob_free(&to->blob);
        return false;
    }
    s->count++;
    if (s->set->form == BSPI_FORM_PARTICLES) {
        return true;
    }
    to->values = bsp_key_values_parse((bsp_text){(const char *)to->blob.data, to->blob.size},
                                      &options, f->error);
    to->taken = to->values == NULL ? NULL
                                   : bspi_arena_zero(f->arena, (size_t)to->values->count + 1,
                                                     sizeof *to->taken, f->error);
    return to->taken != NULL;
}

// Opens all scripts that the list names.
static bool open_all(search *s, bsp_text text) {
    bspi_finder *f = s->f;
    const bsp_text_options options = {.allocator = &f->heap->allocator, .budget = f->heap->budget};
    bsp_key_values *values = bsp_key_values_parse(text, &options, f->error);
    bool done = values != NULL;
    for (uint32_t i = 0; done && i < values->count; i++) {
        bsp_text name = values->list[i].value;
        if (name.size > 1 && name.data[0] == '!') {
            name = (bsp_text){name.data + 1, name.size - 1};
        }
        const char *copy = values->list[i].block ? NULL : bspi_arena_text(f->arena, name, f->error);
        done =
            values->list[i].block || (copy != NULL && open_script(s, (bsp_text){copy, name.size}));
    }
    bsp_key_values_free(values);
    return done;
}

static bool need_script(search *s, const script *of) {
    s->any = true;
    // Its other definitions are not called: the form that reads nothing in it.
    bspi_asset_form_id form =
        s->set->form == BSPI_FORM_PARTICLES ? BSPI_FORM_PARTICLES : BSPI_FORM_SCRIPT;
    return bspi_finder_add(s->f, form, of->name, bsp_text_of(s->set->list), true);
}

// Takes a definition: the files that it names, and the names of others that it calls.
static bool take(search *s, const script *of, uint32_t at) {
    const bsp_key_values *values = of->values;
    of->taken[at] = true;
    for (uint32_t i = at + 1; i < values->list[at].end && i < values->count; i++) {
        const bsp_key_value *pair = &values->list[i];
        if (pair->block) {
            continue;
        }
        bool other = bspi_text_is(pair->key, "name"); // playsoundscape { name ... }
        if (other ? !call(s, pair->value)
                  : !bspi_finder_add_value(s->f, BSPI_ROLE_SOUNDS, pair->key, pair->value, of->name,
                                           NULL)) {
            return false;
        }
    }
    return need_script(s, of);
}

static bool take_called(search *s, const script *of, bool *more) {
    const bsp_key_values *values = of->values;
    for (uint32_t i = 0;
         i<values->count; i = values->list[i].end> i ? values->list[i].end : i + 1) {
        if (!bspi_heap_work(s->f->heap, 1, s->f->error)) {
            return false;
        }
        if (values->list[i].block && !of->taken[i] && is_called(s, values->list[i].key)) {
            *more = true;
            if (!take(s, of, i)) {
                return false;
            }
        }
    }
    return true;
}

// A particle file is needed if an effect in it is called. Its texts end with a zero.
static bool take_particles(search *s, const script *of) {
    size_t start = 0;
    for (size_t i = 0; i <= of->blob.size; i++) {
        if (i < of->blob.size && of->blob.data[i] != '\0' && of->blob.data[i] != '"') {
            continue;
        }
        bsp_text text = {(const char *)of->blob.data + start, i - start};
        if (text.size > 2 && text.size <= 128 && is_called(s, text)) {
            return need_script(s, of);
        }
        start = i + 1;
    }
    return true;
}

static bool take_all(search *s) {
    bool more = true;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->scripts[i].values == NULL && !take_particles(s, &s->scripts[i])) {
            return false;
        }
    }
    while (more) {
        more = false;
        for (uint32_t i = 0; i < s->count; i++) {
            if (s->scripts[i].values != NULL && !take_called(s, &s->scripts[i], &more)) {
                return false;
            }
        }
    }
    return true;
}

// --- lists --------------------------------------------------------------------------------------

static void close_all(search *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        bsp_key_values_free(s->scripts[i].values);
        bsp_blob_free(&s->scripts[i].blob);
    }
    bspi_heap_free(s->f->heap, s->scripts, s->room * sizeof *s->scripts);
    bspi_heap_free(s->f->heap, s->called.list, s->called.room * sizeof *s->called.list);
}

// A list in the map's own zip is the map's: all that it names is needed.
static bool add_own_list(search *s, bsp_text name, bsp_text text) {
    bspi_finder *f = s->f;
    const bsp_text_options options = {.allocator = &f->heap->allocator, .budget = f->heap->budget};
    bsp_key_values *values = bsp_key_values_parse(text, &options, f->error);
    bool done =
        values != NULL && bspi_finder_add(f, BSPI_FORM_SCRIPT, name, bsp_text_of("game"), true);
    for (uint32_t i = 0; done && i < values->count; i++) {
        bool in_pak = false;
        const bsp_key_value *pair = &values->list[i];
        if (!pair->block && bspi_finder_look(f, pair->value, &in_pak) != NULL && in_pak) {
            done = bspi_finder_add(f, s->set->form, pair->value, name, true);
        }
    }
    bsp_key_values_free(values);
    return done;
}

static bool add_set(bspi_finder *f, const bspi_asset_set *set) {
    bsp_blob blob;
    search s = {.f = f, .set = set};
    bsp_asset_use use = {.name = bsp_text_of(set->list)};
    use.found = bspi_finder_look(f, use.name, &use.in_pak) != NULL;
    if (!use.found) {
        return true;
    }
    if (!bspi_finder_read(f, &use, &blob)) {
        return false;
    }
    bsp_text text = {(const char *)blob.data, blob.size};
    bool done = (!use.in_pak || add_own_list(&s, use.name, text)) && call_entities(&s) &&
                open_all(&s, text) && take_all(&s);
    done = done && (!s.any ||
                    bspi_finder_add(f, BSPI_FORM_SCRIPT, use.name, bsp_text_of("entities"), true));
    close_all(&s);
    bsp_blob_free(&blob);
    return done;
}

bool bspi_finder_add_defined(bspi_finder *f) {
    size_t count;
    const bspi_asset_set *sets = bspi_asset_sets(&count);
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        done = (sets[i].families & BSPI_IN(f->family)) == 0 || add_set(f, &sets[i]);
    }
    return done;
}
