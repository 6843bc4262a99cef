// SPDX-License-Identifier: MIT
// A block belongs to the thread that makes volumes until it is published, then to the one that
// takes it. What is kept of a volume is its polygons with their planes, so that a search needs
// neither a solid nor the list of planes, which grows.
#include "decompile/tree/queue.h"

#include <string.h>

#define VOLUMES 32u // of a block: a third of a millisecond

typedef struct outline {
    uint32_t tag;
    uint32_t first; // point
    uint32_t count;
    double normal[3];
    double dist;
} outline;

typedef struct volume {
    int32_t contents;
    uint32_t first; // side
    uint32_t count;
} volume;

struct bspi_volume_block {
    bspi_volume_block *next;
    volume volumes[VOLUMES];
    uint32_t count;
    outline *outlines; // for each side
    uint32_t num_sides;
    size_t room_outlines;
    double (*points)[3];
    uint32_t num_points;
    size_t room_points;
    bspi_tree_found *found; // for each side
};

void bspi_volume_queue_begin(bspi_volume_queue *queue, const bspi_tree_emitter *emitter) {
    *queue = (bspi_volume_queue){.emitter = emitter, .heap = emitter->carver->flats.heap};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->more, NULL);
}

// --- volumes ------------------------------------------------------------------------------------

// Gives the block that was filled to those that search.
static void publish(bspi_volume_queue *queue, bool complete) {
    bspi_volume_block *block = queue->filling;
    queue->filling = NULL;
    pthread_mutex_lock(&queue->lock);
    if (block != NULL) {
        *(queue->last != NULL ? &queue->last->next : &queue->first) = block;
        queue->last = block;
        queue->next = queue->next != NULL ? queue->next : block;
    }
    queue->complete = complete;
    pthread_cond_broadcast(&queue->more);
    pthread_mutex_unlock(&queue->lock);
}

static bool add_side(bspi_volume_queue *queue, const bspi_carver *carver, uint32_t polygon) {
    bspi_volume_block *block = queue->filling;
    bsp_error *error = carver->error;
    bspi_tree_side side;
    bspi_tree_side_of(carver, polygon, &side);
    outline *outlines = bspi_grow(queue->heap, block->outlines, block->num_sides,
                                  &block->room_outlines, sizeof *outlines, error);
    if (outlines == NULL) {
        return false;
    }
    block->outlines = outlines;
    outline *kept = &outlines[block->num_sides++];
    kept->tag = side.tag;
    kept->first = block->num_points;
    kept->count = side.polygon.count;
    bspi_flats_out(&carver->flats, side.tag, kept->normal, &kept->dist);
    for (uint32_t i = 0; i < side.polygon.count; i++) {
        double(*points)[3] = bspi_grow(queue->heap, block->points, block->num_points,
                                       &block->room_points, sizeof *points, error);
        if (points == NULL) {
            return false;
        }
        block->points = points;
        memcpy(points[block->num_points++], side.polygon.points[i], sizeof *points);
    }
    return true;
}

bool bspi_volume_queue_add(bspi_volume_queue *queue, const bspi_carver *carver, int32_t contents) {
    const bspi_polyhedron *solid = &carver->solid;
    uint32_t sides = solid->num_polygons < BSPI_MAX_SIDES ? solid->num_polygons : BSPI_MAX_SIDES;
    if (queue->filling != NULL && queue->filling->count == VOLUMES) {
        publish(queue, false);
    }
    if (queue->filling == NULL) {
        queue->filling = bspi_heap_alloc(queue->heap, sizeof *queue->filling, carver->error);
        if (queue->filling == NULL) {
            return false;
        }
        memset(queue->filling, 0, sizeof *queue->filling);
    }
    bspi_volume_block *block = queue->filling;
    block->volumes[block->count] = (volume){contents, block->num_sides, sides};
    bool good = true;
    for (uint32_t i = 0; good && i < sides; i++) {
        good = add_side(queue, carver, i);
    }
    block->count += good; // searches see no volume that lacks sides
    return good;
}

void bspi_volume_queue_complete(bspi_volume_queue *queue) {
    publish(queue, true);
}

// --- search -------------------------------------------------------------------------------------

static void free_outlines(bspi_volume_queue *queue, bspi_volume_block *block) {
    bspi_heap_free(queue->heap, block->outlines, block->room_outlines * sizeof *block->outlines);
    bspi_heap_free(queue->heap, block->points, block->room_points * sizeof *block->points);
    block->outlines = NULL;
    block->points = NULL;
}

static bool find_block(bspi_volume_queue *queue, const bspi_tree_emitter *emitter,
                       bspi_volume_block *block, bsp_error *error) {
    block->found = bspi_heap_alloc(queue->heap, block->num_sides * sizeof *block->found, error);
    for (uint32_t v = 0; block->found != NULL && v < block->count; v++) {
        const volume *from = &block->volumes[v];
        for (uint32_t i = from->first; i < from->first + from->count; i++) {
            const outline *kept = &block->outlines[i];
            bspi_tree_side side;
            side.tag = kept->tag;
            side.polygon.count = kept->count;
            memcpy(side.normal, kept->normal, sizeof side.normal);
            memcpy(side.polygon.points, block->points + kept->first,
                   kept->count * sizeof *block->points);
            bspi_tree_find_side(emitter, &side, kept->dist, from->contents, &block->found[i]);
        }
    }
    free_outlines(queue, block);
    return block->found != NULL && !emitter->carver->starved;
}

// Waits for a block that no search has taken. Returns NULL if there will be none.
static bspi_volume_block *take_block(bspi_volume_queue *queue) {
    pthread_mutex_lock(&queue->lock);
    while (queue->next == NULL && !queue->complete && !queue->failed) {
        pthread_cond_wait(&queue->more, &queue->lock);
    }
    bspi_volume_block *block = queue->failed ? NULL : queue->next;
    queue->next = block != NULL ? block->next : queue->next;
    pthread_mutex_unlock(&queue->lock);
    return block;
}

bool bspi_volume_queue_find(bspi_volume_queue *queue, bsp_error *error) {
    bspi_carver carver = {.error = error}; // counts the work
    carver.flats.heap = queue->heap;
    carver.meter = (bspi_meter){.heap = queue->heap, .error = error};
    bspi_tree_faces faces = *queue->emitter->faces;
    bspi_tree_emitter emitter = *queue->emitter;
    faces.carver = &carver;
    emitter.carver = &carver;
    emitter.faces = &faces;
    bool good = true;
    bspi_volume_block *block;
    while (good && (block = take_block(queue)) != NULL) {
        good = find_block(queue, &emitter, block, error);
    }
    good = bspi_meter_pay(&carver.meter) && good;
    if (!good) {
        pthread_mutex_lock(&queue->lock);
        queue->failed = true;
        pthread_cond_broadcast(&queue->more);
        pthread_mutex_unlock(&queue->lock);
    }
    return good;
}

// --- writing ------------------------------------------------------------------------------------

bool bspi_volume_queue_write(bspi_volume_queue *queue, bspi_tree_emitter *emitter) {
    bool good = true;
    for (bspi_volume_block *block = queue->first; good && block != NULL; block = block->next) {
        for (uint32_t v = 0; good && v < block->count; v++) {
            const volume *from = &block->volumes[v];
            good = bspi_tree_emit_found(emitter, from->contents, block->found + from->first,
                                        from->count);
        }
        bspi_heap_free(queue->heap, block->found, block->num_sides * sizeof *block->found);
        block->found = NULL;
    }
    return good;
}

void bspi_volume_queue_end(bspi_volume_queue *queue) {
    while (queue->first != NULL) {
        bspi_volume_block *block = queue->first;
        queue->first = block->next;
        free_outlines(queue, block);
        bspi_heap_free(queue->heap, block->found, block->num_sides * sizeof *block->found);
        bspi_heap_free(queue->heap, block, sizeof *block);
    }
    pthread_cond_destroy(&queue->more);
    pthread_mutex_destroy(&queue->lock);
}
