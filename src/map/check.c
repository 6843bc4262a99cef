// SPDX-License-Identifier: MIT
// The check of a whole file: first its records, then what only the map can tell.
#include "map/check.h"

#include "map/entity.h"
#include "records/file.h"

#include <assert.h>

static void check_entities(bspi_map_check *check) {
    const bsp_entities *entities = check->map->entities;
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        int64_t number;
        bsp_text model = bsp_entity_value(&entities->list[i], "model");
        if (bspi_brush_model_number(model, &number) &&
            (number < 0 || number >= check->map->num_models)) {
            bsp_place place = bspi_map_place(check, BSP_ID_ENTITIES, i, "model");
            bspi_issue(check->issues, BSPI_ISSUE_ENTITY_MODEL, place,
                       "%.*s, but there are %u models", (int)(model.size < 64 ? model.size : 64),
                       model.data, check->map->num_models);
        }
    }
}

// Bad references were reported with the records; of what loading repairs, only these kinds are new.
static const int news[] = {BSPI_ISSUE_TREE_SHAPE, BSPI_ISSUE_MESH_RANGE, BSPI_ISSUE_BRUSH_RANGE,
                           BSPI_ISSUE_BRUSH_UNUSED};

static void forward_news(bspi_map_check *check, const bsp_issues *repaired) {
    size_t count;
    size_t num_kinds;
    const bsp_issue *list = bsp_issues_list(repaired, &count);
    const bsp_issue_kind *kinds = bsp_issue_kinds(&num_kinds);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof news / sizeof *news; k++) {
            if (list[i].kind == &kinds[news[k]]) {
                bspi_issue(check->issues, news[k], list[i].place, "%s", list[i].text);
            }
        }
    }
}

// The parts that the checks below read; of light they read only the sizes.
#define CHECKED_PARTS (BSP_LOAD_ENTITIES | BSP_LOAD_TREE | BSP_LOAD_SURFACES | BSP_LOAD_BRUSHES)

static uint32_t parts_of(const bsp_file *file) {
    uint32_t n = bsp_file_find_id(file, BSP_ID_CUBEMAPS);
    bool any = n != BSP_NONE && bsp_file_lump(file, n)->size != 0;
    return CHECKED_PARTS | (any ? (uint32_t)BSP_LOAD_PROPS : 0);
}

static bool check_cubemaps(bspi_map_check *check) {
    bsp_cubemap_counts counts;
    if (check->map->num_cubemaps == 0) { // and its props are perhaps not loaded
        return true;
    }
    if (!bsp_cubemaps_find(check->file, check->map, NULL, &counts, &check->heap->allocator,
                           check->error)) {
        return false;
    }
    if (counts.missing + counts.undrawn != 0) {
        bsp_place place = bspi_map_place(check, BSP_ID_CUBEMAPS, BSP_NONE, NULL);
        bspi_issue(check->issues, BSPI_ISSUE_CUBEMAP_UNDRAWN, place,
                   "of %u cubemaps %u have no picture, and %u that of the compiler",
                   (unsigned)counts.count, (unsigned)counts.missing, (unsigned)counts.undrawn);
    }
    return true;
}

static bool find_light(bspi_map_check *check) {
    uint32_t n = bsp_file_find_id(check->file, BSP_ID_LIGHTING);
    bsp_error why = {0};
    check->light = (bsp_bytes){NULL, 0};
    if (n == BSP_NONE || bsp_file_data(check->file, n, &check->light, &why)) {
        return true;
    }
    check->light.size = 0;
    return !bspi_out_of_memory(&why, check->error);
}

static bool check_map(bspi_map_check *check) {
    bsp_issues *repaired = bsp_issues_new(&check->heap->allocator, 0);
    if (repaired == NULL) {
        return bsp_fail(check->error, BSP_E_MEMORY, NULL, "no memory for a list of issues");
    }
    bsp_map_options options = {
        .parts = parts_of(check->file), .allocator = &check->heap->allocator, .issues = repaired};
    bsp_map *map = bsp_map_load(check->file, &options, check->error);
    bool done = map != NULL;
    check->map = map;
    done = done && find_light(check);
    if (done) {
        forward_news(check, repaired);
        check_entities(check);
        done = bspi_check_surfaces(check) && bspi_check_tree(check) &&
               bspi_check_visibility(check) && check_cubemaps(check);
    }
    bsp_map_free(map);
    bsp_issues_free(repaired);
    return done;
}

// --- the entity text ----------------------------------------------------------------------------

#define SHOWN_KEY 48u // characters of a key in a message

static void report_long(bsp_issues *issues, int kind, const bsp_entities *entities, uint32_t number,
                        const bsp_pair *pair, uint32_t allowed) {
    bool key = kind == BSPI_ISSUE_ENTITY_KEY_LONG;
    bsp_text text = key ? pair->key : pair->value;
    bsp_place place = bsp_place_at("ENTITIES", number, NULL, entities->list[number].offset);
    bspi_issue(issues, kind, place, "%s \"%.*s\" has %zu characters, and %u %s",
               key ? "the key" : "the value of",
               (int)(pair->key.size < SHOWN_KEY ? pair->key.size : SHOWN_KEY), pair->key.data,
               text.size, allowed, kind == BSPI_ISSUE_ENTITY_CUT ? "are kept" : "are allowed");
}

static void check_pair(const bsp_traits *traits, bsp_issues *issues, const bsp_entities *entities,
                       uint32_t number, const bsp_pair *pair) {
    if (traits->max_key != 0 && pair->key.size > traits->max_key) {
        report_long(issues, BSPI_ISSUE_ENTITY_KEY_LONG, entities, number, pair, traits->max_key);
    }
    if (traits->max_value != 0 && pair->value.size > traits->max_value) {
        report_long(issues, BSPI_ISSUE_ENTITY_VALUE_LONG, entities, number, pair,
                    traits->max_value);
    } else if (traits->max_token != 0 && pair->value.size > traits->max_token) {
        report_long(issues, BSPI_ISSUE_ENTITY_CUT, entities, number, pair, traits->max_token);
    }
}

static void check_lengths(const bsp_file *file, bsp_issues *issues, const bsp_entities *entities) {
    const bsp_branch *branch = file->info.detection.branch;
    const bsp_traits *traits = bsp_branch_traits(branch);
    uint32_t max = bsp_game_max_entities(bsp_file_game(file), branch);
    for (uint32_t i = 0; i < entities->count; i++) {
        for (uint32_t p = 0; p < entities->list[i].num_pairs; p++) {
            check_pair(traits, issues, entities, i, &entities->list[i].pairs[p]);
        }
    }
    if (max != 0 && entities->count > max) {
        bspi_issue(issues, BSPI_ISSUE_LIMIT, bsp_place_at("ENTITIES", BSP_NONE, NULL, UINT64_MAX),
                   "%u entities, and %u allowed", entities->count, max);
    }
}

// Reports what is wrong with the entity text. A packed one that cannot be unpacked was reported
// with the records.
static bool check_text(const bsp_file *file, bsp_issues *issues, bsp_error *error) {
    bsp_error local = {0};
    bsp_entities *entities = bsp_file_entities(file, issues, &local);
    if (entities == NULL && bspi_out_of_memory(&local, error)) {
        return false;
    }
    if (entities != NULL) {
        check_lengths(file, issues, entities);
    }
    bsp_entities_free(entities);
    return true;
}

bool bsp_check(const bsp_file *file, bsp_issues *issues, bsp_error *error) {
    assert(file != NULL);
    bspi_heap heap;
    bspi_heap_init_under(&heap, bspi_file_heap(file), &file->heap.allocator);
    if (bsp_file_get_info(file)->detection.branch->opaque) {
        return check_text(file, issues, error) && bsp_check_records(file, issues, error);
    }
    bspi_map_check check = {.file = file, .issues = issues, .heap = &heap, .error = error};
    return check_text(file, issues, error) && bsp_check_records(file, issues, error) &&
           check_map(&check);
}
