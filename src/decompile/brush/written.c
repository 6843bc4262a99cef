// SPDX-License-Identifier: MIT
// See the header. Sides without a polygon are bevels or duplicate planes, which only the compiler
// needs.
#include "decompile/brush/written.h"

#include "core/vector.h"
#include "decompile/brush/faces.h"

#include <math.h>
#include <string.h>

// The most corners of a side; polygons with more lose those that hardly change the outline.
#define CORNERS BSPI_POLYGON_CORNERS
// A point this deep below a plane, in units, is inside after any number of cuts, each of which
// leaves all that is deeper than BSP_BRUSH_EPSILON; the more so where it may lie this far off the
// plane of its own polygon.
#define SURE_DEPTH (8 * BSP_BRUSH_EPSILON)
#define PLANE_SLACK (2 * BSP_BRUSH_EPSILON)

uint32_t bspi_shaper_points(const bspi_shaper *s, const bsp_brush_polygon *polygon,
                            const double *origin, double (*points)[3]) {
    uint32_t count = polygon->num_indices < CORNERS ? polygon->num_indices : CORNERS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = s->hulls->indices[polygon->first_index + i];
        for (int a = 0; a < 3; a++) {
            points[i][a] = s->hulls->points[index].at[a] + (origin != NULL ? origin[a] : 0);
        }
    }
    return count;
}

void bspi_shaper_plane(const bspi_shaper *s, uint32_t side, double normal[3], double *dist) {
    const bsp_map *map = s->map;
    const bsp_plane *plane = &map->planes[map->brush_sides[side].plane];
    double length = 0;
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)plane->normal[i];
        length += normal[i] * normal[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
    }
    *dist = (double)plane->dist / length;
}

// Computes the plane and the points of a side as they are written, moved by `origin` (may be NULL),
// and the mean of its corners.
static void write_side(const bspi_shaper *s, const bsp_brush_polygon *from, const double *origin,
                       bspi_written_side *side) {
    double points[CORNERS][3];
    double normal[3];
    double dist;
    uint32_t count = bspi_shaper_points(s, from, origin, points);
    bspi_shaper_plane(s, from->side, normal, &dist);
    for (int a = 0; origin != NULL && a < 3; a++) {
        dist += normal[a] * origin[a];
    }
    bspi_write_plane(&side->plane, normal, dist, (const double(*)[3])points, count);
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            sum += points[i][a];
        }
        side->middle[a] = sum / count;
    }
}

// Returns true if each side bounds the hull for certain: the middle of its polygon lies below all
// other planes, deeper than cuts are inexact.
static bool all_bound(const bspi_written_side *sides, uint32_t count) {
    for (uint32_t p = 0; p < count; p++) {
        const bspi_written_plane *plane = &sides[p].plane;
        if (!(fabs(bspi_vec_dot(plane->normal, sides[p].middle) - plane->dist) <= PLANE_SLACK)) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            double off = bspi_vec_dot(plane->normal, sides[i].middle) - plane->dist;
            if (i != p && !(off <= -SURE_DEPTH)) {
                return false;
            }
        }
    }
    return true;
}

// Returns the polygon that is written first. Quake 3's compiler takes the contents of a brush from
// its first side, and the order of sides is lost in the file, where the axial planes come first: a
// side with the brush's own shader is first, or one with its contents.
uint32_t bspi_shaper_first(const bspi_shaper *s, uint32_t brush) {
    const bsp_map *map = s->map;
    const bsp_brush_hull *hull = bspi_shaper_hull(s, brush);
    uint32_t wanted = map->brushes[brush].material;
    uint32_t alike = 0;
    if (map->num_draw_verts == 0 || wanted == BSP_NONE) {
        return 0;
    }
    for (uint32_t p = hull->num_polygons; p-- > 0;) {
        uint32_t side = s->hulls->polygons[hull->first_polygon + p].side;
        uint32_t material = map->brush_sides[side].material;
        if (material == wanted) {
            return p;
        }
        if (material != BSP_NONE &&
            map->materials[material].contents == map->materials[wanted].contents) {
            alike = p;
        }
    }
    return alike;
}

// Finds which polygons of a hull still bound it with the planes that are written: where three
// planes almost meet in a line, one may not. All do if nothing would be left.
void bspi_shaper_write(const bspi_shaper *s, uint32_t brush, const double *origin,
                       bspi_written_side *sides) {
    const bsp_brush_hull *hull = bspi_shaper_hull(s, brush);
    uint32_t first = bspi_shaper_first(s, brush);
    bspi_polyhedron *solid = s->cutter;
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        write_side(s, &s->hulls->polygons[hull->first_polygon + p], origin, &sides[p]);
    }
    if (all_bound(sides, hull->num_polygons)) {
        for (uint32_t p = 0; p < hull->num_polygons; p++) {
            sides[p].bounds = true;
        }
        return;
    }
    bool whole = true;
    bspi_polyhedron_box(solid, BSPI_DOCUMENT_BOX);
    for (uint32_t i = 0; whole && i < hull->num_polygons; i++) { // in the order of writing
        uint32_t p = i == 0 ? first : i <= first ? i - 1 : i;
        const bspi_written_plane *plane = &sides[p].plane;
        whole = bspi_polyhedron_cut(solid, plane->normal, plane->dist, p, BSP_BRUSH_EPSILON);
    }
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        sides[p].bounds = !whole || solid->failed;
    }
    for (uint32_t i = 0; whole && i < solid->num_polygons; i++) {
        uint32_t tag = solid->polygons[i].tag;
        if (tag != BSP_NONE) {
            sides[tag].bounds = true;
        }
    }
}
