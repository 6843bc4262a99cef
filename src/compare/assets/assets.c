// SPDX-License-Identifier: MIT
// The list of the files that a map needs: what the map names, then what each of these files names,
// until nothing new is found.
#include "compare/assets/finder.h"

#include "core/options.h"
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
    bsp_textures *textures;
} bspi_asset_owner;

// --- references of files -------------------------------------------------------------------------

static bool add_companions(bspi_finder *f, const bsp_asset_use *use) {
    size_t count;
    const bspi_asset_companion *rows = bspi_asset_companions(&count);
    for (size_t i = 0; i < count; i++) {
        bsp_text stem = use->name;
        if ((rows[i].families & BSPI_IN(f->family)) != 0 && bspi_text_cut_end(&stem, rows[i].of) &&
            !bspi_finder_add_beside(f, &rows[i], stem, use->name)) {
            return false;
        }
    }
    return true;
}

static bool expand_one(bspi_finder *f, bspi_found_asset asset) {
    bsp_blob blob;
    if (!add_companions(f, &asset.use)) {
        return false;
    }
    if (asset.role == BSPI_ROLE_NONE) {
        return true;
    }
    bsp_bytes bytes = {NULL, 0};
    bool done = bspi_finder_read(f, &asset.use, &blob);
    if (done && blob.size != 0) {
        bytes = (bsp_bytes){blob.data, blob.size};
        done = asset.role == BSPI_ROLE_MODEL
                   ? bspi_finder_read_model(f, &asset.use, bytes)
                   : bspi_finder_read_text(f, asset.role, bytes, asset.use.name);
    }
    bsp_blob_free(&blob);
    return done;
}

// Each file is read once; what it names comes after it in the list.
static bool expand(bspi_finder *f) {
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->list[i].use.found && !expand_one(f, f->list[i])) {
            return false;
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

static bool find_unused(const bspi_finder *f, bsp_asset_list *to) {
    size_t count;
    const bsp_asset *files = bsp_search_list(f->pak, &count);
    bsp_text *unused = bspi_arena_zero(f->arena, count, sizeof *unused, f->error);
    bool *used = bspi_arena_zero(f->arena, count, sizeof *used, f->error);
    if (unused == NULL || used == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        const bsp_asset *file = bsp_search_find(f->pak, f->list[i].use.name);
        if (file != NULL) {
            used[file - files] = true;
        }
    }
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!used[i] && !is_own(files[i].name)) {
            unused[kept++] = files[i].name;
        }
    }
    to->unused = unused;
    to->num_unused = kept;
    return true;
}

// --- the whole search ----------------------------------------------------------------------------

static int by_kind_and_name(const void *a, const void *b) {
    const bsp_asset_use *x = a;
    const bsp_asset_use *y = b;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind
                              : bspi_text_compare_nocase(x->name, y->name);
}

static bool give(const bspi_finder *f, bsp_asset_list *to) {
    bsp_asset_use *list = bspi_arena_zero(f->arena, f->count, sizeof *list, f->error);
    if (list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        list[i] = f->list[i].use;
    }
    if (f->count != 0) {
        qsort(list, f->count, sizeof *list, by_kind_and_name);
    }
    to->list = list;
    to->count = f->count;
    return find_unused(f, to);
}

static bool run(bspi_finder *f, bspi_asset_owner *owner, bsp_text map_name) {
    bsp_search_options options = {.allocator = &owner->heap.allocator,
                                  .budget = owner->heap.budget};
    owner->pak = bsp_search_new(&options, f->error);
    f->pak = owner->pak;
    if (owner->pak == NULL || !bsp_search_add_memory(owner->pak, "pak", f->map->pak, f->error)) {
        return false;
    }
    if (f->ways->scripts) {
        const bsp_textures_options how = {.allocator = &owner->heap.allocator};
        owner->textures = bsp_textures_open(f->game, f->map, &how, f->error);
        f->textures = owner->textures;
        if (owner->textures == NULL) {
            return false;
        }
    }
    return bspi_finder_add_map(f, map_name) &&
           (!f->ways->named_by_files || bspi_finder_add_defined(f)) && expand(f) &&
           give(f, &owner->list);
}

bsp_asset_list *bsp_assets_find(const bsp_map *map, const bsp_search *game,
                                const bsp_assets_options *options, bsp_error *error) {
    assert(map != NULL);
    bsp_assets_options o;
    if (!BSPI_TAKE_OPTIONS(o, options, error) ||
        !bspi_map_needs(map, BSP_LOAD_ENTITIES | BSP_LOAD_SURFACES | BSP_LOAD_PROPS,
                        "a list of assets", error)) {
        return NULL;
    }
    bspi_asset_owner *owner = bspi_object_new(o.allocator, sizeof *owner, error);
    if (owner == NULL) {
        return NULL;
    }
    owner->list.owner = owner;
    bspi_map_heap(&owner->heap, BSP_PRODUCT_EDIT, map, NULL, o.allocator);
    bspi_arena_init(&owner->arena, &owner->heap);
    bspi_finder f = {.heap = &owner->heap,
                     .arena = &owner->arena,
                     .map = map,
                     .game = game,
                     .base = o.base,
                     .family = map->branch->family,
                     .ways = bspi_asset_ways_of(map->branch->family),
                     .error = error};
    bool done = run(&f, owner, o.map_name);
    bspi_finder_free(&f);
    bsp_textures_close(owner->textures);
    owner->textures = NULL;
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
