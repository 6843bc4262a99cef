// SPDX-License-Identifier: MIT
// Map documents: what is read is complete, can be written in every dialect, and is then read again.
#include "meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)1 << 24)

typedef struct output {
    char *data;
    size_t size;
} output;

static bool to_memory(void *user, const char *data, size_t size) {
    output *out = user;
    if (out->size + size > MOST) {
        return false;
    }
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return true;
}

static void check_sides(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush) {
    FUZZ_CHECK(brush->num_sides >= 4 && brush->first_side + brush->num_sides <= s->num_sides);
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *side = &s->sides[brush->first_side + i];
        FUZZ_CHECK(side->disp == BSP_NONE || side->disp < s->num_disps);
        FUZZ_CHECK(isfinite(side->dist) && isfinite(side->normal[0]));
        FUZZ_CHECK(fabs(sqrt(side->normal[0] * side->normal[0] + side->normal[1] * side->normal[1] +
                             side->normal[2] * side->normal[2]) -
                        1) < 1e-9);
    }
}

static void check_document(const bsp_mapdoc *s) {
    uint32_t pairs = 0;
    uint32_t brushes = 0;
    uint32_t patches = 0;
    FUZZ_CHECK(s->num_entities != 0);
    for (uint32_t i = 0; i < s->num_entities; i++) {
        const bsp_mapdoc_entity *e = &s->entities[i];
        FUZZ_CHECK(e->first_pair == pairs && e->first_brush == brushes &&
                   e->first_patch == patches);
        FUZZ_CHECK(e->visgroup == BSP_NONE || e->visgroup < s->num_visgroups);
        pairs += e->num_pairs;
        brushes += e->num_brushes;
        patches += e->num_patches;
    }
    FUZZ_CHECK(pairs == s->num_pairs && brushes == s->num_brushes && patches == s->num_patches);
    for (uint32_t i = 0; i < s->num_brushes; i++) {
        FUZZ_CHECK(s->brushes[i].visgroup == BSP_NONE || s->brushes[i].visgroup < s->num_visgroups);
        check_sides(s, &s->brushes[i]);
    }
    for (uint32_t i = 0; i < s->num_patches; i++) {
        const bsp_mapdoc_patch *p = &s->patches[i];
        FUZZ_CHECK((uint64_t)p->first_control + (uint64_t)p->width * p->height <= s->num_controls);
    }
    for (uint32_t i = 0; i < s->num_disps; i++) {
        uint32_t side = 1u << s->disps[i].power;
        FUZZ_CHECK(s->disps[i].first_vert + (side + 1) * (side + 1) <= s->num_disp_verts);
        FUZZ_CHECK(s->disps[i].first_tag + 2 * side * side <= s->num_disp_tags);
    }
}

static void write_and_read(const bsp_mapdoc *s, bsp_dialect dialect,
                           const bsp_mapdoc_options *options) {
    output out = {malloc(MOST), 0};
    FUZZ_CHECK(out.data != NULL);
    bsp_mapdoc_write_options write = {.allocator = options->allocator};
    if (bsp_mapdoc_write(s, dialect, &write, to_memory, &out, NULL, NULL)) {
        bsp_error error = {0};
        bsp_mapdoc *again = bsp_mapdoc_read((bsp_text){out.data, out.size}, options, &error);
        FUZZ_CHECK(again != NULL || error.code == BSP_E_LIMIT || error.code == BSP_E_MEMORY);
        if (again != NULL) {
            FUZZ_CHECK(again->num_entities == s->num_entities);
            FUZZ_CHECK(again->num_brushes == s->num_brushes && again->num_sides == s->num_sides);
        }
        bsp_mapdoc_free(again);
    }
    free(out.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_mapdoc_options options = {.allocator = &meter.allocator,
                                  .budget = fuzz_budget(&meter, MOST)};
    bsp_mapdoc *s = bsp_mapdoc_read((bsp_text){(const char *)data, size}, &options, NULL);
    if (s != NULL) {
        check_document(s);
        bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
        bsp_mapdoc_health health;
        FUZZ_CHECK(bsp_mapdoc_check(s, &meter.allocator, issues, &health, NULL));
        FUZZ_CHECK(health.sound + health.open + health.empty + health.spare == s->num_brushes);
        bsp_issues_free(issues);
        write_and_read(s, (bsp_dialect)(size % BSP_NUM_DIALECTS), &options);
        write_and_read(s, s->dialect, &options);
    }
    bsp_mapdoc_free(s);
    fuzz_meter_end(&meter, size);
    return 0;
}
