// SPDX-License-Identifier: MIT
// Lines through the tree of Quake 3. q3map2 takes what is near a plane for being on its front
// (TraceLine_r of light_trace.cpp): a line along a wall whose solid is in front of its plane ends
// where it begins.
#include "bake/light/shadows/opaque.h"

#include "core/vector.h"

#include <stdbool.h>

#define PARTS 128u // of a line that wait, at most
#define STEPS 1024u

// A part of a line, from one share of it to another, below a node or in a leaf.
typedef struct part {
    int32_t child;
    float from;
    float to;
} part;

// A node that has a plane.
static const bsp_node *node_at(const bsp_map *map, int32_t child) {
    const bsp_node *node =
        child >= 0 && (uint32_t)child < map->num_nodes ? &map->nodes[child] : NULL;
    return node != NULL && node->plane < map->num_planes ? node : NULL;
}

static bool is_opaque(const bsp_map *map, int32_t child) {
    uint32_t leaf = (uint32_t)(-1 - child);
    return child >= 0 || leaf >= map->num_leaves || map->leaves[leaf].cluster == BSP_NONE;
}

// Puts what a node makes of a part on the list, its beginning last. Returns how many are there.
static uint32_t divide(const bsp_map *map, const bsp_node *node, const part *p,
                       const float start[3], const float end[3], float on, part *parts,
                       uint32_t count) {
    const bsp_plane *plane = &map->planes[node->plane];
    float a = bspi_dot(plane->normal, start) - plane->dist;
    float b = bspi_dot(plane->normal, end) - plane->dist;
    float first = a + (b - a) * p->from;
    float last = a + (b - a) * p->to;
    bool before = first >= -on && last >= -on;
    if (before || (first < on && last < on)) {
        parts[count++] = (part){node->children[!before], p->from, p->to};
    } else if (count + 2 <= PARTS) {
        float middle = p->from + (p->to - p->from) * (first / (first - last));
        parts[count++] = (part){node->children[first >= 0], middle, p->to};
        parts[count++] = (part){node->children[first < 0], p->from, middle};
    }
    return count;
}

float bspi_opaque_at(const bsp_map *map, const float start[3], const float end[3], float on,
                     uint64_t *steps) {
    part parts[PARTS];
    uint32_t count = map->num_nodes != 0;
    uint32_t looked = 0;
    float found = 2;
    parts[0] = (part){.child = 0, .from = 0, .to = 1};
    while (count != 0 && looked < STEPS) {
        part p = parts[--count];
        looked++;
        const bsp_node *node = node_at(map, p.child);
        if (node != NULL) {
            count = divide(map, node, &p, start, end, on, parts, count);
        } else if (is_opaque(map, p.child)) {
            found = p.from;
            break;
        }
    }
    *steps += looked;
    return found;
}
