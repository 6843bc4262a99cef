// SPDX-License-Identifier: MIT
// What the file of a peer gives to space.c. No header of bspkit is used here and no type of C23's:
// the engines' headers have their own `bool`, `byte` and `vec3_t`.
#ifndef PEER_H
#define PEER_H

#include <stddef.h>

/// A segment, or a box that moves along it.
typedef struct peer_segment {
    float start[3];
    float end[3];
    float mins[3]; ///< the box; both zero: a point
    float maxs[3];
    int hull; ///< Quake, GoldSrc: the collision hull that answers
} peer_segment;

/// What a segment met, as far as all peers say it.
typedef struct peer_answer {
    float fraction;
    float end[3];
    float normal[3];
    int start_solid;
    int all_solid;
} peer_answer;

/// Triangles for peers that know nothing of maps.
typedef struct peer_triangles {
    const float *points; ///< three floats each
    size_t num_points;
    const unsigned *indices; ///< three a triangle
    size_t num_indices;
} peer_triangles;

/// A peer. A member that is NULL is a question that it does not answer.
typedef struct peer {
    const char *name;
    int wants_triangles;
    /// Returns 0 on failure, having said why.
    int (*load)(const char *path, const peer_triangles *triangles);
    void (*trace)(const peer_segment *segments, peer_answer *answers, size_t count);
    /// Traces by the peer's own call for many; NULL: it has none.
    void (*trace_many)(const peer_segment *segments, peer_answer *answers, size_t count);
    int boxes; ///< trace answers boxes too
    void (*contents)(const float (*points)[3], int *answers, size_t count);
    void (*leaves)(const float (*points)[3], int *answers, size_t count);
} peer;

/// Each program of this folder has one.
extern const peer the_peer;

/// Returns a file's bytes with a zero after them, which the caller frees, or NULL, having said why.
void *peer_read(const char *path, long *size);

/// Returns zeroed memory out of one block that is never freed, one piece after the other as the
/// engines' own hunks have it.
void *peer_hunk(size_t size);

#endif
