// SPDX-License-Identifier: MIT
// ioquake3 as a peer of traces, contents and leaves: its own cm_load.c, cm_trace.c, cm_test.c and
// cm_patch.c, compiled from the reader's checkout, and below what they call of the engine.
#include "peer.h"

#include "q_shared.h"
#include "qcommon.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void QDECL Com_Error(int level, const char *format, ...) {
    va_list arguments;
    (void)level;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void QDECL Com_Printf(const char *format, ...) {
    (void)format;
}

void QDECL Com_DPrintf(const char *format, ...) {
    (void)format;
}

// The three variables that the collision code asks have different defaults.
cvar_t *Cvar_Get(const char *name, const char *value, int flags) {
    static cvar_t variables[8];
    static int count;
    cvar_t *variable = &variables[count++ % 8];
    (void)name;
    (void)flags;
    variable->integer = atoi(value);
    variable->value = (float)variable->integer;
    return variable;
}

void *Hunk_Alloc(int size, ha_pref preference) {
    (void)preference;
    return peer_hunk((size_t)size);
}

void *Z_Malloc(int size) {
    return calloc(1, (size_t)size);
}

void Z_Free(void *memory) {
    free(memory);
}

long FS_ReadFile(const char *path, void **data) {
    long size = 0;
    *data = peer_read(path, &size);
    return size;
}

void FS_FreeFile(void *data) {
    free(data);
}

static int load(const char *path, const peer_triangles *triangles) {
    int checksum = 0;
    (void)triangles;
    CM_LoadMap(path, qfalse, &checksum);
    return 1;
}

static void trace(const peer_segment *segments, peer_answer *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        vec3_t mins;
        vec3_t maxs;
        trace_t result;
        VectorCopy(segments[i].mins, mins);
        VectorCopy(segments[i].maxs, maxs);
        CM_BoxTrace(&result, segments[i].start, segments[i].end, mins, maxs, 0, CONTENTS_SOLID,
                    qfalse);
        answers[i].fraction = result.fraction;
        VectorCopy(result.endpos, answers[i].end);
        VectorCopy(result.plane.normal, answers[i].normal);
        answers[i].start_solid = result.startsolid;
        answers[i].all_solid = result.allsolid;
    }
}

static void contents(const float (*points)[3], int *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        answers[i] = CM_PointContents(points[i], 0);
    }
}

static void leaves(const float (*points)[3], int *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        answers[i] = CM_PointLeafnum(points[i]);
    }
}

const peer the_peer = {
    .name = "ioquake3",
    .load = load,
    .trace = trace,
    .boxes = 1,
    .contents = contents,
    .leaves = leaves,
};
