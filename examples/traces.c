// SPDX-License-Identifier: MIT
// Drops points through a map, on four threads, and prints how many meet a floor: traces MAP COUNT
#include <bspkit/bspkit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct job {
    const bsp_trace_index *index; // any number of threads may ask one index
    const bsp_model *world;
    uint32_t first, count, floors;
} job;

static void *drop(void *user) {
    job *j = user;
    for (uint32_t i = j->first; i < j->first + j->count; i++) {
        bsp_trace_input input = {.end[2] = j->world->mins[2] - 64}; // a point, what is solid
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint32_t units = (uint32_t)(j->world->maxs[axis] - j->world->mins[axis]) + 1;
            input.start[axis] = j->world->mins[axis] + (float)(i * (7919 + 2 * axis) % units);
        }
        input.end[0] = input.start[0];
        input.end[1] = input.start[1];
        bsp_trace_result result;
        bsp_trace(j->index, &input, &result);
        j->floors += !result.start_solid && result.fraction < 1 && result.normal[2] > 0;
    }
    return NULL;
}

int main(int argc, char **argv) {
    bsp_error error = {.message = "usage: traces MAP COUNT"};
    bsp_file *file = argc > 2 ? bsp_file_open(argv[1], NULL, &error) : NULL;
    bsp_map *map = file != NULL ? bsp_map_load(file, NULL, &error) : NULL;
    bsp_trace_index *index = map != NULL ? bsp_trace_index_new(map, NULL, &error) : NULL;
    pthread_t threads[4];
    job jobs[4] = {{0}};
    uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) / 4 : 0, floors = 0;
    for (uint32_t t = 0; index != NULL && t < 4; t++) {
        jobs[t] = (job){index, map->models, t * count, count, 0};
        pthread_create(&threads[t], NULL, drop, &jobs[t]);
    }
    for (uint32_t t = 0; index != NULL && t < 4; t++) {
        pthread_join(threads[t], NULL);
        floors += jobs[t].floors;
    }
    if (index == NULL) {
        fprintf(stderr, "traces: %s\n", error.message);
    } else {
        printf("%u of %u points meet a floor\n", floors, 4 * count);
    }
    bsp_trace_index_free(index);
    bsp_map_free(map);
    bsp_file_close(file);
    return index == NULL;
}
