// SPDX-License-Identifier: MIT
// Decompiles damaged maps of any family: it ends, within memory; every index of the document is
// valid; the written document is read again by the strict readers, with the same number of
// elements.
#include "bspkit/decompile.h"

#include "meter.h"

#include <stdlib.h>
#include <string.h>

// Part of the 64 MiB that the meter allows with the map itself.
#define ROOM ((size_t)12 << 20)
#define TEXT ((size_t)8 << 20)

typedef struct text {
    char *data;
    size_t size;
    size_t room;
} text;

static bool keep(void *user, const char *data, size_t size) {
    text *t = user;
    if (size > t->room - t->size) {
        return false;
    }
    memcpy(t->data + t->size, data, size);
    t->size += size;
    return true;
}

static bool is_run(uint32_t first, uint32_t count, uint32_t total) {
    return first <= total && count <= total - first;
}

static void check_entities(const bsp_mapdoc *s) {
    for (uint32_t i = 0; i < s->num_entities; i++) {
        const bsp_mapdoc_entity *e = &s->entities[i];
        FUZZ_CHECK(is_run(e->first_pair, e->num_pairs, s->num_pairs));
        FUZZ_CHECK(is_run(e->first_brush, e->num_brushes, s->num_brushes));
        FUZZ_CHECK(is_run(e->first_patch, e->num_patches, s->num_patches));
        FUZZ_CHECK(e->visgroup == BSP_NONE || e->visgroup < s->num_visgroups);
    }
    for (uint32_t i = 0; i < s->num_pairs; i++) {
        FUZZ_CHECK(s->pairs[i].entity < s->num_entities);
        FUZZ_CHECK(s->pairs[i].key.data != NULL && s->pairs[i].value.data != NULL);
    }
}

static void check_brushes(const bsp_mapdoc *s) {
    for (uint32_t i = 0; i < s->num_brushes; i++) {
        const bsp_mapdoc_brush *b = &s->brushes[i];
        FUZZ_CHECK(b->entity < s->num_entities);
        FUZZ_CHECK(is_run(b->first_side, b->num_sides, s->num_sides) && b->num_sides >= 4);
        FUZZ_CHECK(b->visgroup == BSP_NONE || b->visgroup < s->num_visgroups);
    }
    for (uint32_t i = 0; i < s->num_sides; i++) {
        FUZZ_CHECK(s->sides[i].disp == BSP_NONE || s->sides[i].disp < s->num_disps);
        FUZZ_CHECK(s->sides[i].material.size == 0 || s->sides[i].material.data != NULL);
    }
    for (uint32_t i = 0; i < s->num_patches; i++) {
        const bsp_mapdoc_patch *p = &s->patches[i];
        FUZZ_CHECK(p->width % 2 == 1 && p->height % 2 == 1 &&
                   (uint64_t)p->width * p->height <= UINT32_MAX);
        FUZZ_CHECK(is_run(p->first_control, p->width * p->height, s->num_controls));
    }
    for (uint32_t i = 0; i < s->num_disps; i++) {
        const bsp_mapdoc_disp *d = &s->disps[i];
        FUZZ_CHECK(d->power >= 1 && d->power <= 4);
        uint32_t side = (1u << d->power) + 1;
        FUZZ_CHECK(is_run(d->first_vert, side * side, s->num_disp_verts));
        FUZZ_CHECK(is_run(d->first_tag, 2u << (2 * d->power), s->num_disp_tags));
    }
}

// A writer leaves out what its dialect cannot express, and counts it.
static void check_written(const bsp_mapdoc *source, bsp_dialect dialect, fuzz_meter *meter,
                          text *out) {
    bsp_error error = {0};
    out->size = 0;
    bsp_mapdoc_write_options write_options = {.corners = source->num_cameras != 0,
                                              .allocator = &meter->allocator};
    bsp_mapdoc_losses losses;
    if (!bsp_mapdoc_write(source, dialect, &write_options, keep, out, &losses, &error)) {
        return; // more text than fits
    }
    bsp_mapdoc_options options = {.allocator = &meter->allocator,
                                  .budget = fuzz_budget(meter, ROOM)};
    bsp_mapdoc *again = bsp_mapdoc_read((bsp_text){out->data, out->size}, &options, &error);
    FUZZ_CHECK(again != NULL || error.code == BSP_E_LIMIT);
    if (again != NULL) {
        FUZZ_CHECK(again->num_entities == source->num_entities);
        FUZZ_CHECK(again->num_brushes == source->num_brushes);
        FUZZ_CHECK(again->num_patches + losses.patches == source->num_patches);
    }
    bsp_mapdoc_free(again);
}

// Excludes classes that begin with this letter.
static bool wanted_class(void *user, bsp_text classname) {
    return classname.size == 0 || classname.data[0] != *(const char *)user;
}

// The bits of `choice` and of `more` are options.
static void decompile(const bsp_file *file, const bsp_map *map, unsigned choice, unsigned more,
                      fuzz_meter *meter, text *out) {
    static const char letters[] = "fpei";
    bsp_error error = {0};
    bsp_decompile_report report;
    bsp_decompile_options options = {.file = (choice & 1) != 0 ? NULL : file,
                                     .world_only = (choice & 6) == 6,
                                     .no_guesses = (choice & 8) != 0,
                                     .no_merge = (choice & 16) != 0,
                                     .keep_angles = (choice & 32) != 0,
                                     .mode = (bsp_brush_mode)(more & 3),
                                     .thickness = (more & 4) != 0 ? 0.125 : 0,
                                     .nodraw_unseen = (more & 8) != 0,
                                     .cameras = (more & 8) != 0,
                                     .instances = (more & 16) != 0 ? BSP_INSTANCES_ALL
                                                                   : BSP_INSTANCES_UNNAMED,
                                     .wanted_class = (more & 32) != 0 ? wanted_class : NULL,
                                     .user = (void *)(uintptr_t)&letters[more >> 6],
                                     .allocator = &meter->allocator,
                                     .budget = fuzz_budget(meter, ROOM)};
    bsp_mapdoc *source = bsp_decompile(map, &options, &report, &error);
    FUZZ_CHECK(source != NULL || error.code == BSP_E_LIMIT || error.code == BSP_E_UNSUPPORTED);
    if (source == NULL) {
        return;
    }
    FUZZ_CHECK(source->num_entities != 0);
    check_entities(source);
    check_brushes(source);
    check_written(source, map->traits->dialect, meter, out);
    bsp_mapdoc_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    text out = {malloc(TEXT), 0, TEXT};
    FUZZ_CHECK(out.data != NULL);
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_open_options options = {.allocator = &meter.allocator};
    bsp_file *file = bsp_file_open_memory(bytes, &options, NULL);
    if (file != NULL) {
        bsp_map_options map_options = {.allocator = &meter.allocator,
                                       .budget = fuzz_budget(&meter, ROOM)};
        bsp_map *map = bsp_map_load(file, &map_options, NULL);
        if (map != NULL) {
            unsigned more = size != 0 ? data[size / 3] : 0;
            decompile(file, map, size != 0 ? data[size / 2] : 0, more, &meter, &out);
        }
        bsp_map_free(map);
    }
    bsp_file_close(file);
    fuzz_meter_end(&meter, size);
    free(out.data);
    return 0;
}
