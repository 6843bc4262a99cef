// SPDX-License-Identifier: MIT
/// @file nav.h
/// Navigation meshes (.nav): where the bots of Counter-Strike and of the games of Source can walk.
/// Layout: "NAV (file format)" of the Valve developer wiki.
#ifndef BSPKIT_NAV_H
#define BSPKIT_NAV_H

#include "bspkit/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The way of a connection, seen from above with +x to the right and +y up. The corners of areas
/// have their names from the same ways: "north" is -y.
typedef enum bsp_nav_way {
    BSP_NAV_NORTH = 0, ///< -y
    BSP_NAV_EAST = 1,  ///< +x
    BSP_NAV_SOUTH = 2, ///< +y
    BSP_NAV_WEST = 3,  ///< -x
    BSP_NAV_UP = 4,    ///< by a ladder
    BSP_NAV_DOWN = 5,  ///< by a ladder
} bsp_nav_way;

/// That one can get from an area to another, or to a ladder.
typedef struct bsp_nav_connection {
    uint32_t to;     ///< number of the areas; with BSP_NAV_UP and BSP_NAV_DOWN of the ladders;
                     ///< BSP_NONE: the file has none with that id
    bsp_nav_way way; ///< on which side the target lies
} bsp_nav_connection;

/// A place where a bot hides or waits.
typedef struct bsp_nav_spot {
    uint32_t id;     ///< that the file has for it
    float origin[3]; ///< game units
    uint32_t flags;  ///< 1 in cover, 2 good for snipers, 4 ideal for snipers, 8 exposed
} bsp_nav_spot;

/// A rectangle, seen from above, on which one can walk anywhere.
typedef struct bsp_nav_area {
    uint32_t id;               ///< that the file has for it
    uint32_t flags;            ///< see bsp_nav_flag_name
    float corners[4][3];       ///< game units: at -x -y, +x -y, +x +y, -x +y
    uint32_t place;            ///< number of the places, or BSP_NONE
    uint32_t first_connection; ///< run of the connections, in the order of their ways
    uint32_t num_connections;
    uint32_t first_spot; ///< run of the spots
    uint32_t num_spots;
    uint32_t num_visible; ///< areas that it lists as seen from it; version 16
    float light[4];       ///< at the corners, 0..1, from version 11 on; else 0
    uint32_t spawn_flags; ///< Left 4 Dead: see bsp_nav_spawn_name; else 0
} bsp_nav_area;

/// A ladder.
typedef struct bsp_nav_ladder {
    uint32_t id;       ///< that the file has for it
    float width;       ///< game units, as the next ones
    float length;      ///< from bottom to top
    float top[3];      ///< middle of its upper end
    float bottom[3];   ///< middle of its lower end
    uint32_t way;      ///< a bsp_nav_way: where it looks
    uint32_t areas[5]; ///< at its top ahead, left, right and behind, and at its bottom; numbers of
                       ///< the areas, or BSP_NONE
} bsp_nav_ladder;

/// What a game writes for each area beyond what all write.
typedef enum bsp_nav_extra {
    BSP_NAV_PLAIN = 0,         ///< nothing
    BSP_NAV_TEAM_FORTRESS = 1, ///< flags of Team Fortress 2, which are skipped
    BSP_NAV_APPROACHES = 2,    ///< ways by which enemies come (Counter-Strike), which are skipped
    BSP_NAV_LEFT4DEAD = 3,     ///< flags of what is spawned there
} bsp_nav_extra;

/// A navigation mesh. Plain data, immutable. Freed by bsp_nav_free.
typedef struct bsp_nav {
    uint32_t version;       ///< 5 to 16
    uint32_t subversion;    ///< of the game; 0 below version 10
    uint32_t map_bytes;     ///< size of the .bsp that it was made for
    bool analyzed;          ///< light, visibility and the like were computed; from version 14 on
    bsp_nav_extra extra;    ///< what each area has more
    uint32_t unread;        ///< bytes after the last ladder, whose meaning is not known
    const bsp_text *places; ///< names such as "BombsiteA"
    uint32_t num_places;
    bsp_text population; ///< Left 4 Dead: which population of the game lives where no place is
    const bsp_nav_area *areas; ///< in the order of the file
    uint32_t num_areas;
    const bsp_nav_connection *connections; ///< of all areas
    uint32_t num_connections;
    const bsp_nav_spot *spots; ///< of all areas
    uint32_t num_spots;
    const bsp_nav_ladder *ladders; ///< in the order of the file
    uint32_t num_ladders;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_nav;

/// How a navigation mesh is read. All zero gives the defaults.
typedef struct bsp_nav_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the limits of BSP_PRODUCT_FILE
} bsp_nav_options;

/// Reads a navigation mesh of version 5 to 16, which is not needed afterwards: texts are copied.
/// Subversions other than 0 (plain), 1 (Counter-Strike) and 2 (Team Fortress 2) are read if one of
/// these kinds of areas leads to the end of the file; 13 and 14 (Left 4 Dead) if the file is as
/// those of Left 4 Dead 2 are, which alone were at hand. Returns NULL on failure: BSP_E_FORMAT if
/// it is no such file, BSP_E_UNSUPPORTED for another version or game, BSP_E_RANGE where it ends too
/// early, BSP_E_MEMORY, BSP_E_LIMIT. Free it with bsp_nav_free.
BSP_API bsp_nav *bsp_nav_open_memory(bsp_bytes data, const bsp_nav_options *options,
                                     bsp_error *error);
/// Reads a navigation mesh from a file ("-" is standard input) as bsp_nav_open_memory does; also
/// fails as bsp_blob_read does.
BSP_API bsp_nav *bsp_nav_open(const char *path, const bsp_nav_options *options, bsp_error *error);
/// Frees a navigation mesh. NULL is allowed and does nothing.
BSP_API void bsp_nav_free(bsp_nav *nav);

/// Returns the height of an area's surface at x, y in game units, which are taken to be on the
/// rectangle. `area` is a number of the areas.
BSP_API float bsp_nav_height(const bsp_nav *nav, uint32_t area, float x, float y);
/// Returns the area on which something at a point stands: of those whose rectangle holds x and y
/// the highest that is at most 5 units above the point and 120 below it, as the games look for it;
/// or BSP_NONE.
BSP_API uint32_t bsp_nav_find(const bsp_nav *nav, const float point[3]);
/// Returns the name of one flag of areas ("crouch", "jump", "avoid"), or NULL if it has none.
BSP_API const char *bsp_nav_flag_name(uint32_t flag);
/// Returns the name of one spawn flag of areas of Left 4 Dead ("checkpoint", "no_mobs"), or NULL if
/// it has none. The names are those of the game's editor.
BSP_API const char *bsp_nav_spawn_name(uint32_t flag);

#ifdef __cplusplus
}
#endif
#endif
