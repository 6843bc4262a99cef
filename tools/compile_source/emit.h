// SPDX-License-Identifier: MIT
// The parts of a bsp_map.
#ifndef COMPILE_EMIT_H
#define COMPILE_EMIT_H

#include "world.h"

void emit_tree(const world *w, bsp_map *map);    // emit.c
void emit_faces(world *w, bsp_map *map);         // emit_faces.c
void emit_hills(const world *w, bsp_map *map);   // emit_props.c
void emit_props(const world *w, bsp_map *map);   // emit_props.c
void emit_light(const world *w, bsp_map *map);   // emit_props.c
void emit_details(const world *w, bsp_map *map); // emit_details.c

static inline void put_vec3(float out[3], vec3 from) {
    for (int i = 0; i < 3; i++) {
        out[i] = (float)from.v[i];
    }
}

#endif
