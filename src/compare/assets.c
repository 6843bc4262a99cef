// SPDX-License-Identifier: MIT
// Finds the files that a map refers to: collects them from materials, props and the keys of
// entities, then from the materials' own files, and searches them in the embedded zip and the
// folders of the game.
#include "compare/assets.h"

#include "core/text.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct bspi_asset_owner {
    bsp_asset_list list;
    bspi_heap heap;
    bspi_arena arena;
    bsp_search *pak;
} bspi_asset_owner;

typedef struct finder {
    bspi_asset_owner *owner;
    const bsp_map *map;
    const bsp_search *game; // may be NULL
    bsp_family family;      // selects the rows of the tables
    const bspi_asset_ways *ways;
    bsp_asset_use *list;
    uint32_t count;
    size_t room;
    bsp_error *error;
} finder;

// --- names --------------------------------------------------------------------------------------

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Removes blanks around a name, slashes before it, and the prefix characters of Source's sounds.
static bsp_text trim(bsp_text name, bsp_asset_kind kind) {
    const char *marks = kind == BSP_ASSET_SOUND ? "/\\*#@><^)}$!?&~`+(" : "/\\";
    while (name.size != 0 && (is_space(name.data[0]) || strchr(marks, name.data[0]) != NULL)) {
        name.data++;
        name.size--;
    }
    while (name.size != 0 && is_space(name.data[name.size - 1])) {
        name.size--;
    }
    return name;
}

static const char *ending_of(const bspi_asset_form *form, bsp_text name) {
    for (size_t e = 0; form->endings[e] != NULL; e++) {
        if (bspi_text_ends_nocase(name, form->endings[e])) {
            return form->endings[e];
        }
    }
    return NULL;
}

// Returns FOLDER NAME SIDE ENDING, with '/' for '\'. Empty without memory.
static bsp_text build(finder *f, const char *folder, bsp_text name, const char *side,
                      const char *ending) {
    size_t parts[4] = {strlen(folder), name.size, strlen(side), strlen(ending)};
    parts[0] = bspi_text_begins_nocase(name, folder) ? 0 : parts[0];
    char *text = bspi_arena_raw(&f->owner->arena, parts[0] + parts[1] + parts[2] + parts[3] + 1, 1,
                                f->error);
    if (text == NULL) {
        return (bsp_text){NULL, 0};
    }
    memcpy(text, folder, parts[0]);
    for (size_t i = 0; i < name.size; i++) {
        text[parts[0] + i] = name.data[i] == '\\' ? '/' : name.data[i];
    }
    memcpy(text + parts[0] + parts[1], side, parts[2]);
    memcpy(text + parts[0] + parts[1] + parts[2], ending, parts[3] + 1);
    return (bsp_text){text, parts[0] + parts[1] + parts[2] + parts[3]};
}

// --- searching -----------------------------------------------------------------------------------

static const bsp_asset *look_up(const finder *f, bsp_text name, bool *in_pak) {
    const bsp_asset *found = bsp_search_find(f->owner->pak, name);
    *in_pak = found != NULL;
    return found != NULL || f->game == NULL ? found : bsp_search_find(f->game, name);
}

static bool add(finder *f, bsp_asset_kind kind, bsp_text name, bsp_text by) {
    bool in_pak;
    if (!bspi_heap_work(&f->owner->heap, 1, f->error)) {
        return false;
    }
    const bsp_asset *asset = look_up(f, name, &in_pak);
    bsp_asset_use *list =
        bspi_grow(&f->owner->heap, f->list, f->count, &f->room, sizeof *list, f->error);
    if (list == NULL) {
        return false;
    }
    f->list = list;
    list[f->count++] = (bsp_asset_use){.kind = kind,
                                       .name = name,
                                       .by = by,
                                       .found = asset != NULL,
                                       .in_pak = in_pak,
                                       .size = asset == NULL ? 0 : asset->size};
    if (asset != NULL && !in_pak) {
        list[f->count - 1].source = asset->source;
    }
    return true;
}

// Adds one of several alternative files: the first that exists, else the first.
static bool add_file(finder *f, const bspi_asset_form *form, bsp_text name, const char *side,
                     bsp_text by) {
    const char *ending = ending_of(form, name);
    if (ending != NULL) {
        name.size -= strlen(ending);
    }
    bsp_text first = build(f, form->folder, name, side, ending != NULL ? ending : form->endings[0]);
    bsp_text best = first;
    bool in_pak;
    bool found = first.data != NULL && look_up(f, first, &in_pak) != NULL;
    for (size_t e = 0; best.data != NULL && !found && form->endings[e] != NULL; e++) {
        bsp_text other = build(f, form->folder, name, side, form->endings[e]);
        found = other.data != NULL && look_up(f, other, &in_pak) != NULL;
        best = found || other.data == NULL ? other : best;
    }
    return best.data != NULL && add(f, form->kind, best, by);
}

static bool add_named(finder *f, bsp_asset_kind kind, bsp_text name, bsp_text by) {
    static const char *const sides[] = {"rt", "bk", "lf", "ft", "up", "dn"};
    const bspi_asset_form *form = bspi_asset_form_of(f->family, kind);
    name = trim(name, kind);
    if (form == NULL || name.size == 0 || name.size > 1024) {
        return true;
    }
    name = form->base ? bspi_text_last_part(name) : name;
    if (!form->sides) {
        return add_file(f, form, name, "", by);
    }
    bool done = true;
    for (int s = 0; done && s < 6; s++) {
        done = add_file(f, form, name, sides[s], by);
    }
    return done;
}

// --- entities -----------------------------------------------------------------------------------

static bool key_fits(const char *pattern, bsp_text key) {
    size_t size = strlen(pattern);
    if (size != 0 && pattern[size - 1] == '*') {
        bsp_text start = {key.data, size - 1};
        bsp_text want = {pattern, size - 1};
        return key.size >= size - 1 && (size == 1 || bspi_text_equal_nocase(start, want));
    }
    return bspi_text_equal_nocase(key, bsp_text_of(pattern));
}

// Adds the names of a value, which may be several: WADs with ';' between them, music with blanks.
static bool add_value(finder *f, const bspi_asset_key *row, bsp_text value, bsp_text by) {
    while (value.size != 0) {
        size_t size = 0;
        while (size < value.size && value.data[size] != ';' &&
               (row->kind != BSP_ASSET_MUSIC || !is_space(value.data[size]))) {
            size++;
        }
        bsp_text name = trim((bsp_text){value.data, size}, row->kind);
        bool fits = row->ending == NULL || bspi_text_ends_nocase(name, row->ending);
        if (fits && !add_named(f, row->kind, name, by)) {
            return false;
        }
        size += size < value.size ? 1 : 0;
        value.data += size;
        value.size -= size;
    }
    return true;
}

static bool add_pair(finder *f, const bsp_pair *pair, bsp_text by) {
    size_t count;
    const bspi_asset_key *keys = bspi_asset_keys(&count);
    for (size_t i = 0; i < count; i++) {
        bool fits = (keys[i].families & BSPI_IN(f->family)) != 0 && pair->value.size != 0 &&
                    pair->value.data[0] != '*' && key_fits(keys[i].key, pair->key);
        uint32_t before = f->count;
        if (fits && !add_value(f, &keys[i], pair->value, by)) {
            return false;
        }
        if (f->count != before) {
            return true; // the first row that accepts it
        }
    }
    return true;
}

static bool add_entities(finder *f) {
    const bsp_entities *all = f->map->entities;
    for (uint32_t i = 0; all != NULL && i < all->count; i++) {
        bsp_text class = bsp_entity_value(&all->list[i], "classname");
        for (uint32_t p = 0; p < all->list[i].num_pairs; p++) {
            if (!add_pair(f, &all->list[i].pairs[p], class)) {
                return false;
            }
        }
    }
    return true;
}

// --- materials and props -------------------------------------------------------------------------

static bool add_shader(finder *f, const bsp_shader *shader) {
    const char *by =
        bspi_arena_text(&f->owner->arena, shader->name, f->error); // the scripts are freed
    bool done = by != NULL;
    for (uint32_t s = 0; done && s < shader->num_stages; s++) {
        for (uint32_t i = 0; done && i < shader->stages[s].num_images; i++) {
            bsp_text image = shader->stages[s].images[i];
            bool file = image.size != 0 && image.data[0] != '$' && image.data[0] != '*';
            done = !file || add_named(f, BSP_ASSET_TEXTURE, image, bsp_text_of(by));
        }
    }
    if (done && shader->sky_box.size != 0) {
        bsp_text box = build(f, "", shader->sky_box, "_", "");
        done = box.data != NULL && add_named(f, BSP_ASSET_SKY, box, bsp_text_of(by));
    }
    return done;
}

// A material is a shader of a script, or else an image.
static bool add_shaders(finder *f, const bsp_textures *textures) {
    for (uint32_t i = 0; i < f->map->num_materials; i++) {
        const bsp_shader *shader = bsp_textures_shader(textures, i);
        bsp_text name = f->map->materials[i].name;
        bool none = bspi_text_equal_nocase(name, bsp_text_of("noshader"));
        if (none) {
            continue;
        }
        if (shader != NULL ? !add_shader(f, shader)
                           : !add_named(f, BSP_ASSET_TEXTURE, name, bsp_text_of("faces"))) {
            return false;
        }
    }
    return true;
}

static bool add_materials(finder *f) {
    if (f->ways->scripts) {
        bsp_textures *textures = bsp_textures_open(f->game, f->map, NULL, f->error);
        bool done = textures != NULL && add_shaders(f, textures);
        bsp_textures_close(textures);
        return done;
    }
    for (uint32_t i = 0; i < f->map->num_materials; i++) {
        const bsp_material *material = &f->map->materials[i];
        if (material->mips[0].size == 0 &&
            !add_named(f, f->ways->material, material->name, bsp_text_of("faces"))) {
            return false;
        }
    }
    return true;
}

static bool add_props(finder *f) {
    bool done = true;
    for (uint32_t i = 0; done && i < f->map->num_static_prop_models; i++) {
        done = add_named(f, BSP_ASSET_MODEL, f->map->static_prop_models[i],
                         bsp_text_of("static props"));
    }
    for (uint32_t i = 0; done && i < f->map->num_detail_models; i++) {
        done = add_named(f, BSP_ASSET_MODEL, f->map->detail_models[i], bsp_text_of("detail props"));
    }
    return done;
}

// --- references of files -------------------------------------------------------------------------

static bool is_rendered(bsp_text value) {
    return bspi_text_equal_nocase(value, bsp_text_of("env_cubemap")) ||
           bspi_text_begins_nocase(value, "_rt_") || bspi_text_begins_nocase(value, "[") ||
           bspi_text_begins_nocase(value, "{");
}

static bool add_parameters(finder *f, const bsp_key_values *values, bsp_text by) {
    for (uint32_t i = 0; i < values->count; i++) {
        bsp_asset_kind kind = bspi_asset_parameter_kind(values->list[i].key);
        bsp_text value = values->list[i].value;
        if (kind != BSP_NUM_ASSET_KINDS && !is_rendered(value)) {
            if (!add_named(f, kind, value, by)) {
                return false;
            }
        }
    }
    return true;
}

static bool expand_material(finder *f, const bsp_asset_use *use) {
    bsp_blob blob;
    bsp_error why = {0};
    bsp_text by = use->name;
    const bsp_search *where = use->in_pak ? f->owner->pak : f->game;
    if (!use->found || !bspi_text_ends_nocase(use->name, ".vmt")) {
        return true;
    }
    if (!bsp_search_read(where, use->name, &blob, &why)) {
        return !bspi_out_of_memory(&why, f->error);
    }
    bsp_text text = {(const char *)blob.data, blob.size};
    bsp_key_values *values = bsp_key_values_parse(text, NULL, f->error);
    bool done = values != NULL && add_parameters(f, values, by);
    bsp_key_values_free(values);
    bsp_blob_free(&blob);
    return done;
}

static bool expand_model(finder *f, const bsp_asset_use *use) {
    size_t count;
    const bspi_asset_companion *companions = bspi_asset_companions(&count);
    bsp_text by = use->name;
    bsp_text stem = {use->name.data, use->name.size - 4};
    for (size_t i = 0; i < count; i++) {
        bspi_asset_form form = {.kind = BSP_ASSET_MODEL, .folder = ""};
        memcpy(form.endings, companions[i].endings, sizeof companions[i].endings);
        if (!add_file(f, &form, stem, "", by)) {
            return false;
        }
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    const bsp_asset_use *x = a;
    const bsp_asset_use *y = b;
    size_t shared = x->name.size < y->name.size ? x->name.size : y->name.size;
    for (size_t i = 0; i < shared; i++) {
        int p = x->name.data[i] >= 'A' && x->name.data[i] <= 'Z' ? x->name.data[i] + 32
                                                                 : x->name.data[i];
        int q = y->name.data[i] >= 'A' && y->name.data[i] <= 'Z' ? y->name.data[i] + 32
                                                                 : y->name.data[i];
        if (p != q) {
            return p < q ? -1 : 1;
        }
    }
    return x->name.size < y->name.size ? -1 : x->name.size > y->name.size;
}

static int by_kind_and_name(const void *a, const void *b) {
    const bsp_asset_use *x = a;
    const bsp_asset_use *y = b;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : by_name(a, b);
}

static int in_full(const void *a, const void *b) {
    const bsp_asset_use *x = a;
    const bsp_asset_use *y = b;
    int order = by_kind_and_name(a, b);
    size_t shared = x->by.size < y->by.size ? x->by.size : y->by.size;
    order = order != 0 || shared == 0 ? order : memcmp(x->by.data, y->by.data, shared);
    return order != 0 ? order : x->by.size < y->by.size ? -1 : x->by.size > y->by.size;
}

// Removes duplicates, by kind and name.
static void unite(finder *f) {
    uint32_t kept = 0;
    if (f->count != 0) {
        qsort(f->list, f->count, sizeof *f->list, in_full);
    }
    for (uint32_t i = 0; i < f->count; i++) {
        if (kept == 0 || by_kind_and_name(&f->list[i], &f->list[kept - 1]) != 0) {
            f->list[kept++] = f->list[i];
        } else {
            f->list[kept - 1].expanded = f->list[kept - 1].expanded || f->list[i].expanded;
        }
    }
    f->count = kept;
}

// Materials refer to materials, so this repeats until nothing new is found. Each round adds files
// of the game or the pak, so there are no more rounds than files.
static bool expand(finder *f) {
    bool more = true;
    while (more) {
        unite(f);
        uint32_t count = f->count;
        more = false;
        for (uint32_t i = 0; i < count; i++) {
            bsp_asset_use use = f->list[i];
            if (use.expanded) {
                continue;
            }
            f->list[i].expanded = true;
            bool model = use.kind == BSP_ASSET_MODEL && bspi_text_ends_nocase(use.name, ".mdl");
            bool material = use.kind == BSP_ASSET_MATERIAL || use.kind == BSP_ASSET_SKY;
            if (!f->ways->named_by_files || !use.found || (!model && !material)) {
                continue;
            }
            if (!(model ? expand_model(f, &use) : expand_material(f, &use))) {
                return false;
            }
            more = true;
        }
    }
    return true;
}

// --- the embedded files -------------------------------------------------------------------------

static bool is_own(bsp_text name) {
    size_t count;
    const bspi_asset_own *own = bspi_asset_own_files(&count);
    for (size_t i = 0; i < count; i++) {
        if (bspi_text_begins_nocase(name, own[i].begin) &&
            bspi_text_ends_nocase(name, own[i].end)) {
            return true;
        }
    }
    return false;
}

static int by_name_only(const void *key, const void *element) {
    return by_name(key, element);
}

static bool find_unused(finder *f) {
    size_t count;
    const bsp_asset *files = bsp_search_list(f->owner->pak, &count);
    bsp_text *unused = bspi_arena_zero(&f->owner->arena, count, sizeof *unused, f->error);
    bsp_asset_use *names = bspi_arena_zero(&f->owner->arena, f->count, sizeof *names, f->error);
    if (unused == NULL || names == NULL) {
        return false;
    }
    if (f->count != 0) {
        memcpy(names, f->list, f->count * sizeof *names);
        qsort(names, f->count, sizeof *names, by_name);
    }
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bsp_asset_use key = {.name = files[i].name};
        bool known =
            f->count != 0 && bsearch(&key, names, f->count, sizeof key, by_name_only) != NULL;
        if (!known && !is_own(files[i].name)) {
            unused[kept++] = files[i].name;
        }
    }
    f->owner->list.unused = unused;
    f->owner->list.num_unused = kept;
    return true;
}

// --- the whole search ----------------------------------------------------------------------------

static bool run(finder *f) {
    bspi_asset_owner *owner = f->owner;
    bsp_search_options options = {.allocator = &owner->heap.allocator,
                                  .budget = owner->heap.budget};
    owner->pak = bsp_search_new(&options, f->error);
    if (owner->pak == NULL || !bsp_search_add_memory(owner->pak, "pak", f->map->pak, f->error)) {
        return false;
    }
    bool done = add_materials(f) && add_props(f) && add_entities(f) && expand(f) && find_unused(f);
    bsp_asset_use *list = bspi_arena_zero(&owner->arena, f->count, sizeof *list, f->error);
    if (list != NULL && f->count != 0) {
        memcpy(list, f->list, f->count * sizeof *list);
    }
    owner->list.list = list;
    owner->list.count = f->count;
    return done && list != NULL;
}

bsp_asset_list *bsp_assets_find(const bsp_map *map, const bsp_search *game,
                                const bsp_allocator *allocator, bsp_error *error) {
    assert(map != NULL);
    if (!bspi_map_needs(map, BSP_LOAD_ENTITIES | BSP_LOAD_SURFACES | BSP_LOAD_PROPS,
                        "a list of assets", error)) {
        return NULL;
    }
    bspi_asset_owner *owner = bspi_object_new(allocator, sizeof *owner, error);
    if (owner == NULL) {
        return NULL;
    }
    owner->list.owner = owner;
    bspi_map_heap(&owner->heap, BSP_PRODUCT_EDIT, map, NULL, allocator);
    bspi_arena_init(&owner->arena, &owner->heap);
    finder f = {.owner = owner,
                .map = map,
                .game = game,
                .family = map->branch->family,
                .ways = bspi_asset_ways_of(map->branch->family),
                .error = error};
    bool done = run(&f);
    bspi_heap_free(&owner->heap, f.list, f.room * sizeof *f.list);
    if (!done) {
        bsp_assets_free(&owner->list);
        return NULL;
    }
    return &owner->list;
}

void bsp_assets_free(bsp_asset_list *list) {
    if (list == NULL || list->owner == NULL) {
        return;
    }
    bspi_asset_owner *owner = list->owner;
    bsp_search_free(owner->pak);
    bspi_arena_free(&owner->arena);
    bspi_object_free(owner, sizeof *owner, &owner->heap.allocator);
}
