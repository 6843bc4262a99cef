// SPDX-License-Identifier: MIT
// Embree as a peer of traces, for an easier question: where a ray first meets a triangle of what is
// solid. It knows no contents, no boxes, no start in solid, and no distance to stop before.
#include "peer.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RTCScene scene;

static int load(const char *path, const peer_triangles *triangles) {
    RTCDevice device = rtcNewDevice("threads=1");
    (void)path;
    if (device == NULL || triangles->num_indices == 0) {
        return 0;
    }
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *points = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                            12, triangles->num_points);
    unsigned *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                RTC_FORMAT_UINT3, 12, triangles->num_indices / 3);
    if (points == NULL || indices == NULL) {
        return 0;
    }
    memcpy(points, triangles->points, triangles->num_points * 12);
    memcpy(indices, triangles->indices, triangles->num_indices * sizeof *indices);
    rtcCommitGeometry(geometry);
    scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    rtcAttachGeometry(scene, geometry);
    rtcCommitScene(scene);
    return 1;
}

static struct RTCRayHit ray_of(const peer_segment *s) {
    struct RTCRayHit ray;
    memset(&ray, 0, sizeof ray);
    ray.ray.org_x = s->start[0];
    ray.ray.org_y = s->start[1];
    ray.ray.org_z = s->start[2];
    ray.ray.dir_x = s->end[0] - s->start[0];
    ray.ray.dir_y = s->end[1] - s->start[1];
    ray.ray.dir_z = s->end[2] - s->start[2];
    ray.ray.tfar = 1;
    ray.ray.mask = (unsigned)-1;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return ray;
}

static void answer_of(const peer_segment *s, const struct RTCRayHit *ray, peer_answer *answer) {
    float length = sqrtf(ray->hit.Ng_x * ray->hit.Ng_x + ray->hit.Ng_y * ray->hit.Ng_y +
                         ray->hit.Ng_z * ray->hit.Ng_z);
    float scale = ray->hit.geomID == RTC_INVALID_GEOMETRY_ID || length == 0 ? 0 : 1 / length;
    answer->fraction = ray->ray.tfar;
    for (int k = 0; k < 3; k++) {
        answer->end[k] = s->start[k] + ray->ray.tfar * (s->end[k] - s->start[k]);
    }
    answer->normal[0] = ray->hit.Ng_x * scale;
    answer->normal[1] = ray->hit.Ng_y * scale;
    answer->normal[2] = ray->hit.Ng_z * scale;
    answer->start_solid = 0;
    answer->all_solid = 0;
}

static void trace(const peer_segment *segments, peer_answer *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct RTCRayHit ray = ray_of(&segments[i]);
#if RTC_VERSION_MAJOR >= 4
        rtcIntersect1(scene, &ray, NULL);
#else
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene, &context, &ray);
#endif
        answer_of(&segments[i], &ray, &answers[i]);
    }
}

#if RTC_VERSION_MAJOR < 4
#define STREAM 256u // rays a call

static void trace_many(const peer_segment *segments, peer_answer *answers, size_t count) {
    static struct RTCRayHit rays[STREAM];
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (size_t first = 0; first < count; first += STREAM) {
        unsigned rest = (unsigned)(count - first < STREAM ? count - first : STREAM);
        for (unsigned i = 0; i < rest; i++) {
            rays[i] = ray_of(&segments[first + i]);
        }
        rtcIntersect1M(scene, &context, rays, rest, sizeof *rays);
        for (unsigned i = 0; i < rest; i++) {
            answer_of(&segments[first + i], &rays[i], &answers[first + i]);
        }
    }
}
#endif

const peer the_peer = {
    .name = "Embree",
    .wants_triangles = 1,
    .load = load,
    .trace = trace,
#if RTC_VERSION_MAJOR < 4
    .trace_many = trace_many,
#endif
};
