// SPDX-License-Identifier: MIT
// Builds the map of a file, step by step, and frees it.
#include "map/load.h"

#include "core/options.h"
#include "records/file.h"

#include <assert.h>
#include <string.h>

static bspi_map *new_map(const bsp_file *file, const bsp_map_options *options, bsp_error *error) {
    bspi_map *owner = bspi_object_new(options->allocator, sizeof *owner, error);
    if (owner == NULL) {
        return NULL;
    }
    owner->map.owner = owner;
    atomic_init(&owner->asked, 0);
    atomic_init(&owner->attached, NULL);
    if (options->budget == NULL || options->budget == bspi_file_budget(file)) {
        bspi_heap_init_under(&owner->heap, bspi_file_heap(file), options->allocator);
    } else {
        bspi_heap_init_for(&owner->heap, BSP_PRODUCT_FILE, bspi_file_size(file), options->budget,
                           options->allocator);
    }
    bspi_arena_init(&owner->arena, &owner->heap);
    owner->map.file_size = bspi_file_size(file);
    owner->map.budget = owner->heap.budget;
    owner->map.branch = bsp_file_get_info(file)->detection.branch;
    owner->map.traits = bsp_branch_traits(owner->map.branch);
    return owner;
}

// Sets `lost` for a lump that cannot be unpacked: it has no records, whatever its size says.
static bool find_lost(const bspi_loader *loader, uint32_t lump, bool *lost) {
    bsp_bytes data;
    *lost = false;
    if (lump == BSP_NONE || !bsp_file_lump(loader->file, lump)->compressed ||
        !bspi_is_wanted(loader, lump)) {
        return true;
    }
    bool done = bspi_lump_bytes(loader, lump, &data);
    *lost = data.data == NULL;
    return done;
}

static bool count_one(bspi_loader *loader, bsp_table_id id) {
    uint32_t lump = bsp_file_find_id(loader->file, id);
    bool lost;
    if (!find_lost(loader, lump, &lost)) {
        return false;
    }
    if (lost) {
        return true;
    }
    loader->counts.bytes[id] =
        lump == BSP_NONE ? 0 : bsp_file_lump(loader->file, lump)->unpacked_size;
    return bspi_file_count(loader->file, id, &loader->counts.records[id], loader->error);
}

static bool count_records(bspi_loader *loader) {
    for (int id = 0; id < BSP_ID_COUNT; id++) {
        if (!count_one(loader, (bsp_table_id)id)) {
            return false;
        }
    }
    bspi_counts_finish(&loader->counts);
    return true;
}

static bool load_entities(bspi_loader *loader) {
    if ((loader->load & BSP_LOAD_ENTITIES) == 0 ||
        bsp_file_find_id(loader->file, BSP_ID_ENTITIES) == BSP_NONE) {
        return true;
    }
    bsp_error local = {0};
    loader->owner->entities = bsp_file_entities(loader->file, loader->issues, &local);
    loader->map->entities = loader->owner->entities;
    if (loader->owner->entities == NULL && bspi_out_of_memory(&local, loader->error)) {
        return false;
    }
    if (loader->owner->entities == NULL && loader->strict) {
        return bsp_fail(loader->error, local.code, &local.place, "%s", local.message);
    }
    return true;
}

static bool load_all(bspi_loader *loader) {
    return count_records(loader) && bspi_load_views(loader) && load_entities(loader) &&
           bspi_load_arrays(loader) && bspi_load_materials(loader) && bspi_load_names(loader) &&
           bspi_load_boxes(loader) && bspi_load_meshes(loader) && bspi_load_surfaces(loader) &&
           bspi_load_visibility(loader) && bspi_repair_trees(loader);
}

bsp_map *bsp_map_load(const bsp_file *file, const bsp_map_options *options, bsp_error *error) {
    assert(file != NULL);
    bsp_map_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    options = &taken;
    bspi_map *owner = new_map(file, options, error);
    if (owner == NULL) {
        return NULL;
    }
    bspi_loader loader = {.owner = owner,
                          .map = &owner->map,
                          .file = file,
                          .window = {.file = file},
                          .load = (options->parts & BSP_LOAD_ALL) == 0
                                      ? options->parts | BSP_LOAD_ALL
                                      : options->parts,
                          .strict = options->strict,
                          .issues = options->issues,
                          .error = error};
    owner->map.loaded = loader.load;
    if (owner->map.branch->opaque) {
        loader.load &= BSP_LOAD_ENTITIES;
    }
    // The planes of boxes are computed, and follow those of the file.
    if ((loader.load & BSP_LOAD_BRUSHES) != 0 &&
        bsp_file_find_id(file, BSP_ID_BRUSH_BOXES) != BSP_NONE) {
        loader.load |= BSP_LOAD_TREE;
        owner->map.loaded |= BSP_LOAD_TREE;
    }
    if (!load_all(&loader)) {
        bsp_map_free(&owner->map);
        return NULL;
    }
    return &owner->map;
}

static void free_attached(bspi_attached *attached) {
    if (attached != NULL && attached->arena.heap != NULL) {
        bspi_arena arena = attached->arena; // what it frees holds it
        bspi_arena_free(&arena);
    }
}

void bsp_map_free(bsp_map *map) {
    if (map == NULL || map->owner == NULL) {
        return;
    }
    bspi_map *owner = map->owner;
    free_attached(atomic_load(&owner->attached));
    bsp_entities_free(owner->entities);
    bspi_arena_free(&owner->arena);
    bspi_object_free(owner, sizeof *owner, &owner->heap.allocator);
}
