// SPDX-License-Identifier: MIT
// Portals and leaks of a room that is cut into three leaves, in every branch: the openings are
// known by hand, and so is the way out through a wall that is taken away.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/portals.h"
#include "support/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEFT_WALL 1 // the node at x = -128, outside of which is behind it

// The box of each opening by its two leaves: x = 0 between leaf 1 and the others, y = 0 between
// these.
static const struct {
    uint32_t leaves[2];
    double box[2][3];
} known[3] = {
    {{1, 2}, {{0, 0, 0}, {0, 128, 128}}},
    {{1, 3}, {{0, -128, 0}, {0, 0, 128}}},
    {{2, 3}, {{-128, 0, 0}, {0, 0, 128}}},
};

static void check_portal(const bsp_portals *portals, const bsp_portal *portal) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (portal->leaves[0] != known[k].leaves[0] || portal->leaves[1] != known[k].leaves[1]) {
            continue;
        }
        assert_int_equal(portal->num_points, 4);
        for (int axis = 0; axis < 3; axis++) {
            double low = INFINITY;
            double high = -INFINITY;
            for (uint32_t i = 0; i < portal->num_points; i++) {
                low = fmin(low, portals->points[portal->first_point + i][axis]);
                high = fmax(high, portals->points[portal->first_point + i][axis]);
            }
            assert_true(fabs(low - known[k].box[0][axis]) < 1e-6);
            assert_true(fabs(high - known[k].box[1][axis]) < 1e-6);
        }
        return;
    }
    fail_msg("an opening between leaves %u and %u", portal->leaves[0], portal->leaves[1]);
}

static void test_openings(void **state) {
    (void)state;
    unsigned rooms = 0;
    for (size_t i = 0; bsp_branch_at(i) != NULL; i++) {
        room *r = room_build(bsp_branch_at(i));
        bsp_error error;
        if (r->map.num_nodes != 0) {
            bsp_portals *portals = bsp_portals_build(&r->map, NULL, &error);
            assert_non_null(portals);
            assert_int_equal(portals->count, 3);
            assert_int_equal(portals->num_clusters, ROOM_CLUSTERS);
            assert_int_equal(portals->num_blocked, 0);
            for (uint32_t p = 0; p < portals->count; p++) {
                check_portal(portals, &portals->list[p]);
            }
            bsp_portals_free(portals);
            rooms++;
        }
        room_free(r);
    }
    assert_true(rooms > 40);
}

static void check_sealed(const bsp_map *map) {
    bsp_error error;
    bsp_leak *leak = bsp_leak_find(map, NULL, &error);
    assert_non_null(leak);
    assert_false(leak->found);
    assert_int_equal(leak->num_points, 0);
    bsp_leak_free(leak);
}

static void check_leak(const bsp_map *map) {
    static const double way[3][3] = {{-64, 64, 24}, {-128, 64, 64}, {-136, 0, 64}};
    bsp_error error;
    bsp_leak *leak = bsp_leak_find(map, NULL, &error);
    assert_non_null(leak);
    assert_true(leak->found);
    assert_int_equal(leak->entity, 1);
    assert_int_equal(leak->num_points, 3);
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(leak->points[i][axis] - way[i][axis]) < 1e-6);
        }
    }
    bsp_leak_free(leak);
}

static void test_leaks(void **state) {
    (void)state;
    for (size_t i = 0; bsp_branch_at(i) != NULL; i++) {
        room *r = room_build(bsp_branch_at(i));
        if (r->map.num_nodes != 0) {
            check_sealed(&r->map);
            assert_int_equal(r->nodes[LEFT_WALL].children[1], -1);
            r->nodes[LEFT_WALL].children[1] = -1 - 3; // space where the wall was
            check_leak(&r->map);
        }
        room_free(r);
    }
}

#define CHAIN 400000u // nodes: going up from each one would be 8 * 10^10 steps
#define WALLS 100u    // planes, one before the other

// Makes a tree that is as deep as it has nodes. Those before the last `walls` name no plane.
static bsp_node *make_chain(room *r, uint32_t count, uint32_t walls) {
    static bsp_plane planes[WALLS];
    bsp_node *nodes = calloc(count, sizeof *nodes);
    assert_non_null(nodes);
    for (uint32_t i = 0; i < WALLS; i++) {
        planes[i] = (bsp_plane){.normal = {1, 0, 0}, .dist = (float)i - 50};
    }
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = r->nodes[0];
        nodes[i].plane = i < count - walls ? BSP_NONE : i - (count - walls);
        nodes[i].children[0] = i + 1 < count ? (int32_t)i + 1 : -1;
        nodes[i].children[1] = -1;
    }
    r->map.nodes = nodes;
    r->map.num_nodes = count;
    r->map.planes = planes;
    r->map.num_planes = WALLS;
    return nodes;
}

// A deep tree costs what it has of nodes, and what it cannot but cost is paid to the budget.
static void test_deep(void **state) {
    (void)state;
    room *r = room_build(bsp_branch_find("bsp2"));
    bsp_error error;
    bsp_node *nodes = make_chain(r, CHAIN, 0);
    bsp_portals *portals = bsp_portals_build(&r->map, NULL, &error);
    assert_non_null(portals);
    assert_int_equal(portals->count, 0);
    bsp_portals_free(portals);
    free(nodes);

    nodes = make_chain(r, 4000, WALLS);
    const bsp_limits limits = {.work = 1000000};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_non_null(budget);
    const bsp_portals_options options = {.budget = budget};
    assert_null(bsp_portals_build(&r->map, &options, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(budget);
    free(nodes);
    room_free(r);
}

static bool refuse(void *user, const char *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return false;
}

static void test_refused(void **state) {
    (void)state;
    const bsp_portals none = {0};
    bsp_error error;
    assert_false(bsp_portals_write(&none, (bsp_portals_form)9, refuse, NULL, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_false(bsp_portals_write(&none, BSP_PORTALS_PRT1, refuse, NULL, &error));
    assert_int_equal(error.code, BSP_E_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_openings),
                                       cmocka_unit_test(test_leaks), cmocka_unit_test(test_deep),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
