// SPDX-License-Identifier: MIT
// Area portals on the command line.
#ifndef CLI_PORTALS_H
#define CLI_PORTALS_H

#include "bspkit/query.h"
#include "cli/parts/output.h"

/// The ways between areas in the state that options give.
typedef struct cli_portals {
    bsp_area_links *links;
    bool *open;       ///< for each link
    bool *given;      ///< for each link: an option says it
    uint32_t *groups; ///< for each area
    uint32_t num_groups;
} cli_portals;

/// Finds the ways between areas, begins with their state as the map begins, and changes it: `open`
/// and `closed` list portals by number or name, or are "all", "none" or NULL. Returns CLI_DONE, or
/// another status after a message. Free `portals` anyway.
cli_status cli_portals_find(const char *path, const bsp_map *map, const char *open,
                            const char *closed, cli_portals *portals);
void cli_portals_free(cli_portals *portals);

/// Returns the value of a key of the entity with that number; empty for BSP_NONE.
bsp_text cli_value_of_number(const bsp_map *map, uint32_t entity, const char *key);

#endif
