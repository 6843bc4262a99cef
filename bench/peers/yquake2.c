// SPDX-License-Identifier: MIT
// Yamagi Quake II as a peer of traces, contents and leaves: its own collision.c, compiled from the
// reader's checkout, and below what it calls of the engine.
#include "peer.h"

#include "header/common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cvar_t no_variable = {.name = "none", .string = "0"};
cvar_t *sv_entfile = &no_variable;

void Com_Error(int code, const char *format, ...) {
    va_list arguments;
    (void)code;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void Com_Printf(const char *format, ...) {
    (void)format;
}

void Com_DPrintf(const char *format, ...) {
    (void)format;
}

cvar_t *Cvar_Get(const char *name, const char *value, int flags) {
    (void)name;
    (void)value;
    (void)flags;
    return &no_variable;
}

float Cvar_VariableValue(const char *name) {
    (void)name;
    return 0;
}

int FS_LoadFile(const char *path, void **data) {
    long size = 0;
    *data = peer_read(path, &size);
    return (int)size;
}

void FS_FreeFile(void *data) {
    free(data);
}

static cmodel_t *world;

static int load(const char *path, const peer_triangles *triangles) {
    unsigned checksum = 0;
    (void)triangles;
    Swap_Init();
    world = CM_LoadMap(path, false, &checksum);
    return world != NULL;
}

static void trace(const peer_segment *segments, peer_answer *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const peer_segment *s = &segments[i];
        trace_t result =
            CM_BoxTrace(s->start, s->end, s->mins, s->maxs, world->headnode, CONTENTS_SOLID);
        answers[i].fraction = result.fraction;
        VectorCopy(result.endpos, answers[i].end);
        VectorCopy(result.plane.normal, answers[i].normal);
        answers[i].start_solid = result.startsolid;
        answers[i].all_solid = result.allsolid;
    }
}

static void contents(const float (*points)[3], int *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        answers[i] = CM_PointContents(points[i], world->headnode);
    }
}

static void leaves(const float (*points)[3], int *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        answers[i] = CM_PointLeafnum(points[i]);
    }
}

const peer the_peer = {
    .name = "yquake2",
    .load = load,
    .trace = trace,
    .boxes = 1,
    .contents = contents,
    .leaves = leaves,
};
