// SPDX-License-Identifier: MIT
// Reads .vmf by a walk over its KeyValues. Unknown blocks are skipped; those called "hidden" are
// read, since the editor stores invisible objects in them. Format: sheet outputs, section 2.
#include "core/search.h"
#include "core/text.h"
#include "mapdoc/read.h"
#include "mapdoc/texdef.h"

#include <stdlib.h>
#include <string.h>

// The number of a visgroup in the file.
typedef struct group {
    uint32_t id;
    uint32_t index;
} group;

typedef struct vmf_reader {
    bspi_map_reader *r;
    const bsp_key_values *values;
    bspi_heap *heap;
    group *groups; // sorted by id
    size_t num_groups;
    size_t room_groups;
} vmf_reader;

static bool wrong(const vmf_reader *v, uint32_t at, const char *what) {
    const bsp_key_value *pair = &v->values->list[at];
    bsp_text found = pair->value;
    return bspi_read_fail(v->r, pair->line, UINT64_MAX, "%.*s '%.*s' is not %s",
                          (int)(pair->key.size < 40 ? pair->key.size : 40), pair->key.data,
                          (int)(found.size < 60 ? found.size : 60),
                          found.size == 0 ? "" : found.data, what);
}

// Loops over the pairs and blocks directly inside a block (BSP_NONE: outermost).
#define FOR_EACH_CHILD(v, i, block)                                                                \
    for (uint32_t i = (block) == BSP_NONE ? 0 : (block) + 1,                                       \
                  i##_end = (block) == BSP_NONE ? (v)->values->count                               \
                                                : (v)->values->list[block].end;                    \
         i < i##_end; i = (v)->values->list[i].end)

static bool is_block(const vmf_reader *v, uint32_t at, const char *name) {
    return v->values->list[at].block && bspi_text_is(v->values->list[at].key, name);
}

static bool is_pair(const vmf_reader *v, uint32_t at, const char *key) {
    return !v->values->list[at].block && bspi_text_is(v->values->list[at].key, key);
}

static bool read_id(const vmf_reader *v, uint32_t at, uint32_t *id) {
    return bspi_read_bits(v->values->list[at].value, id) || wrong(v, at, "an integer of 32 bits");
}

static bool read_double(const vmf_reader *v, uint32_t at, double *value) {
    return bspi_read_double(v->values->list[at].value, value) || wrong(v, at, "a number");
}

// --- visgroups ----------------------------------------------------------------------------------

static bool read_color(const vmf_reader *v, uint32_t at, uint8_t color[3]) {
    double numbers[3];
    if (!bspi_read_numbers(v->values->list[at].value, numbers, 3)) {
        return wrong(v, at, "three numbers");
    }
    for (int i = 0; i < 3; i++) {
        color[i] = (uint8_t)(numbers[i] < 0 ? 0 : numbers[i] > 255 ? 255 : numbers[i]);
    }
    return true;
}

static bool read_visgroup(vmf_reader *v, uint32_t block) {
    bspi_builder *b = &v->r->out;
    bsp_text name = bsp_key_values_get(v->values, block, "name");
    bsp_mapdoc_visgroup *made = bspi_build_visgroup_new(b, name);
    group *groups = made == NULL ? NULL
                                 : bspi_grow(v->heap, v->groups, v->num_groups, &v->room_groups,
                                             sizeof *groups, v->r->error);
    if (groups == NULL) {
        return false;
    }
    v->groups = groups;
    group *to = &groups[v->num_groups++];
    *to = (group){0, b->visgroups.count - 1};
    FOR_EACH_CHILD(v, i, block) {
        if ((is_pair(v, i, "visgroupid") && !read_id(v, i, &to->id)) ||
            (is_pair(v, i, "color") && !read_color(v, i, made->color))) {
            return false;
        }
    }
    return true;
}

// Reads visgroups, which may be nested, in one pass over all blocks inside.
static bool read_visgroups(vmf_reader *v, uint32_t block) {
    for (uint32_t i = block + 1; i < v->values->list[block].end; i++) {
        if (is_block(v, i, "visgroup") && !read_visgroup(v, i)) {
            return false;
        }
    }
    return true;
}

static int compare_groups(const void *a, const void *b) {
    const group *x = a;
    const group *y = b;
    return x->id != y->id ? (x->id < y->id ? -1 : 1)
                          : (x->index > y->index) - (x->index < y->index);
}

static uint32_t find_group(const vmf_reader *v, uint32_t id) {
    const group first = {.id = id};
    size_t at = bspi_lower_bound(&first, v->groups, v->num_groups, sizeof first, compare_groups);
    return at < v->num_groups && v->groups[at].id == id ? v->groups[at].index : BSP_NONE;
}

// Gives the first existing visgroup of an object.
static bool read_editor(const vmf_reader *v, uint32_t block, uint32_t *visgroup) {
    FOR_EACH_CHILD(v, i, block) {
        uint32_t id;
        if (is_pair(v, i, "visgroupid") && *visgroup == BSP_NONE) {
            if (!read_id(v, i, &id)) {
                return false;
            }
            *visgroup = find_group(v, id);
        }
    }
    return true;
}

// --- solids -------------------------------------------------------------------------------------

static bool read_axis(const vmf_reader *v, uint32_t at, bspi_axes *axes, int i) {
    double numbers[5];
    if (!bspi_read_numbers(v->values->list[at].value, numbers, 5)) {
        return wrong(v, at, "an axis: [x y z offset] scale");
    }
    memcpy(axes->axis[i], numbers, sizeof axes->axis[i]);
    axes->offset[i] = numbers[3];
    axes->scale[i] = numbers[4];
    return true;
}

static bool read_side_pair(const vmf_reader *v, uint32_t at, bsp_mapdoc_side *side,
                           bspi_axes *axes) {
    bsp_text value = v->values->list[at].value;
    if (is_pair(v, at, "plane")) {
        double numbers[9];
        if (!bspi_read_numbers(value, numbers, 9)) {
            return wrong(v, at, "three points");
        }
        memcpy(side->points, numbers, sizeof side->points);
        return true;
    }
    if (is_pair(v, at, "material")) {
        return bspi_read_material(v->r, side, value);
    }
    if (is_pair(v, at, "uaxis") || is_pair(v, at, "vaxis")) {
        return read_axis(v, at, axes, is_pair(v, at, "vaxis"));
    }
    if (is_pair(v, at, "id")) {
        return read_id(v, at, &side->id);
    }
    if (is_pair(v, at, "rotation")) {
        return read_double(v, at, &side->rotation);
    }
    if (is_pair(v, at, "lightmapscale")) {
        return read_double(v, at, &side->lightmap_scale);
    }
    return !is_pair(v, at, "smoothing_groups") || read_id(v, at, &side->smoothing);
}

static bool read_side(vmf_reader *v, uint32_t block) {
    bsp_mapdoc_side *side = bspi_build_side(&v->r->out);
    bspi_axes axes = {.scale = {0}};
    if (side == NULL) {
        return false;
    }
    FOR_EACH_CHILD(v, i, block) {
        bool done = is_block(v, i, "dispinfo") ? bspi_read_disp(v->r, v->values, i, &side->disp)
                                               : read_side_pair(v, i, side, &axes);
        if (!done) {
            return false;
        }
    }
    bspi_axes_to_vec(&axes, side->vec);
    return bspi_read_plane(v->r, side, v->values->list[block].line);
}

static bool read_solid(vmf_reader *v, uint32_t entity, uint32_t block) {
    bsp_mapdoc_brush *brush = bspi_build_brush(&v->r->out, entity);
    if (brush == NULL) {
        return false;
    }
    FOR_EACH_CHILD(v, i, block) {
        if ((is_pair(v, i, "id") && !read_id(v, i, &brush->id)) ||
            (is_block(v, i, "side") && !read_side(v, i)) ||
            (is_block(v, i, "editor") && !read_editor(v, i, &brush->visgroup))) {
            return false;
        }
    }
    return bspi_read_brush_end(v->r, v->values->list[block].line);
}

// --- entities -----------------------------------------------------------------------------------

static bool read_pairs(vmf_reader *v, uint32_t entity, uint32_t block) {
    FOR_EACH_CHILD(v, i, block) {
        const bsp_key_value *pair = &v->values->list[i];
        if (!pair->block && !bspi_build_pair(&v->r->out, entity, pair->key, pair->value, true)) {
            return false;
        }
    }
    return true;
}

static bool read_entity_part(vmf_reader *v, uint32_t entity, uint32_t at) {
    const bsp_key_value *pair = &v->values->list[at];
    bsp_mapdoc_entity *made = bspi_built_entity(&v->r->out, entity);
    if (is_pair(v, at, "id")) {
        return read_id(v, at, &made->id);
    }
    if (!pair->block) {
        return bspi_build_pair(&v->r->out, entity, pair->key, pair->value, false);
    }
    if (is_block(v, at, "connections")) {
        return read_pairs(v, entity, at);
    }
    if (is_block(v, at, "editor")) {
        return read_editor(v, at, &made->visgroup);
    }
    if (is_block(v, at, "solid")) {
        return read_solid(v, entity, at);
    }
    if (is_block(v, at, "hidden")) { // holds solids only, each in its own block
        FOR_EACH_CHILD(v, i, at) {
            if (is_block(v, i, "solid") && !read_solid(v, entity, i)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_entity(vmf_reader *v, uint32_t block, bool world) {
    uint32_t entity = v->r->out.entities.count;
    if (world != (entity == 0)) {
        return bspi_read_fail(v->r, v->values->list[block].line, UINT64_MAX,
                              world ? "a second world" : "an entity before the world");
    }
    if (bspi_build_entity(&v->r->out) == NULL) {
        return false;
    }
    FOR_EACH_CHILD(v, i, block) {
        if (!read_entity_part(v, entity, i)) {
            return false;
        }
    }
    if (!bspi_text_is(bsp_key_values_get(v->values, block, "classname"), "worldspawn") && world) {
        return bspi_read_fail(v->r, v->values->list[block].line, UINT64_MAX,
                              "the world's classname is not worldspawn");
    }
    return true;
}

// Reads "[x y z]".
static bool read_place(const vmf_reader *v, uint32_t at, double out[3]) {
    bsp_text value = v->values->list[at].value;
    bool brackets = value.size > 2 && value.data[0] == '[' && value.data[value.size - 1] == ']';
    bsp_text inner = brackets ? (bsp_text){value.data + 1, value.size - 2} : value;
    return bspi_read_numbers(inner, out, 3) || wrong(v, at, "a place");
}

static bool read_camera(vmf_reader *v, uint32_t block) {
    bsp_mapdoc_camera *made = bspi_build_camera(&v->r->out);
    if (made == NULL) {
        return false;
    }
    FOR_EACH_CHILD(v, i, block) {
        if ((is_pair(v, i, "position") && !read_place(v, i, made->position)) ||
            (is_pair(v, i, "look") && !read_place(v, i, made->look))) {
            return false;
        }
    }
    return true;
}

static bool read_cameras(vmf_reader *v, uint32_t block) {
    FOR_EACH_CHILD(v, i, block) {
        if (is_block(v, i, "camera") && !read_camera(v, i)) {
            return false;
        }
    }
    return true;
}

static bool read_top(vmf_reader *v) {
    FOR_EACH_CHILD(v, i, BSP_NONE) {
        if (is_block(v, i, "visgroups") && !read_visgroups(v, i)) {
            return false;
        }
    }
    if (v->num_groups != 0) {
        qsort(v->groups, v->num_groups, sizeof *v->groups, compare_groups);
    }
    FOR_EACH_CHILD(v, i, BSP_NONE) {
        bool world = is_block(v, i, "world");
        if (is_block(v, i, "cameras") && !read_cameras(v, i)) {
            return false;
        }
        if ((world || is_block(v, i, "entity")) && !read_entity(v, i, world)) {
            return false;
        }
        if (is_block(v, i, "hidden")) {
            FOR_EACH_CHILD(v, k, i) {
                if (is_block(v, k, "entity") && !read_entity(v, k, false)) {
                    return false;
                }
            }
        }
    }
    return v->r->out.entities.count != 0 || bspi_read_fail(v->r, 1, 0, "there is no world");
}

// The reader of KeyValues accepts damage; here its issues are errors.
static bool is_sound(const bspi_map_reader *r, const bsp_issues *issues) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    return count == 0 ||
           bspi_read_fail(r, list->place.record, list->place.offset, "%s", list->text);
}

bool bspi_read_vmf(bspi_map_reader *r, bsp_dialect *dialect) {
    *dialect = BSP_DIALECT_VMF;
    bsp_issues *issues = bsp_issues_new(r->allocator, 1);
    if (issues == NULL) {
        return bsp_fail(r->error, BSP_E_MEMORY, NULL, "no memory for a list of issues");
    }
    bsp_text_options options = {.allocator = r->allocator, .budget = r->budget, .issues = issues};
    bsp_key_values *values = bsp_key_values_parse(r->text, &options, r->error);
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_DOCUMENT, r->text.size, r->budget, r->allocator);
    vmf_reader v = {.r = r, .values = values, .heap = &heap};
    bool done = values != NULL && is_sound(r, issues) && read_top(&v);
    bspi_heap_free(&heap, v.groups, v.room_groups * sizeof *v.groups);
    bsp_key_values_free(values);
    bsp_issues_free(issues);
    return done;
}
