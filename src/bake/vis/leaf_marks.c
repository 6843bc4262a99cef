// SPDX-License-Identifier: MIT
// What leaves state of what they see: in Source whether that is the sky
// (BuildVisForLightEnvironment of vrad's lightmap.cpp) and whether a distance hides the rest
// (MarkLeavesAsRadial of vvis.cpp), in Quake how loud its liquids and skies are (soundpvs.cc of
// ericw-tools, as id's vis). Facts: sheet bake, 2.4.
#include "bake/vis/leaf_marks.h"

#include "bspkit/faces.h"
#include "core/bits.h"
#include "formats/leaf_sounds.h"
#include "formats/source_flags.h"
#include "map/heap.h"
#include "map/needs.h"
#include "query/masks.h"
#include "query/open_sky.h"

#include <assert.h>
#include <string.h>

#define SKY_RAYS 162u // directions in which a leaf looks for the sky beyond a distance

typedef struct marks {
    bsp_vis_leaves leaves;
    bspi_heap heap;
    bspi_arena arena;
    const bsp_vis *vis;
    const bsp_map *map;
    const uint32_t *clusters; // of leaves
    uint8_t *own;             // bits of what stands in each leaf
    uint8_t *held;            // and in each cluster
    uint8_t *seen;            // and of what each cluster sees
    uint8_t loose;            // in leaves without a cluster, which all leaves may see
    uint32_t *flags;
    uint8_t (*sounds)[4];
    bsp_trace_index *index; // where a distance hides something
} marks;

// --- what stands in a leaf ----------------------------------------------------------------------

static uint8_t bits_of(const bsp_map *map, uint32_t face) {
    if (map->traits->vis.sounds) {
        uint32_t material = bsp_surface_material(map, face);
        return material < map->num_materials ? bspi_sound_of(map->materials[material].name) : 0;
    }
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t flags = texinfo < map->num_texinfos ? map->texinfos[texinfo].flags : 0;
    return (flags & BSPI_SURF_SKY) == 0      ? 0
           : (flags & BSPI_SURF_SKY_2D) != 0 ? BSPI_LEAF_SKY_2D
                                             : BSPI_LEAF_SKY;
}

// Of the skies in a leaf the first one counts.
static uint8_t look_into(const bsp_map *map, const bsp_leaf *leaf) {
    uint8_t bits = 0;
    for (uint32_t i = 0; i < leaf->num_faces; i++) {
        uint32_t at = leaf->first_face + i;
        uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
        if (face < map->num_faces && (map->traits->vis.sounds || bits == 0)) {
            bits |= bits_of(map, face);
        }
    }
    return bits;
}

// The rows of Quake are of the first leaves alone; the others belong to models.
static bool is_of_rows(const marks *m, uint32_t leaf) {
    const bsp_map *map = m->map;
    return !map->traits->vis.leaves ||
           (leaf > 0 && map->num_models > 0 && leaf <= map->models[0].vis_leaves);
}

static bool look_into_leaves(marks *m, bsp_error *error) {
    for (uint32_t i = 0; i < m->map->num_leaves; i++) {
        const bsp_leaf *leaf = &m->map->leaves[i];
        uint32_t cluster = m->clusters[i];
        if (!bspi_heap_work(&m->heap, 1 + leaf->num_faces, error)) {
            return false;
        }
        m->own[i] = is_of_rows(m, i) ? look_into(m->map, leaf) : 0;
        if (cluster < m->vis->num_clusters) {
            m->held[cluster] |= m->own[i];
        } else {
            m->loose |= m->own[i];
        }
    }
    return true;
}

static bool look_around(marks *m, bsp_error *error) {
    uint32_t count = m->vis->num_clusters;
    for (uint32_t to = 0; to < count; to++) {
        for (uint32_t from = 0; m->held[to] != 0 && from < count; from++) {
            const uint8_t *row = m->vis->rows + (size_t)from * m->vis->row_bytes;
            if (bspi_bit_is(row, to)) {
                m->seen[from] |= m->held[to];
            }
        }
        if (!bspi_heap_work(&m->heap, 1 + (m->held[to] != 0 ? count / 8 : 0), error)) {
            return false;
        }
    }
    return true;
}

// --- what a leaf states -------------------------------------------------------------------------

static uint8_t seen_from(const marks *m, uint32_t leaf) {
    uint32_t cluster = m->clusters[leaf];
    uint8_t all = m->loose;
    for (uint32_t i = 0; cluster >= m->vis->num_clusters && i < m->vis->num_clusters; i++) {
        all |= m->held[i];
    }
    return cluster < m->vis->num_clusters ? m->seen[cluster] | all : all;
}

// Beyond a distance rows do not tell: lines from the middle of the leaf do.
static bool sees_sky(const marks *m, const bsp_leaf *leaf) {
    float middle[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = (leaf->mins[i] + leaf->maxs[i]) / 2;
    }
    for (uint32_t i = 0; i < SKY_RAYS; i++) {
        float direction[3];
        float at[3];
        bspi_dome_direction(i, SKY_RAYS, -1, direction);
        if (bspi_sees_sky(m->index, BSPI_OPAQUE, middle, direction, at)) {
            return true;
        }
    }
    return false;
}

static uint32_t flags_of(const marks *m, uint32_t number) {
    const bsp_leaf *leaf = &m->map->leaves[number];
    uint32_t flags = leaf->flags & ~(uint32_t)(BSPI_LEAF_SKY | BSPI_LEAF_RADIAL | BSPI_LEAF_SKY_2D);
    uint32_t own = m->own[number];
    flags |= m->vis->distance > 0 ? BSPI_LEAF_RADIAL : 0;
    if (own == BSPI_LEAF_SKY || ((uint32_t)leaf->contents & BSPI_SOLID_MASK) != 0) {
        return flags | own;
    }
    uint32_t seen = seen_from(m, number);
    if ((seen & BSPI_LEAF_SKY) != 0) {
        return flags | BSPI_LEAF_SKY;
    }
    flags |= own | seen;
    return m->index != NULL && sees_sky(m, leaf) ? flags | BSPI_LEAF_SKY : flags;
}

// A kind that is seen at all is as loud as can be: the compilers compute how far it is, and do not
// use it.
static void set_sounds(const marks *m, uint32_t number, uint8_t out[4]) {
    bool stated = is_of_rows(m, number) && m->clusters[number] < m->vis->num_clusters;
    uint8_t seen = stated ? m->seen[m->clusters[number]] : 0;
    memcpy(out, m->map->leaves[number].ambient, 4);
    for (unsigned i = 0; stated && i < 4; i++) {
        out[i] = (seen >> i & 1) != 0 ? 255 : 0;
    }
}

static bool mark(marks *m, bsp_error *error) {
    const bsp_map *map = m->map;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        if (m->sounds != NULL) {
            set_sounds(m, i, m->sounds[i]);
            m->leaves.equal += memcmp(m->sounds[i], leaf->ambient, 4) == 0;
        } else {
            m->flags[i] = flags_of(m, i);
            m->leaves.equal += m->flags[i] == leaf->flags;
        }
        if (!bspi_heap_work(&m->heap, m->index != NULL ? SKY_RAYS : 1, error)) {
            return false;
        }
    }
    m->leaves.count = map->num_leaves;
    m->leaves.flags = m->flags;
    m->leaves.sounds = (const uint8_t(*)[4])m->sounds;
    return true;
}

// --- all ----------------------------------------------------------------------------------------

// The clusters of leaves as the rows of `vis` number them.
static const uint32_t *find_clusters(marks *m, const bsp_portals *portals, bsp_error *error) {
    if (m->map->traits->vis.leaves) {
        assert(portals->num_leaves >= m->map->num_leaves);
        return portals->leaf_clusters;
    }
    uint32_t *out = bspi_arena_raw(&m->arena, (size_t)m->map->num_leaves + 1, sizeof *out, error);
    for (uint32_t i = 0; out != NULL && i < m->map->num_leaves; i++) {
        out[i] = m->map->leaves[i].cluster;
    }
    return out;
}

static bool make(marks *m, const bsp_portals *portals, bsp_error *error) {
    const bsp_map *map = m->map;
    const bsp_vis_rules *rules = &map->traits->vis;
    size_t leaves = (size_t)map->num_leaves + 1;
    size_t clusters = (size_t)m->vis->num_clusters + 1;
    if (!(rules->sounds || rules->skies)) {
        return true;
    }
    m->clusters = find_clusters(m, portals, error);
    m->own = bspi_arena_zero(&m->arena, leaves, 1, error);
    m->held = bspi_arena_zero(&m->arena, clusters, 1, error);
    m->seen = bspi_arena_zero(&m->arena, clusters, 1, error);
    if (rules->sounds) {
        m->sounds = bspi_arena_zero(&m->arena, leaves, sizeof *m->sounds, error);
    } else {
        m->flags = bspi_arena_zero(&m->arena, leaves, sizeof *m->flags, error);
    }
    if (m->clusters == NULL || m->own == NULL || m->held == NULL || m->seen == NULL ||
        (m->sounds == NULL && m->flags == NULL)) {
        return false;
    }
    if (rules->skies && m->vis->distance > 0) {
        const bsp_trace_options options = {.allocator = &m->heap.allocator};
        m->index = bsp_trace_index_new(map, &options, error);
        if (m->index == NULL) {
            return false;
        }
    }
    return look_into_leaves(m, error) && look_around(m, error) && mark(m, error);
}

bsp_vis_leaves *bsp_vis_leaves_build(const bsp_vis *vis, const bsp_portals *portals,
                                     const bsp_map *map, const bsp_allocator *allocator,
                                     bsp_error *error) {
    assert(vis != NULL && portals != NULL && map != NULL);
    if (!bspi_map_needs(map, BSP_LOAD_TREE | BSP_LOAD_SURFACES | BSP_LOAD_BRUSHES,
                        "what leaves state", error)) {
        return NULL;
    }
    marks *m = bspi_object_new(allocator, sizeof *m, error);
    if (m == NULL) {
        return NULL;
    }
    bspi_map_heap(&m->heap, BSP_PRODUCT_VIS, map, NULL, allocator);
    bspi_arena_init(&m->arena, &m->heap);
    m->leaves.owner = m;
    m->vis = vis;
    m->map = map;
    bool done = make(m, portals, error);
    bsp_trace_index_free(m->index);
    if (!done) {
        bsp_vis_leaves_free(&m->leaves);
        return NULL;
    }
    return &m->leaves;
}

void bsp_vis_leaves_free(bsp_vis_leaves *leaves) {
    marks *m = leaves == NULL ? NULL : leaves->owner;
    if (m == NULL) {
        return;
    }
    bspi_arena_free(&m->arena);
    bspi_object_free(m, sizeof *m, &m->heap.allocator);
}

// --- records ------------------------------------------------------------------------------------

bool bspi_leaf_marks_write(const bsp_vis_leaves *leaves, const bsp_table *table, bool big_endian,
                           uint8_t *copy, bsp_error *error) {
    uint32_t field;
    const bsp_layout *layout = table->layout;
    if (leaves->count == 0 || table->count != leaves->count) {
        return true;
    }
    if (leaves->sounds != NULL) {
        return bspi_layout_find(layout, BSPI_MEMBER_leaf_ambient, &field) == NULL ||
               bspi_table_encode_elements(layout, table->count, big_endian, field, 0, 4, BSP_U8,
                                          leaves->sounds, sizeof *leaves->sounds, copy, error);
    }
    return bspi_layout_find(layout, BSPI_MEMBER_leaf_flags, &field) == NULL ||
           bspi_table_encode_elements(layout, table->count, big_endian, field, 0, 1, BSP_U32,
                                      leaves->flags, sizeof *leaves->flags, copy, error);
}
