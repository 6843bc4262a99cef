// SPDX-License-Identifier: MIT
// The arrays of an index under construction: convex solids and their blocks of planes.
#include "query/collide.h"
#include "query/winding.h"

#include <string.h>

bool bspi_builder_grow(bspi_builder *b, void *array, size_t size, size_t count, size_t *room) {
    if (count <= *room) {
        return true;
    }
    size_t more = *room * 2 > count ? *room * 2 : count;
    more = more < 64 ? 64 : more;
    size_t bytes;
    if (!bspi_multiply(more, size, &bytes)) {
        return bsp_fail(b->error, BSP_E_LIMIT, NULL, "%zu records are too many", more);
    }
    void *old;
    memcpy(&old, array, sizeof old);
    void *bigger = bspi_heap_alloc(b->heap, bytes, b->error);
    if (bigger == NULL) {
        return false;
    }
    if (old != NULL) {
        memcpy(bigger, old, *room * size);
        bspi_heap_free(b->heap, old, *room * size);
    }
    memcpy(array, &bigger, sizeof bigger);
    *room = more;
    return true;
}

bool bspi_need_planes(bspi_builder *b, size_t count) {
    return bspi_builder_grow(b, &b->planes, sizeof *b->planes, count, &b->room_planes);
}

static bool need_blocks(bspi_builder *b, size_t more) {
    size_t count = b->num_blocks + more;
    return bspi_builder_grow(b, &b->lanes, sizeof *b->lanes * BSPI_LANES, count, &b->room_lanes) &&
           bspi_builder_grow(b, &b->inward, sizeof *b->inward, count, &b->room_inward) &&
           bspi_builder_grow(b, &b->blocks, sizeof *b->blocks, count, &b->room_blocks);
}

static void clear_block(bspi_builder *b, size_t n) {
    memset(&b->blocks[n], 0, sizeof b->blocks[n]);
    b->inward[n] = 0;
    for (uint32_t lane = 0; lane < BSPI_LANES; lane++) {
        b->blocks[n].dist[lane] = BSPI_FAR;
        b->lanes[n * BSPI_LANES + lane] = (bspi_lane){BSPI_ORDER_NONE, BSP_NONE, 0};
    }
}

static void put_plane(bspi_builder *b, const bspi_plane *plane, uint32_t lane) {
    size_t number = b->num_blocks - 1;
    bspi_block *block = &b->blocks[number];
    for (int axis = 0; axis < 3; axis++) {
        block->normal[axis][lane] = plane->normal[axis];
    }
    block->dist[lane] = plane->dist;
    b->lanes[number * BSPI_LANES + lane] = (bspi_lane){plane->order, plane->number, plane->flags};
    if (plane->inward) {
        b->inward[number] |= (uint8_t)(1u << lane);
    }
}

// Returns the lane of a brush's first block that is for a plane, or BSPI_LANES. A normal with -0 is
// not for it, since it is made anew and reported.
static uint32_t axial_lane(const bspi_plane *plane) {
    static const float normals[6][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                        {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (uint32_t lane = 0; lane < 6 && !plane->bevel; lane++) {
        if (memcmp(plane->normal, normals[lane], sizeof plane->normal) == 0) {
            return lane;
        }
    }
    return BSPI_LANES;
}

// Puts the planes into new blocks that have a place of their own in the first block of a brush, and
// marks them. Returns the number of blocks.
static uint32_t put_axial(bspi_builder *b, bspi_plane *planes, size_t count) {
    unsigned used = 0;
    clear_block(b, b->num_blocks++);
    for (size_t i = 0; i < count; i++) {
        uint32_t lane = axial_lane(&planes[i]);
        planes[i].placed = lane < BSPI_LANES && (used >> lane & 1) == 0;
        if (planes[i].placed) {
            put_plane(b, &planes[i], lane);
            used |= 1u << lane;
        }
    }
    return 1;
}

// Puts the planes that are bevels, or those that are not, into new blocks. Returns how many.
static uint32_t put_planes(bspi_builder *b, const bspi_plane *planes, size_t count, bool bevel) {
    uint32_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (planes[i].bevel != bevel || planes[i].placed) {
            continue;
        }
        uint32_t lane = used++ % BSPI_LANES;
        if (lane == 0) {
            clear_block(b, b->num_blocks++);
        }
        put_plane(b, &planes[i], lane);
    }
    return used;
}

static uint32_t blocks_for(uint32_t planes) {
    return planes / BSPI_LANES + (planes % BSPI_LANES != 0);
}

// Puts the planes of a convex into blocks.
static void put_blocks(bspi_builder *b, bspi_convex *convex, bspi_plane *planes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        planes[i].placed = false;
    }
    uint32_t axial = convex->kind == BSPI_BRUSH ? put_axial(b, planes, count) : 0;
    uint32_t points = put_planes(b, planes, count, false);
    uint32_t bevels = put_planes(b, planes, count, true);
    uint32_t last = (bevels != 0 ? bevels : points) % BSPI_LANES;
    convex->point_blocks = (uint16_t)(axial + blocks_for(points));
    convex->num_blocks = (uint16_t)(convex->point_blocks + blocks_for(bevels));
    convex->halved = last != 0 && last <= BSPI_LANES / 2;
}

static void sane_box(float box[2][3]) {
    for (int axis = 0; axis < 3; axis++) {
        // These comparisons are false for NaN.
        box[0][axis] = box[0][axis] > -BSPI_FAR ? box[0][axis] : -BSPI_FAR;
        box[1][axis] = box[1][axis] < BSPI_FAR ? box[1][axis] : BSPI_FAR;
        if (!(box[0][axis] <= box[1][axis])) {
            box[0][axis] = -BSPI_FAR;
            box[1][axis] = BSPI_FAR;
        }
    }
}

bool bspi_add_convex(bspi_builder *b, const bspi_convex *facts, bspi_plane *planes, size_t count,
                     float box[2][3]) {
    if (b->num_convexes + 1 >= BSPI_CHILDREN ||
        b->num_blocks + count + 3 >= UINT32_MAX / BSPI_LANES) {
        return bsp_fail(b->error, BSP_E_LIMIT, NULL, "too many solids to trace against");
    }
    if (count > (size_t)UINT16_MAX * BSPI_LANES - 3 * BSPI_LANES) {
        return bsp_fail(b->error, BSP_E_LIMIT, NULL, "%zu planes of a solid are too many", count);
    }
    uint32_t sides[2] = {BSPI_ORDER_NONE, 0};
    for (size_t i = 0; i < count; i++) {
        sides[0] = planes[i].order < sides[0] ? planes[i].order : sides[0];
        sides[1] = planes[i].order > sides[1] ? planes[i].order : sides[1];
    }
    if (count != 0 && sides[1] - sides[0] >= BSPI_MOST_SIDES) {
        bsp_place place =
            bsp_place_at("BRUSHES", facts->owner, NULL, UINT64_MAX); // no other has so many
        return bsp_fail(b->error, BSP_E_LIMIT, &place,
                        "the planes of brush %u are those of its sides %u to %u, and less than %u "
                        "apart are allowed",
                        facts->owner, sides[0], sides[1], BSPI_MOST_SIDES);
    }
    if (!bspi_builder_grow(b, &b->boxes, sizeof *b->boxes, b->num_convexes + 1, &b->room_boxes) ||
        !bspi_builder_grow(b, &b->convexes, sizeof *b->convexes, b->num_convexes + 1,
                           &b->room_convexes) ||
        !need_blocks(b, count / BSPI_LANES + 3)) {
        return false;
    }
    bspi_convex *convex = &b->convexes[b->num_convexes];
    *convex = *facts;
    convex->first_block = (uint32_t)b->num_blocks;
    convex->num_planes = (uint32_t)count;
    put_blocks(b, convex, planes, count);
    convex->number = (uint32_t)b->num_convexes;
    memcpy(b->boxes[b->num_convexes], box, sizeof b->boxes[0]);
    sane_box(b->boxes[b->num_convexes]);
    b->num_convexes++;
    return true;
}

// --- boxes --------------------------------------------------------------------------------------

// Takes each plane across an axis as a side of the box. Returns a bit for each of the six sides
// that it found.
static unsigned axial_sides(const bspi_plane *planes, size_t count, float pad, float box[2][3]) {
    unsigned found = 0;
    for (size_t i = 0; i < count; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            float n = planes[i].normal[axis];
            if (planes[i].normal[(axis + 1) % 3] != 0 || planes[i].normal[(axis + 2) % 3] != 0) {
                continue;
            }
            if (n == 1 && planes[i].dist + pad < box[1][axis]) {
                box[1][axis] = planes[i].dist + pad;
                found |= 8u << axis;
            } else if (n == -1 && -planes[i].dist - pad > box[0][axis]) {
                box[0][axis] = -planes[i].dist - pad;
                found |= 1u << axis;
            }
        }
    }
    return found;
}

#define ALL_SIDES 63u
#define CLIP_PLANES 64u // sides from here on are ignored, which only makes the box larger

// Where no plane is across an axis, bounds the box by the corners of the solid. `box` holds the
// sides known so far.
static void corners_box(const bspi_plane *planes, size_t count, float pad, float box[2][3]) {
    float found[2][3] = {{BSPI_FAR, BSPI_FAR, BSPI_FAR}, {-BSPI_FAR, -BSPI_FAR, -BSPI_FAR}};
    size_t most = count < CLIP_PLANES ? count : CLIP_PLANES;
    for (size_t i = 0; i < most; i++) {
        bspi_winding w;
        bspi_winding_base(&w, planes[i].normal, planes[i].dist + pad);
        for (size_t k = 0; k < most && w.count != 0; k++) {
            float back[3] = {-planes[k].normal[0], -planes[k].normal[1], -planes[k].normal[2]};
            if (k != i) {
                bspi_winding_clip(&w, back, -planes[k].dist - pad);
            }
        }
        bspi_winding_extend(&w, found);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!(found[0][axis] > -BSPI_WINDING_SIZE / 2 && found[1][axis] < BSPI_WINDING_SIZE / 2 &&
              found[0][axis] <= found[1][axis])) {
            return; // the solid is not closed, so its corners do not bound it
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        float low = found[0][axis] - 1; // 1: the largest error of clipping
        float high = found[1][axis] + 1;
        box[0][axis] = low > box[0][axis] ? low : box[0][axis];
        box[1][axis] = high < box[1][axis] ? high : box[1][axis];
    }
}

void bspi_convex_box(const bspi_plane *planes, size_t count, float pad, float box[2][3]) {
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = -BSPI_FAR;
        box[1][axis] = BSPI_FAR;
    }
    if (axial_sides(planes, count, pad, box) != ALL_SIDES && count <= CLIP_PLANES) {
        corners_box(planes, count, pad, box);
    }
}

uint64_t bspi_convex_work(size_t count) {
    uint64_t most = count <= CLIP_PLANES ? count : 0;
    return count + most * most;
}
