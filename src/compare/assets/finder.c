// SPDX-License-Identifier: MIT
// Names become files: by the form of a name its folder and endings are tried, and what is found, or
// is missing, is kept once.
#include "compare/assets/finder.h"

#include "asset/archive/search.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define LONGEST_VALUE 4096u
#define FIRST_SLOTS 256u

// --- names --------------------------------------------------------------------------------------

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// What may stand before the name of a file: slashes, and of Source's sounds and particles the
// characters that say how they are played or loaded.
static const char *marks_of(bsp_asset_kind kind) {
    return kind == BSP_ASSET_SOUND       ? "/\\*#@><^)}$!?&~`+("
           : kind == BSP_ASSET_PARTICLES ? "/\\!"
                                         : "/\\";
}

static bsp_text trim(bsp_text name, bsp_asset_kind kind) {
    const char *marks = marks_of(kind);
    while (name.size != 0 && (is_space(name.data[0]) ||
                              (name.data[0] != '\0' && strchr(marks, name.data[0]) != NULL))) {
        name.data++;
        name.size--;
    }
    while (name.size != 0 && is_space(name.data[name.size - 1])) {
        name.size--;
    }
    return name;
}

// Gives FOLDER NAME SIDE ENDING with '/' for '\' and without doubled ones. Returns false if no file
// can have that name.
static bool build(const char *folder, bsp_text name, const char *side, const char *ending,
                  char out[BSPI_NAME_ROOM]) {
    char text[2 * BSPI_NAME_ROOM];
    char clean[BSPI_NAME_ROOM];
    if (name.size >= BSPI_NAME_ROOM || !bspi_clean_name(name, clean)) {
        return false;
    }
    bool inside = bspi_text_begins_nocase(bsp_text_of(clean), folder);
    int size = snprintf(text, sizeof text, "%s%s%s%s", inside ? "" : folder, clean, side, ending);
    return size > 0 && (size_t)size < sizeof text &&
           bspi_clean_name((bsp_text){text, (size_t)size}, out);
}

// --- the list -----------------------------------------------------------------------------------

const bsp_asset *bspi_finder_look(const bspi_finder *f, bsp_text name, bool *in_pak) {
    const bsp_asset *found = bsp_search_find(f->pak, name);
    *in_pak = found != NULL;
    return found != NULL || f->game == NULL ? found : bsp_search_find(f->game, name);
}

static uint32_t *slot_of(const bspi_finder *f, bsp_text name) {
    size_t mask = f->num_slots - 1;
    size_t slot = bspi_text_hash_nocase(name) & mask;
    while (f->slots[slot] != BSP_NONE &&
           !bspi_text_equal_nocase(f->list[f->slots[slot]].use.name, name)) {
        slot = (slot + 1) & mask;
    }
    return &f->slots[slot];
}

// Keeps the table at most half full.
static bool make_slots(bspi_finder *f) {
    if (2 * ((size_t)f->count + 1) <= f->num_slots) {
        return true;
    }
    size_t count = f->num_slots == 0 ? FIRST_SLOTS : 2 * f->num_slots;
    uint32_t *slots = bspi_heap_alloc(f->heap, count * sizeof *slots, f->error);
    if (slots == NULL) {
        return false;
    }
    memset(slots, 0xFF, count * sizeof *slots);
    bspi_heap_free(f->heap, f->slots, f->num_slots * sizeof *f->slots);
    f->slots = slots;
    f->num_slots = count;
    for (uint32_t i = 0; i < f->count; i++) {
        *slot_of(f, f->list[i].use.name) = i;
    }
    return true;
}

// Of several names of a file the first in the alphabet is kept, so that the list does not depend
// on the order in which they were found.
static void name_again(bsp_asset_use *use, bsp_text by) {
    size_t shared = use->by.size < by.size ? use->by.size : by.size;
    int order = shared == 0 ? 0 : memcmp(by.data, use->by.data, shared);
    if (order < 0 || (order == 0 && by.size < use->by.size)) {
        use->by = by;
    }
}

static bool keep(bspi_finder *f, bsp_asset_kind kind, bspi_asset_role role, const char *name,
                 bsp_text by) {
    bsp_text text = bsp_text_of(name);
    if (!make_slots(f)) {
        return false;
    }
    uint32_t *slot = slot_of(f, text);
    if (*slot != BSP_NONE) {
        name_again(&f->list[*slot].use, by);
        return true;
    }
    bspi_found_asset *list =
        bspi_grow(f->heap, f->list, f->count, &f->room, sizeof *list, f->error);
    const char *copy = list == NULL ? NULL : bspi_arena_text(f->arena, text, f->error);
    f->list = list == NULL ? f->list : list;
    if (copy == NULL) {
        return false;
    }
    text.data = copy;
    bool in_pak;
    const bsp_asset *asset = bspi_finder_look(f, text, &in_pak);
    bsp_asset_use use = {.kind = kind,
                         .name = text,
                         .by = by,
                         .found = asset != NULL,
                         .in_pak = in_pak,
                         .size = asset == NULL ? 0 : asset->size,
                         .base = f->base != NULL && bsp_search_find(f->base, text) != NULL};
    if (asset != NULL && !in_pak) {
        use.source = asset->source;
    }
    list[f->count] = (bspi_found_asset){use, role};
    *slot = f->count++;
    return true;
}

void bspi_finder_free(bspi_finder *f) {
    bspi_heap_free(f->heap, f->list, f->room * sizeof *f->list);
    bspi_heap_free(f->heap, f->slots, f->num_slots * sizeof *f->slots);
    f->list = NULL;
    f->slots = NULL;
}

// --- one of several files ------------------------------------------------------------------------

// What may stand for a name: the first file that exists.
typedef struct choice {
    char best[BSPI_NAME_ROOM]; // the first name that was tried, or the one that exists
    bool any;
    bool found;
} choice;

// Tries a name. Returns false when the work passes its limit.
static bool try_name(bspi_finder *f, choice *c, const char *folder, bsp_text name, const char *side,
                     const char *ending) {
    char text[BSPI_NAME_ROOM];
    bool in_pak;
    if (c->found) {
        return true;
    }
    if (!bspi_heap_work(f->heap, 1, f->error)) {
        return false;
    }
    if (!build(folder, name, side, ending, text)) {
        return true;
    }
    c->found = bspi_finder_look(f, bsp_text_of(text), &in_pak) != NULL;
    if (c->found || !c->any) {
        memcpy(c->best, text, sizeof text);
        c->any = true;
    }
    return true;
}

// Tries a name with the ending that it has, then with each of the form's.
static bool try_endings(bspi_finder *f, choice *c, const bspi_asset_form *form, bsp_text name,
                        const char *side) {
    const char *own = NULL;
    for (size_t e = 0; own == NULL && form->endings[e] != NULL; e++) {
        if (form->endings[e][0] != '\0' && bspi_text_cut_end(&name, form->endings[e])) {
            own = form->endings[e];
        }
    }
    bool done = own == NULL || try_name(f, c, form->folder, name, side, own);
    for (size_t e = 0; done && form->endings[e] != NULL; e++) {
        done = try_name(f, c, form->folder, name, side, form->endings[e]);
    }
    return done;
}

static bool take(bspi_finder *f, const choice *c, const bspi_asset_form *form, bsp_text by,
                 bool required) {
    return !(c->found || (c->any && required)) || keep(f, form->kind, form->role, c->best, by);
}

static bool add_sides(bspi_finder *f, const bspi_asset_form *form, bsp_text name, bsp_text by,
                      bool required) {
    static const char *const letters[] = {"rt", "bk", "lf", "ft", "up", "dn"};
    for (size_t s = 0; s < sizeof letters / sizeof *letters; s++) {
        choice c = {.any = false};
        bool done = true;
        for (size_t i = 0; done && form->sides[i] != NULL; i++) {
            char side[16];
            snprintf(side, sizeof side, "%s%s", form->sides[i], letters[s]);
            done = try_endings(f, &c, form, name, side);
        }
        if (!done || !take(f, &c, form, by, required)) {
            return false;
        }
    }
    return true;
}

bool bspi_finder_add(bspi_finder *f, bspi_asset_form_id id, bsp_text name, bsp_text by,
                     bool required) {
    const bspi_asset_form *form = bspi_asset_form_of(f->family, id);
    if (form == NULL) {
        return true;
    }
    name = trim(name, form->kind);
    name = form->base ? bspi_text_last_part(name) : name;
    if (form->strip != NULL) {
        (void)bspi_text_cut_end(&name, form->strip);
    }
    if (name.size == 0) {
        return true;
    }
    if (form->sides[0] != NULL) {
        return add_sides(f, form, name, by, required);
    }
    choice c = {.any = false};
    return try_endings(f, &c, form, name, "") && take(f, &c, form, by, required);
}

bool bspi_finder_add_beside(bspi_finder *f, const bspi_asset_companion *row, bsp_text stem,
                            bsp_text by) {
    choice c = {.any = false};
    bool done = true;
    for (size_t e = 0; done && row->endings[e] != NULL; e++) {
        done = try_name(f, &c, "", stem, "", row->endings[e]);
    }
    return done &&
           (!(c.found || (c.any && row->required)) || keep(f, row->kind, row->role, c.best, by));
}

bool bspi_finder_add_material(bspi_finder *f, const bsp_text *folders, uint32_t num_folders,
                              bsp_text name, bsp_text by) {
    const bspi_asset_form *form = bspi_asset_form_of(f->family, BSPI_FORM_MATERIAL);
    choice c = {.any = false};
    bool done = form != NULL && name.size != 0;
    for (uint32_t i = 0; done && i < num_folders && !c.found; i++) {
        char path[2 * BSPI_NAME_ROOM];
        int size = snprintf(path, sizeof path, "%.*s/%.*s", (int)(folders[i].size & 0xFFFF),
                            folders[i].size == 0 ? "" : folders[i].data, (int)(name.size & 0xFFFF),
                            name.data);
        if (size > 0 && (size_t)size < sizeof path) {
            done = try_endings(f, &c, form, (bsp_text){path, (size_t)size}, "");
        }
    }
    done = done && try_endings(f, &c, form, name, "") && take(f, &c, form, by, true);
    return done || form == NULL || name.size == 0;
}

// --- values -------------------------------------------------------------------------------------

// WADs have ';' between them; music and programs have blanks.
static bool parts(bspi_asset_form_id form, char c) {
    bool blanks = form == BSPI_FORM_MUSIC || form == BSPI_FORM_CODE;
    return c == ';' || c == '\0' || (blanks && is_space(c));
}

static bool add_track(bspi_finder *f, bsp_text value, bsp_text by, bool required) {
    char digits[4];
    bool number = value.size == 1 || value.size == 2;
    for (size_t i = 0; i < value.size && number; i++) {
        number = value.data[i] >= '0' && value.data[i] <= '9';
    }
    if (!number) {
        return true;
    }
    snprintf(digits, sizeof digits, "%s%.*s", value.size == 1 ? "0" : "", (int)value.size,
             value.data);
    return bspi_finder_add(f, BSPI_FORM_TRACK, bsp_text_of(digits), by, required);
}

static bool add_part(bspi_finder *f, const bspi_asset_key *row, bsp_text name, bsp_text by) {
    if (row->form == BSPI_FORM_TRACK) {
        return add_track(f, name, by, !row->optional);
    }
    bool fits =
        row->ending == NULL || bspi_text_ends_nocase(trim(name, BSP_ASSET_FILE), row->ending);
    return !fits || bspi_finder_add(f, row->form, name, by, !row->optional);
}

bool bspi_finder_add_value(bspi_finder *f, bspi_asset_role from, bsp_text key, bsp_text value,
                           bsp_text by, const bspi_asset_key **found) {
    const bspi_asset_key *row = NULL;
    while (value.size != 0 && parts(BSPI_FORM_MUSIC, value.data[value.size - 1])) {
        value.size--; // a list of WADs may end in ';'
    }
    if (value.size != 0 && value.size <= LONGEST_VALUE) {
        row = bspi_asset_key_of(from, f->family, key, trim(value, BSP_ASSET_FILE));
    }
    if (found != NULL) {
        *found = row;
    }
    for (size_t start = 0; row != NULL && start < value.size;) {
        size_t end = start;
        while (end < value.size && !parts(row->form, value.data[end])) {
            end++;
        }
        if (!add_part(f, row, (bsp_text){value.data + start, end - start}, by)) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

bool bspi_finder_read(const bspi_finder *f, const bsp_asset_use *use, bsp_blob *blob) {
    bsp_error why = {0};
    const bsp_search *where = use->in_pak ? f->pak : f->game;
    memset(blob, 0, sizeof *blob);
    return !use->found || bsp_search_read(where, use->name, blob, &why) ||
           !bspi_out_of_memory(&why, f->error);
}
