// SPDX-License-Identifier: MIT
// Leaves and contents at random points against a walk that could not be simpler, and against all
// brushes, in double precision; visibility against a decoder of the lump's own bytes. Samples, and
// the corpus where it is there.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define FULL_POINTS 100000u
#define DETAIL 0x8000000u
#define INSIDE 0.125 // so deep in a brush is in it for any compiler's rounding
#define MOST_ENDS 64

typedef struct totals {
    unsigned maps, points, edges, rows, blind;
} totals;

// The side of a point: positive in front. *near if rounding of floats could turn it.
static double side_of(const bsp_plane *plane, const float p[3], bool *near) {
    double sum = -(double)plane->dist;
    double size = fabs((double)plane->dist);
    for (int i = 0; i < 3; i++) {
        double part = (double)plane->normal[i] * (double)p[i];
        sum += part;
        size += fabs(part);
    }
    *near = fabs(sum) <= size * 3e-7;
    return sum;
}

// Every leaf below a node that a point is in if what is near a plane may be on both sides.
static void find_ends(const bsp_map *map, int32_t node, const float p[3], uint32_t ends[MOST_ENDS],
                      unsigned *count) {
    while (node >= 0) {
        const bsp_node *n = &map->nodes[node];
        bool near;
        double d = side_of(&map->planes[n->plane], p, &near);
        if (near) {
            find_ends(map, n->children[1], p, ends, count);
        }
        node = n->children[near || d >= 0 ? 0 : 1];
    }
    if (*count < MOST_ENDS) {
        ends[(*count)++] = (uint32_t)(-1 - node);
    }
}

// 1 in a brush, 0 outside, -1 where rounding decides.
static int in_brush(const bsp_map *map, const bsp_brush *brush, const float p[3]) {
    int in = brush->num_sides != 0;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        bool near;
        double d = side_of(&map->planes[map->brush_sides[brush->first_side + i].plane], p, &near);
        if (!near && d > 0) {
            return 0;
        }
        in = near ? -1 : in;
    }
    return in;
}

static bool deep_in_brush(const bsp_map *map, const bsp_brush *brush, const float p[3]) {
    bool near;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        if (side_of(&map->planes[map->brush_sides[brush->first_side + i].plane], p, &near) >
            -INSIDE) {
            return false;
        }
    }
    return brush->num_sides != 0;
}

// --- contents -----------------------------------------------------------------------------------

// Which brushes are the world's: all that leaves of its tree name, or its run.
static uint8_t *world_brushes(const bsp_map *map) {
    uint8_t *marks = test_calloc((size_t)map->num_brushes + 1, 1);
    uint8_t *seen = test_calloc((size_t)map->num_nodes + 1, 1);
    int32_t *stack = test_calloc(2 * (size_t)map->num_nodes + 2, sizeof *stack);
    size_t count = 0;
    stack[count++] = map->models[0].headnodes[0];
    while (count > 0) {
        int32_t node = stack[--count];
        if (node >= 0 && !seen[node]) {
            seen[node] = 1;
            stack[count++] = map->nodes[node].children[0];
            stack[count++] = map->nodes[node].children[1];
        }
        const bsp_leaf *leaf = node < 0 ? &map->leaves[-1 - node] : NULL;
        for (uint32_t i = 0; leaf != NULL && i < leaf->num_brushes && map->num_brushes != 0; i++) {
            marks[map->leaf_brushes[leaf->first_brush + i]] = 1;
        }
    }
    const bsp_model *world = &map->models[0];
    for (uint32_t i = 0; map->branch->family == BSP_QUAKE3 && i < map->num_brushes; i++) {
        marks[i] = i >= world->first_brush && i - world->first_brush < world->num_brushes;
    }
    test_free(stack);
    test_free(seen);
    return marks;
}

static void check_leaf_contents(const each_map *m, const float p[3], uint32_t leaf, int32_t answer,
                                const uint8_t *world) {
    const bsp_map *map = m->map;
    bsp_family family = map->branch->family;
    uint32_t sure = family == BSP_QUAKE3 ? 0 : (uint32_t)map->leaves[leaf].contents;
    uint32_t perhaps = sure;
    for (uint32_t b = 0; b < map->num_brushes && family != BSP_QUAKE; b++) {
        if (world[b] == 0 || map->traits->contents_numbers) {
            continue;
        }
        uint32_t contents = (uint32_t)map->brushes[b].contents;
        if (family == BSP_QUAKE2) {
            // Leaves say what is there; they must say so of whole brushes that close space.
            if ((contents & (DETAIL | 1)) == 1 && deep_in_brush(map, &map->brushes[b], p)) {
                assert_true((answer & 1) != 0);
            }
            continue;
        }
        int in = in_brush(map, &map->brushes[b], p);
        sure |= in > 0 ? contents : 0;
        perhaps |= in != 0 ? contents : 0;
    }
    uint32_t got = (uint32_t)answer;
    if (family == BSP_SOURCE && (map->leaves[leaf].contents & 1) != 0) {
        sure = 1; // leaves in the solid need not list the brushes in them
    }
    if ((got & sure) != sure || (got & ~perhaps) != 0) {
        fail_msg("%s: contents at %.9g %.9g %.9g are 0x%X, not 0x%X", m->name, (double)p[0],
                 (double)p[1], (double)p[2], got, sure);
    }
}

static void check_point(const each_map *m, const float p[3], const uint8_t *world, totals *t) {
    uint32_t ends[MOST_ENDS];
    unsigned count = 0;
    uint32_t leaf = bsp_query_leaf(m->map, p);
    int32_t answer = bsp_query_contents(m->map, 0, p);
    find_ends(m->map, m->map->models[0].headnodes[0], p, ends, &count);
    bool found = false;
    for (unsigned i = 0; i < count; i++) {
        found = found || ends[i] == leaf;
    }
    if (!found) {
        fail_msg("%s: leaf at %.9g %.9g %.9g is %u, not %u", m->name, (double)p[0], (double)p[1],
                 (double)p[2], leaf, ends[0]);
    }
    t->points++;
    t->edges += count > 1;
    if (count == 1) { // else more than one answer is right
        check_leaf_contents(m, p, leaf, answer, world);
    }
}

static void check_points(const each_map *m, totals *t) {
    const bsp_map *map = m->map;
    test_random random = {2026};
    if (map->num_models == 0 || map->num_nodes == 0 || map->num_leaves == 0 ||
        !each_map_has_bodies(m)) {
        return;
    }
    uint8_t *world = world_brushes(map);
    for (unsigned i = 0; i < test_effort(FULL_POINTS); i++) {
        float p[3];
        for (int k = 0; k < 3; k++) {
            float part = (float)(random_u32(&random) >> 8) / 16777216.0f;
            float low = map->models[0].mins[k];
            p[k] = low + part * (map->models[0].maxs[k] - low);
            p[k] = i % 4 == 0 && fabsf(p[k]) < 1e6f ? floorf(p[k]) : p[k]; // on planes
        }
        check_point(m, p, world, t);
    }
    t->maps++;
    test_free(world);
}

// --- visibility ---------------------------------------------------------------------------------

typedef struct reader {
    bsp_bytes data;
    bool big;
} reader;

static uint32_t read_u32(const reader *r, size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t from = at + (r->big ? i : 3 - i);
        value = value << 8 | (from < r->data.size ? r->data.data[from] : 0u);
    }
    return value;
}

// Where a cluster's row begins in the lump, or BSP_NONE: all is visible.
static uint32_t row_offset(const each_map *m, const reader *vis, uint32_t cluster, int set) {
    bsp_bytes leaves;
    switch (m->map->branch->family) {
    case BSP_QUAKE3:
        return 8 + cluster * read_u32(vis, 4);
    case BSP_QUAKE:
    case BSP_GOLDSRC: {
        // A cluster is a leaf behind the first; visofs follows its contents.
        assert_true(
            bsp_file_data(m->file, bsp_file_find_id(m->file, BSP_ID_LEAVES), &leaves, NULL));
        size_t stride = leaves.size / m->map->num_leaves;
        reader r = {leaves, false};
        return read_u32(&r, (cluster + 1) * stride + 4);
    }
    default:
        return read_u32(vis, 4 + 8 * (size_t)cluster + 4 * (size_t)set);
    }
}

static void decode(const reader *vis, size_t at, bool packed, uint8_t *row, size_t size) {
    memset(row, 0, size);
    for (size_t done = 0; done < size && at < vis->data.size; at++) {
        uint8_t byte = vis->data.data[at];
        if (byte != 0 || !packed) {
            row[done++] = byte;
        } else if (++at < vis->data.size) {
            done += vis->data.data[at];
        }
    }
}

static void check_row(const each_map *m, const reader *vis, uint32_t cluster, int set, totals *t) {
    size_t size = m->map->visibility.row_bytes;
    uint8_t *row = test_calloc(size + 1, 1);
    uint8_t *naive = test_calloc(size + 256, 1);
    uint32_t offset = row_offset(m, vis, cluster, set);
    bsp_map_visible(m->map, cluster, set != 0, row);
    if (offset == BSP_NONE || offset >= vis->data.size) {
        memset(naive, 0xFF, size);
    } else {
        decode(vis, offset, m->map->branch->family != BSP_QUAKE3, naive, size);
    }
    if (memcmp(row, naive, size) != 0) {
        fail_msg("%s: row %d of cluster %u differs from the lump", m->name, set, cluster);
    }
    t->rows++;
    if (set == 0 && !bsp_query_row_sees(m->map, row, cluster)) {
        print_message("%s: cluster %u of %u does not see itself\n", m->name, cluster,
                      m->map->visibility.num_clusters);
        t->blind++;
    }
    test_free(row);
    test_free(naive);
}

static void check_rows(const each_map *m, totals *t) {
    reader vis = {.big = bsp_file_get_info(m->file)->detection.big_endian};
    uint32_t lump = bsp_file_find_id(m->file, BSP_ID_VISIBILITY);
    if (m->map->visibility.num_clusters == 0) {
        return;
    }
    assert_true(lump != BSP_NONE && bsp_file_data(m->file, lump, &vis.data, NULL));
    for (uint32_t i = 0; i < m->map->visibility.num_clusters; i++) {
        check_row(m, &vis, i, 0, t);
        if (m->map->visibility.phs != NULL) {
            check_row(m, &vis, i, 1, t);
        }
    }
}

static void check_map(const each_map *m, void *user) {
    check_points(m, user);
    check_rows(m, user);
}

static void test_space(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(test_step(4), check_map, &t);
    print_message("%u maps (%u of the corpus): %u points, %u of them within rounding of a plane; "
                  "%u rows, %u clusters that do not see themselves\n",
                  t.maps, corpus, t.points, t.edges, t.rows, t.blind);
    assert_true(t.maps >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
