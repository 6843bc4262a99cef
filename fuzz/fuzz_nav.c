// SPDX-License-Identifier: MIT
// Navigation meshes: every number of what is read names something that is there.
#include "meter.h"

#include <math.h>

#define MOST ((size_t)1 << 24)

static void check_area(const bsp_nav *nav, uint32_t number) {
    const bsp_nav_area *area = &nav->areas[number];
    FUZZ_CHECK(area->num_connections <= nav->num_connections - area->first_connection);
    FUZZ_CHECK(area->num_spots <= nav->num_spots - area->first_spot);
    FUZZ_CHECK(area->place == BSP_NONE || area->place < nav->num_places);
    for (int i = 0; i < 4; i++) {
        FUZZ_CHECK(isfinite(area->corners[i][0]) && isfinite(area->light[i]));
    }
    for (uint32_t i = 0; i < area->num_connections; i++) {
        const bsp_nav_connection *c = &nav->connections[area->first_connection + i];
        uint32_t count = c->way >= BSP_NAV_UP ? nav->num_ladders : nav->num_areas;
        FUZZ_CHECK(c->to == BSP_NONE || c->to < count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    const bsp_nav_options options = {.allocator = &meter.allocator,
                                     .budget = fuzz_budget(&meter, MOST)};
    bsp_nav *nav = bsp_nav_open_memory((bsp_bytes){data, size}, &options, NULL);
    for (uint32_t i = 0; nav != NULL && i < nav->num_areas; i++) {
        check_area(nav, i);
    }
    for (uint32_t i = 0; nav != NULL && i < nav->num_ladders; i++) {
        for (int k = 0; k < 5; k++) {
            uint32_t area = nav->ladders[i].areas[k];
            FUZZ_CHECK(area == BSP_NONE || area < nav->num_areas);
        }
    }
    if (nav != NULL) {
        uint32_t area = bsp_nav_find(nav, (const float[3]){1, 2, 3});
        FUZZ_CHECK(area == BSP_NONE || area < nav->num_areas);
    }
    bsp_nav_free(nav);
    fuzz_meter_end(&meter, size);
    return 0;
}
