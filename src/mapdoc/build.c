// SPDX-License-Identifier: MIT
// Lists grow by doubling; a document owns the heap that holds them.
#include "mapdoc/build.h"

#include "core/search.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

typedef struct bspi_source_owner {
    bsp_mapdoc public;
    bspi_heap heap;
    bspi_arena texts;
} owner;

#define SURE 5u // of so many parts of the sides that were expected all but one are

// The lists of a builder, the size of their elements, and the array of the document that each
// becomes.
#define LISTS(X)                                                                                   \
    X(entities, bsp_mapdoc_entity)                                                                 \
    X(pairs, bsp_mapdoc_pair)                                                                      \
    X(brushes, bsp_mapdoc_brush)                                                                   \
    X(patches, bsp_mapdoc_patch)                                                                   \
    X(sides, bsp_mapdoc_side)                                                                      \
    X(controls, bsp_mapdoc_control)                                                                \
    X(disps, bsp_mapdoc_disp)                                                                      \
    X(disp_verts, bsp_mapdoc_disp_vert)                                                            \
    X(disp_tags, uint32_t)                                                                         \
    X(visgroups, bsp_mapdoc_visgroup)                                                              \
    X(cameras, bsp_mapdoc_camera)

bool bspi_builder_begin(bspi_builder *b, bsp_product product, uint64_t bytes, bsp_budget *budget,
                        const bsp_allocator *allocator, bsp_error *error) {
    memset(b, 0, sizeof *b);
    b->error = error;
    b->owner = bspi_object_new(allocator, sizeof *b->owner, error);
    if (b->owner == NULL) {
        return false;
    }
    bspi_heap_init_for(&b->owner->heap, product, bytes, budget, allocator);
    bspi_arena_init(&b->owner->texts, &b->owner->heap);
    b->owner->public.owner = b->owner;
    b->groups.heap = &b->owner->heap;
    return true;
}

void bspi_builder_drop(bspi_builder *b) {
    bspi_heap *heap = &b->owner->heap;
#define DROP(list, type) bspi_heap_free(heap, b->list.data, b->list.room * sizeof(type));
    LISTS(DROP)
    DROP(left_out, uint32_t)
#undef DROP
    bspi_text_table_free(&b->groups);
    bspi_arena_free(&b->owner->texts);
    bspi_object_free(b->owner, sizeof *b->owner, &heap->allocator);
    memset(b, 0, sizeof *b);
}

void bsp_mapdoc_free(bsp_mapdoc *source) {
    if (source == NULL || source->owner == NULL) {
        return;
    }
    bspi_builder b = {.owner = source->owner};
    b.groups.heap = &b.owner->heap;
#define TAKE(list, type)                                                                           \
    b.list = (bspi_source_list){(void *)(uintptr_t)source->list, source->num_##list,               \
                                source->num_##list};
    LISTS(TAKE)
#undef TAKE
    bspi_builder_drop(&b);
}

bsp_text bspi_builder_text(bspi_builder *b, bsp_text text) {
    char *copy = bspi_arena_text(&b->owner->texts, text, b->error);
    return (bsp_text){copy, copy != NULL ? text.size : 0};
}

// --- adding -------------------------------------------------------------------------------------

static void *add(bspi_builder *b, bspi_source_list *list, size_t size) {
    void *data = bspi_grow(&b->owner->heap, list->data, list->count, &list->room, size, b->error);
    if (data == NULL) {
        return NULL;
    }
    list->data = data;
    return memset((char *)data + size * list->count++, 0, size);
}

static bool reserve(bspi_builder *b, bspi_source_list *list, uint32_t more, size_t size) {
    size_t room = (size_t)list->count + more;
    if (room <= list->room) {
        return true;
    }
    void *data =
        bspi_heap_resize(&b->owner->heap, list->data, list->room * size, room * size, b->error);
    if (data != NULL) {
        list->data = data;
        list->room = room;
    }
    return data != NULL;
}

bool bspi_builder_reserve(bspi_builder *b, uint32_t brushes, uint32_t sides) {
    if (!reserve(b, &b->brushes, brushes, sizeof(bsp_mapdoc_brush)) ||
        !reserve(b, &b->sides, sides, sizeof(bsp_mapdoc_side))) {
        return false;
    }
    size_t size = b->sides.room * sizeof(bsp_mapdoc_side);
    bspi_heap_spare(&b->owner->heap, b->sides.data, size, size / SURE * (SURE - 1));
    return true;
}

#define ADD(list, type) ((type *)add(b, &b->list, sizeof(type)))
#define AT(list, type, index) ((type *)b->list.data + (index))

bsp_mapdoc_entity *bspi_build_entity(bspi_builder *b) {
    bsp_mapdoc_entity *made = ADD(entities, bsp_mapdoc_entity);
    if (made != NULL) {
        made->visgroup = BSP_NONE;
    }
    return made;
}

bool bspi_build_pair(bspi_builder *b, uint32_t entity, bsp_text key, bsp_text value, bool output) {
    bsp_text own_key = bspi_builder_text(b, key);
    bsp_text own_value = bspi_builder_text(b, value);
    if (own_key.data == NULL || own_value.data == NULL) {
        return false;
    }
    bsp_mapdoc_pair *made = ADD(pairs, bsp_mapdoc_pair);
    if (made == NULL) {
        return false;
    }
    *made = (bsp_mapdoc_pair){entity, own_key, own_value, output};
    return true;
}

bsp_mapdoc_brush *bspi_build_brush(bspi_builder *b, uint32_t entity) {
    bsp_mapdoc_brush *made = ADD(brushes, bsp_mapdoc_brush);
    if (made != NULL) {
        made->entity = entity;
        made->first_side = b->sides.count;
        made->visgroup = BSP_NONE;
    }
    return made;
}

bsp_mapdoc_side *bspi_build_side(bspi_builder *b) {
    bsp_mapdoc_side *made = ADD(sides, bsp_mapdoc_side);
    if (made != NULL) {
        made->disp = BSP_NONE;
        AT(brushes, bsp_mapdoc_brush, b->brushes.count - 1)->num_sides++;
    }
    return made;
}

bsp_mapdoc_patch *bspi_build_patch(bspi_builder *b, uint32_t entity) {
    bsp_mapdoc_patch *made = ADD(patches, bsp_mapdoc_patch);
    if (made != NULL) {
        made->entity = entity;
        made->first_control = b->controls.count;
    }
    return made;
}

bsp_mapdoc_control *bspi_build_control(bspi_builder *b) {
    return ADD(controls, bsp_mapdoc_control);
}

bsp_mapdoc_disp *bspi_build_disp(bspi_builder *b) {
    bsp_mapdoc_disp *made = ADD(disps, bsp_mapdoc_disp);
    if (made != NULL) {
        made->first_vert = b->disp_verts.count;
        made->first_tag = b->disp_tags.count;
    }
    return made;
}

bsp_mapdoc_disp_vert *bspi_build_disp_vert(bspi_builder *b) {
    return ADD(disp_verts, bsp_mapdoc_disp_vert);
}

bool bspi_build_disp_tag(bspi_builder *b, uint32_t tag) {
    uint32_t *made = ADD(disp_tags, uint32_t);
    if (made != NULL) {
        *made = tag;
    }
    return made != NULL;
}

uint32_t bspi_build_visgroup(bspi_builder *b, const char *name) {
    bspi_text_slot *slot = bspi_text_slot_of(&b->groups, bsp_text_of(name), b->error);
    if (slot != NULL && slot->text.data == NULL) {
        const bsp_mapdoc_visgroup *made = bspi_build_visgroup_new(b, bsp_text_of(name));
        if (made == NULL) {
            return BSP_NONE;
        }
        *slot = (bspi_text_slot){made->name, b->visgroups.count - 1};
        b->groups.count++;
    }
    return slot != NULL ? slot->value : BSP_NONE;
}

bsp_mapdoc_visgroup *bspi_build_visgroup_new(bspi_builder *b, bsp_text name) {
    bsp_text own = bspi_builder_text(b, name);
    bsp_mapdoc_visgroup *made = own.data != NULL ? ADD(visgroups, bsp_mapdoc_visgroup) : NULL;
    if (made != NULL) {
        *made = (bsp_mapdoc_visgroup){own, {0, 180, 0}};
    }
    return made;
}

bsp_mapdoc_camera *bspi_build_camera(bspi_builder *b) {
    return ADD(cameras, bsp_mapdoc_camera);
}

bsp_mapdoc_entity *bspi_built_entity(bspi_builder *b, uint32_t index) {
    return AT(entities, bsp_mapdoc_entity, index);
}

bsp_mapdoc_brush *bspi_built_brush(bspi_builder *b, uint32_t index) {
    return AT(brushes, bsp_mapdoc_brush, index);
}

bsp_mapdoc_side *bspi_built_side(bspi_builder *b, uint32_t index) {
    return AT(sides, bsp_mapdoc_side, index);
}

bsp_mapdoc_disp *bspi_built_disp(bspi_builder *b, uint32_t index) {
    return AT(disps, bsp_mapdoc_disp, index);
}

bsp_mapdoc_disp_vert *bspi_built_disp_vert(bspi_builder *b, uint32_t index) {
    return AT(disp_verts, bsp_mapdoc_disp_vert, index);
}

// --- leaving out entities ------------------------------------------------------------------------

bool bspi_build_leave_out(bspi_builder *b, uint32_t entity) {
    uint32_t *made = ADD(left_out, uint32_t);
    if (made != NULL) {
        *made = entity;
    }
    return made != NULL;
}

// Returns how many of the entities before this one are left out.
static uint32_t left_out_before(const bspi_builder *b, uint32_t entity) {
    return (uint32_t)bspi_lower_bound(&entity, b->left_out.data, b->left_out.count, sizeof entity,
                                      bspi_compare_u32);
}

bool bspi_is_left_out(const bspi_builder *b, uint32_t entity) {
    uint32_t at = left_out_before(b, entity);
    return at < b->left_out.count && ((const uint32_t *)b->left_out.data)[at] == entity;
}

// Removes the elements of left-out entities from a list whose elements begin with their entity, and
// renumbers the entities of the others.
static void close_gaps(const bspi_builder *b, bspi_source_list *list, size_t size) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        char *from = (char *)list->data + size * i;
        uint32_t entity;
        memcpy(&entity, from, sizeof entity);
        if (!bspi_is_left_out(b, entity)) {
            entity -= left_out_before(b, entity);
            memcpy(from, &entity, sizeof entity);
            memmove((char *)list->data + size * kept++, from, size);
        }
    }
    list->count = kept;
}

static void leave_out(bspi_builder *b) {
    uint32_t kept = 0;
    if (b->left_out.count == 0) {
        return;
    }
    close_gaps(b, &b->pairs, sizeof(bsp_mapdoc_pair));
    close_gaps(b, &b->brushes, sizeof(bsp_mapdoc_brush));
    close_gaps(b, &b->patches, sizeof(bsp_mapdoc_patch));
    bsp_mapdoc_entity *entities = b->entities.data;
    for (uint32_t i = 0; i < b->entities.count; i++) {
        if (!bspi_is_left_out(b, i)) {
            entities[kept++] = entities[i];
        }
    }
    b->entities.count = kept;
    bspi_heap_free(&b->owner->heap, b->left_out.data, b->left_out.room * sizeof(uint32_t));
    memset(&b->left_out, 0, sizeof b->left_out);
}

// --- finishing ----------------------------------------------------------------------------------

// Sorts elements whose first member is their entity, stably, by counting. `starts` has a count for
// each entity and one more, and receives where the run of each begins.
static bool sort_by_entity(bspi_builder *b, bspi_source_list *list, size_t size, uint32_t *starts) {
    uint32_t entities = b->entities.count;
    uint32_t last = 0;
    bool sorted_already = true;
    memset(starts, 0, (entities + 1) * sizeof *starts);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t entity = 0;
        memcpy(&entity, (char *)list->data + size * i, sizeof entity);
        starts[entity + 1]++;
        sorted_already = sorted_already && entity >= last;
        last = entity;
    }
    for (uint32_t e = 0; e < entities; e++) {
        starts[e + 1] += starts[e];
    }
    if (sorted_already) {
        return true;
    }
    char *sorted = bspi_heap_alloc(&b->owner->heap, list->room * size, b->error);
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const char *from = (char *)list->data + size * i;
        uint32_t entity = 0;
        memcpy(&entity, from, sizeof entity);
        memcpy(sorted + size * starts[entity]++, from, size);
    }
    for (uint32_t e = entities; e > 0; e--) { // each start was moved to that of the next entity
        starts[e] = starts[e - 1];
    }
    starts[0] = 0;
    bspi_heap_free(&b->owner->heap, list->data, list->room * size);
    list->data = sorted;
    return true;
}

static bool fill_runs(bspi_builder *b, uint32_t *starts) {
    bsp_mapdoc_entity *entities = b->entities.data;
#define RUNS(list, type, first, number)                                                            \
    if (!sort_by_entity(b, &b->list, sizeof(type), starts)) {                                      \
        return false;                                                                              \
    }                                                                                              \
    for (uint32_t e = 0; e < b->entities.count; e++) {                                             \
        entities[e].first = starts[e];                                                             \
        entities[e].number = starts[e + 1] - starts[e];                                            \
    }
    RUNS(pairs, bsp_mapdoc_pair, first_pair, num_pairs)
    RUNS(brushes, bsp_mapdoc_brush, first_brush, num_brushes)
    RUNS(patches, bsp_mapdoc_patch, first_patch, num_patches)
#undef RUNS
    return true;
}

// Releases unused capacity, so that the counts of a document give its sizes.
static bool trim(bspi_builder *b, bspi_source_list *list, size_t size) {
    if (list->room == list->count) {
        return true;
    }
    bspi_heap *heap = &b->owner->heap;
    if (list->count == 0) {
        bspi_heap_free(heap, list->data, list->room * size);
        list->data = NULL;
    } else {
        void *exact =
            bspi_heap_resize(heap, list->data, list->room * size, list->count * size, b->error);
        if (exact == NULL) {
            return false;
        }
        list->data = exact;
    }
    list->room = list->count;
    return true;
}

bsp_mapdoc *bspi_builder_finish(bspi_builder *b) {
    leave_out(b);
    size_t bytes = (b->entities.count + (size_t)1) * sizeof(uint32_t);
    uint32_t *starts = bspi_heap_alloc(&b->owner->heap, bytes, b->error);
    bool done = starts != NULL && fill_runs(b, starts);
    bspi_heap_free(&b->owner->heap, starts, bytes);
    bspi_text_table_free(&b->groups);
#define TRIM(list, type) done = done && trim(b, &b->list, sizeof(type));
    LISTS(TRIM)
#undef TRIM
    if (!done) {
        bspi_builder_drop(b);
        return NULL;
    }
    bsp_mapdoc *source = &b->owner->public;
#define GIVE(list, type)                                                                           \
    source->list = b->list.data;                                                                   \
    source->num_##list = b->list.count;
    LISTS(GIVE)
#undef GIVE
    memset(b, 0, sizeof *b);
    return source;
}

bsp_text bsp_mapdoc_value(const bsp_mapdoc *source, uint32_t entity, const char *key) {
    assert(source != NULL && key != NULL);
    assert(entity < source->num_entities);
    if (entity >= source->num_entities) {
        return (bsp_text){NULL, 0};
    }
    const bsp_mapdoc_entity *e = &source->entities[entity];
    for (uint32_t i = 0; i < e->num_pairs; i++) {
        const bsp_mapdoc_pair *pair = &source->pairs[e->first_pair + i];
        if (!pair->output && bspi_text_is(pair->key, key)) {
            return pair->value;
        }
    }
    return (bsp_text){NULL, 0};
}
