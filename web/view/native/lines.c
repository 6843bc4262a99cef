// SPDX-License-Identifier: MIT
// Lines over the picture: portals, and the areas of a navigation mesh.
#include "session.h"

#include <stdlib.h>

static bool add_line(const float from[3], const float to[3]) {
    return bv_answer_add(NULL, (const char *)from, 3 * sizeof *from) &&
           bv_answer_add(NULL, (const char *)to, 3 * sizeof *to);
}

// --- portals ------------------------------------------------------------------------------------

static bool is_seen(const bv_session *s, uint32_t leaf) {
    return leaf < s->map->num_leaves &&
           bsp_query_row_sees(s->map, s->row, s->map->leaves[leaf].cluster);
}

static bool add_portal(const bsp_portals *portals, const bsp_portal *portal) {
    for (uint32_t i = 0; i < portal->num_points; i++) {
        const double *a = portals->points[portal->first_point + i];
        const double *b = portals->points[portal->first_point + (i + 1) % portal->num_points];
        const float from[3] = {(float)a[0], (float)a[1], (float)a[2]};
        const float to[3] = {(float)b[0], (float)b[1], (float)b[2]};
        if (!add_line(from, to)) {
            return false;
        }
    }
    return true;
}

/// Answers with the edges, six floats each, of the portals whose two leaves may be seen from a
/// point; of all portals where the point is in solid. Returns false on failure.
BV_API int bv_portal_lines(bv_session *s, const float point[3]) {
    if (s->portals == NULL) {
        s->portals = bsp_portals_build(s->map, NULL, &bv_last_error);
    }
    if (s->portals == NULL) {
        return false;
    }
    uint32_t cluster = bsp_query_cluster(s->map, point);
    if (cluster != BSP_NONE) {
        bsp_map_visible(s->map, cluster, false, s->row);
    }
    bool done = true;
    bv_answer_begin();
    for (uint32_t i = 0; i < s->portals->count && done; i++) {
        const bsp_portal *portal = &s->portals->list[i];
        bool wanted =
            cluster == BSP_NONE || (is_seen(s, portal->leaves[0]) && is_seen(s, portal->leaves[1]));
        done = !wanted || add_portal(s->portals, portal);
    }
    return done;
}

// --- navigation meshes --------------------------------------------------------------------------

static bool add_area(const bsp_nav_area *area) {
    for (uint32_t i = 0; i < 4; i++) {
        if (!add_line(area->corners[i], area->corners[(i + 1) % 4])) {
            return false;
        }
    }
    return true;
}

/// Reads a navigation mesh, and answers with the edges of its areas, and its ladders, six floats
/// each. `bytes` stays the caller's. Returns false on failure: bv_error says why.
BV_API int bv_nav_lines(const uint8_t *bytes, uint32_t size) {
    bsp_nav *nav = bsp_nav_open_memory((bsp_bytes){bytes, size}, NULL, &bv_last_error);
    bool done = nav != NULL;
    bv_answer_begin();
    for (uint32_t i = 0; done && i < nav->num_areas; i++) {
        done = add_area(&nav->areas[i]);
    }
    for (uint32_t i = 0; done && i < nav->num_ladders; i++) {
        done = add_line(nav->ladders[i].bottom, nav->ladders[i].top);
    }
    bsp_nav_free(nav);
    return done;
}
