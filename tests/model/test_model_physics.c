// SPDX-License-Identifier: MIT
// Collision models of Source: the hulls of every .phy of ../shared/models are closed, convex and
// turned outwards, they are as many as an independent parser counted, enclose the volume that the
// game's own compiler wrote into the file's text, and stand where the vertices of their model
// stand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER BSP_TEST_SHARED "/models/"
#define CONVEX 0.02 // units that a point may stand before a face: the points are floats in metres
#define ROUND 1e-3  // of the volume; the text has it with six digits, of the solid before it shrank
#define APART 4.0   // units that hulls may stand out of the vertices' box: radius of the solids

/// What the collision models have together.
typedef struct totals {
    uint32_t models;
    uint32_t solids;
    uint32_t hulls;
    uint32_t triangles;
    uint32_t volumes;  ///< solids of one hull whose volume was compared
    uint32_t same;     ///< of these, within ROUND
    uint32_t compared; ///< models with vertices
    uint32_t inside;   ///< of these, with all hulls in the vertices' box
    uint32_t placed;   ///< hulls with a bone
} totals;

static void point_of(const bsp_model_mesh *mesh, uint32_t index, double out[3]) {
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = mesh->hull_points[mesh->hull_indices[index]][axis];
    }
}

// Sets `normal` (not of unit length) to that of the triangle from index `i` on, and `corner`.
static void plane_of(const bsp_model_mesh *mesh, uint32_t i, double normal[3], double corner[3]) {
    double b[3];
    double c[3];
    point_of(mesh, i, corner);
    point_of(mesh, i + 1, b);
    point_of(mesh, i + 2, c);
    for (int axis = 0; axis < 3; axis++) {
        b[axis] -= corner[axis];
        c[axis] -= corner[axis];
    }
    normal[0] = b[1] * c[2] - b[2] * c[1];
    normal[1] = b[2] * c[0] - b[0] * c[2];
    normal[2] = b[0] * c[1] - b[1] * c[0];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double volume_of(const bsp_model_mesh *mesh, const bsp_model_hull *hull) {
    double sum = 0;
    double middle[3] = {0, 0, 0};
    for (uint32_t i = 0; i < hull->num_points; i++) {
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] +=
                (double)mesh->hull_points[hull->first_point + i][axis] / hull->num_points;
        }
    }
    for (uint32_t i = 0; i < hull->num_indices; i += 3) {
        double normal[3];
        double corner[3];
        plane_of(mesh, hull->first_index + i, normal, corner);
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] -= middle[axis];
        }
        sum += dot(normal, corner) / 6;
    }
    return sum;
}

// Every edge is met by exactly one triangle in each direction, and V - E + F = 2.
static void check_closed(const char *name, const bsp_model_mesh *mesh, const bsp_model_hull *hull) {
    const uint32_t *index = mesh->hull_indices + hull->first_index;
    uint32_t n = hull->num_indices;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = index[i];
        uint32_t to = index[i / 3 * 3 + (i + 1) % 3];
        uint32_t same = 0;
        uint32_t back = 0;
        assert_true(from >= hull->first_point && from < hull->first_point + hull->num_points);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t other = index[k / 3 * 3 + (k + 1) % 3];
            same += index[k] == from && other == to;
            back += index[k] == to && other == from;
        }
        if (same != 1 || back != 1) {
            fail_msg("%s: an edge of a hull has %u and %u triangles", name, same, back);
        }
    }
    assert_int_equal((int)hull->num_points - (int)(n / 2) + (int)(n / 3), 2);
}

static void check_convex(const char *name, const bsp_model_mesh *mesh, const bsp_model_hull *hull) {
    for (uint32_t i = 0; i < hull->num_indices; i += 3) {
        double normal[3];
        double corner[3];
        plane_of(mesh, hull->first_index + i, normal, corner);
        double length = sqrt(dot(normal, normal));
        for (uint32_t k = 0; k < hull->num_points && length > 1e-4; k++) {
            double way[3];
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = (double)mesh->hull_points[hull->first_point + k][axis] - corner[axis];
            }
            if (dot(normal, way) / length > CONVEX) {
                fail_msg("%s: a point stands %g before a face of its hull", name,
                         dot(normal, way) / length);
            }
        }
    }
}

static bool is_inside(const bsp_model_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->num_hull_points; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double p = mesh->hull_points[i][axis];
            if (p < (double)mesh->mins[axis] - APART || p > (double)mesh->maxs[axis] + APART) {
                return false;
            }
        }
    }
    return true;
}

// --- the text of the file -----------------------------------------------------------------------

// Compares the volume of each solid of one hull with that which the text states.
static void compare_volumes(const bsp_model_mesh *mesh, bsp_bytes bytes, totals *total) {
    bsp_model_file *file = bsp_model_file_open_memory(bytes, "physics", NULL, NULL);
    assert_non_null(file);
    const bsp_parts *parts = bsp_model_file_parts(file);
    uint32_t part = bsp_parts_find(parts, bsp_text_of("keydata"));
    assert_int_not_equal(part, BSP_NONE);
    bsp_text text = {(const char *)parts->data.data + parts->parts[part].offset,
                     parts->parts[part].size};
    bsp_key_values *keys = bsp_key_values_parse(text, NULL, NULL);
    for (uint32_t i = 0; i < keys->count; i = keys->list[i].end) {
        bsp_text stated = bsp_key_values_get(keys, i, "volume");
        bsp_text index = bsp_key_values_get(keys, i, "index");
        uint32_t hulls = 0;
        double volume = 0;
        for (uint32_t h = 0; index.size != 0 && h < mesh->num_hulls; h++) {
            if (mesh->hulls[h].solid == (uint32_t)strtoul(index.data, NULL, 10)) {
                hulls++;
                volume += volume_of(mesh, &mesh->hulls[h]);
            }
        }
        if (hulls == 1 && stated.size != 0) {
            double wanted = strtod(stated.data, NULL);
            total->volumes++;
            total->same += fabs(volume - wanted) <= wanted * ROUND;
        }
    }
    bsp_key_values_free(keys);
    bsp_model_file_close(file);
}

// --- models -------------------------------------------------------------------------------------

static void look_at(const char *name, const bsp_model_asset *model, bsp_bytes phy, totals *total) {
    bsp_error error = {.code = BSP_OK};
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, NULL, &error);
    assert_non_null(mesh);
    assert_true(mesh->num_hulls != 0);
    for (uint32_t i = 0; i < mesh->num_hulls; i++) {
        const bsp_model_hull *hull = &mesh->hulls[i];
        check_closed(name, mesh, hull);
        check_convex(name, mesh, hull);
        assert_true(volume_of(mesh, hull) > 0);
        assert_true(hull->bone == BSP_NONE || hull->bone < mesh->num_bones);
        total->placed += hull->bone != BSP_NONE;
        total->triangles += hull->num_indices / 3;
    }
    compare_volumes(mesh, phy, total);
    total->models++;
    total->hulls += mesh->num_hulls;
    total->solids += mesh->hulls[mesh->num_hulls - 1].solid + 1;
    if (mesh->num_vertices != 0) {
        bool inside = is_inside(mesh);
        total->compared++;
        total->inside += inside;
        if (!inside) {
            print_message("%s: hulls out of the vertices' box\n", name);
        }
    }
    bsp_model_mesh_free(mesh);
}

static void print_totals(const totals *t) {
    print_message(
        "%u models, %u solids, %u hulls (%u at bones), %u triangles; %u of %u volumes are "
        "those of the text; %u of %u in the vertices' box\n",
        t->models, t->solids, t->hulls, t->placed, t->triangles, t->same, t->volumes, t->inside,
        t->compared);
}

// Reads a row of the list: returns false at the end; `path` is empty if it is no collision model.
static bool read_row(FILE *list, char path[512], uint32_t counts[3]) {
    char line[8192];
    path[0] = '\0';
    if (fgets(line, sizeof line, list) == NULL) {
        return false;
    }
    const char *kind = strstr(line, ".phy\tphy\t\t\t");
    const char *detail = strstr(line, "solids ");
    if (kind != NULL && detail != NULL) {
        snprintf(path, 512, FOLDER "%.*s", (int)(kind - line), line);
        counts[0] = (uint32_t)strtoul(kind + strlen(".phy\tphy\t\t\t"), NULL, 10);
        counts[1] = (uint32_t)strtoul(detail + strlen("solids "), NULL, 10);
        const char *ledges = strstr(detail, "ledges ");
        assert_non_null(ledges);
        counts[2] = (uint32_t)strtoul(ledges + strlen("ledges "), NULL, 10);
    }
    return true;
}

static void hulls_of_models_are_bodies(void **state) {
    (void)state;
    FILE *list = fopen(FOLDER "COUNTS.tsv", "r");
    totals total = {0};
    char path[512];
    uint32_t counts[3] = {0};
    if (list == NULL) {
        print_message("SKIP: ../shared/models is not there\n");
        skip();
    }
    while (read_row(list, path, counts)) {
        if (path[0] == '\0') {
            continue;
        }
        char name[520];
        bsp_error error = {.code = BSP_OK};
        bsp_blob blob;
        snprintf(name, sizeof name, "%s.phy", path);
        assert_true(bsp_blob_read(name, NULL, NULL, &blob, &error));
        snprintf(name, sizeof name, "%s.mdl", path);
        bsp_model_asset *model = bsp_model_open_path(name, NULL, &error);
        if (model == NULL) {
            fail_msg("%s: %s", name, error.message);
        }
        totals one = {0};
        look_at(name, model, (bsp_bytes){blob.data, blob.size}, &one);
        if (one.triangles != counts[0] || one.solids != counts[1] || one.hulls != counts[2]) {
            fail_msg("%s: %u triangles, %u solids, %u hulls, and not %u, %u, %u", name,
                     one.triangles, one.solids, one.hulls, counts[0], counts[1], counts[2]);
        }
        for (size_t i = 0; i < sizeof one / sizeof(uint32_t); i++) {
            ((uint32_t *)&total)[i] += ((const uint32_t *)&one)[i];
        }
        bsp_model_close(model);
        bsp_blob_free(&blob);
    }
    (void)fclose(list);
    print_totals(&total);
    assert_true(total.models >= 40);
    assert_int_equal(total.same, total.volumes);
    // w_eq_flashbang has the .phy of another grenade, and cone_projected_helper that of a cone.
    assert_true(total.inside + 2 >= total.compared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_of_models_are_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
