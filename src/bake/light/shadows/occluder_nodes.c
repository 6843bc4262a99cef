// SPDX-License-Identifier: MIT
// Boxes of faces that cast shadows, eight at a time: each node has what is left of a box when the
// largest of the boxes in it are opened.
#include "bake/light/shadows/occluders.h"

#include <math.h>
#include <string.h>

typedef struct folder {
    struct bspi_occluders *all; // nodes NULL: they are counted
    uint32_t count;
} folder;

static float surface_of(const bspi_occluder_box *box) {
    float x = box->high[0] - box->low[0];
    float y = box->high[1] - box->low[1];
    float z = box->high[2] - box->low[2];
    return x * y + y * z + z * x;
}

// Finds the boxes of a node. Returns their number.
static uint32_t open_box(const struct bspi_occluders *all, uint32_t box,
                         uint32_t list[BSPI_OCCLUDER_LANES]) {
    uint32_t count = 1;
    list[0] = box;
    while (count < BSPI_OCCLUDER_LANES) {
        uint32_t largest = BSP_NONE;
        for (uint32_t i = 0; i < count; i++) {
            const bspi_occluder_box *here = &all->boxes[list[i]];
            if (here->count == 0 && (largest == BSP_NONE ||
                                     surface_of(here) > surface_of(&all->boxes[list[largest]]))) {
                largest = i;
            }
        }
        if (largest == BSP_NONE) {
            break;
        }
        uint32_t first = all->boxes[list[largest]].first;
        list[largest] = first;
        list[count++] = first + 1;
    }
    return count;
}

static void set_lane(bspi_occluder_node *node, uint32_t lane, const bspi_occluder_box *box) {
    for (int i = 0; i < 3; i++) {
        node->ends[0][i][lane] = box->low[i];
        node->ends[1][i][lane] = box->high[i];
    }
}

static bool has_sky(const struct bspi_occluders *all, const bspi_occluder_box *box) {
    bool sky = false;
    for (uint32_t n = 0; n < box->count; n++) {
        sky |= all->list[box->first + n].kind == BSPI_OCCLUDER_SKY;
    }
    return sky;
}

// Makes the node of a box. Returns its number.
static uint32_t fold(folder *f, uint32_t box) {
    uint32_t list[BSPI_OCCLUDER_LANES];
    uint32_t number = f->count++;
    uint32_t count = open_box(f->all, box, list);
    for (uint32_t lane = 0; lane < count; lane++) {
        const bspi_occluder_box *in = &f->all->boxes[list[lane]];
        uint32_t to = in->count != 0 ? list[lane] : fold(f, list[lane]);
        if (f->all->nodes != NULL) {
            bspi_occluder_node *node = &f->all->nodes[number];
            set_lane(node, lane, in);
            node->to[lane] = to;
            node->used |= 1u << lane;
            node->leaves |= (in->count != 0 ? 1u : 0u) << lane;
            bool sky = in->count != 0 ? has_sky(f->all, in) : f->all->nodes[to].skies != 0;
            node->skies |= (sky ? 1u : 0u) << lane;
        }
    }
    return number;
}

bool bspi_occluders_fold(bspi_relight *own, struct bspi_occluders *occluders, bsp_error *error) {
    folder f = {.all = occluders};
    if (occluders->num_boxes == 0) {
        return true;
    }
    occluders->nodes = NULL; // counted first
    (void)fold(&f, 0);
    occluders->nodes = bspi_arena_zero(&own->arena, f.count, sizeof *occluders->nodes, error);
    if (occluders->nodes == NULL) {
        return false;
    }
    f.count = 0;
    (void)fold(&f, 0);
    return bspi_heap_work(&own->heap, f.count, error);
}
