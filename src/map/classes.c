// SPDX-License-Identifier: MIT
// Which brush models are solid, which are drawn, and whether they are rotated, when a map begins:
// the effect of a class of entities, its spawnflags and keys in the games' own code. Classes
// outside of the table are solid and drawn. Sources: the published game code of Quake, Quake 2,
// Quake 3, Half-Life and the Source SDK 2013; classes of Counter-Strike and Team Fortress by their
// meaning.
#include "map/classes.h"

#include <assert.h>
#include <string.h>

#define GS (1u << BSP_CODE_GOLDSRC)
#define Q2 (1u << BSP_CODE_QUAKE2)
#define SO (1u << BSP_CODE_SOURCE)
#define ALL UINT32_MAX
#define ANY UINT32_MAX // any bit

typedef enum doing {
    OPEN = 1,     ///< it is not solid
    SOLID = 2,    ///< it is solid, in spite of an earlier row
    UPRIGHT = 4,  ///< its angles are a direction of movement, or set to 0: it is not rotated
    NO_YAW = 8,   ///< its yaw is the direction of its parts when it breaks, and is set to 0
    UNSEEN = 16,  ///< it is never drawn
    LATER = 32,   ///< it is not drawn until an event shows it
    PRESENT = 64, ///< it is drawn, in spite of an earlier row
    WORLD = 128,  ///< it counts as world (FL_WORLDBRUSH): it stops sight however it is drawn
} doing;

// The effect of a class; if there is a key, only where its number has one of the bits. Of all rows
// that fit the last is taken. A name that ends in '*' matches all names that begin so.
typedef struct class_row {
    const char *name;
    uint32_t codes; // of games, as bits
    uint32_t does;  // the effect, as bits
    const char *key;
    uint32_t bits;
} class_row;

#define FLAGS "spawnflags"

static const class_row rows[] = {
    // Never solid.
    {"trigger_*", ALL, OPEN | UNSEEN, NULL, 0},
    {"func_areaportal*", ALL, OPEN, NULL, 0},
    {"func_detail_illusionary", ALL, OPEN, NULL, 0},
    {"func_illusionary", ALL, OPEN, NULL, 0},
    {"func_friction", GS | SO, OPEN, NULL, 0},
    {"func_ladder*", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_bomb_target", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_buyzone", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_escapezone", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_hostage_rescue", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_vip_safetyzone", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_killbox", Q2, OPEN | UNSEEN, NULL, 0},
    {"env_bubbles", GS, OPEN | UNSEEN, NULL, 0},
    {"func_grencatch", GS, OPEN, NULL, 0},
    {"func_monsterclip", GS, OPEN | UNSEEN, NULL, 0}, // stops monsters only
    {"func_mortar_field", GS, OPEN | UNSEEN, NULL, 0},
    {"func_nobuild", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_nogrenades", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_rain", GS, OPEN | UNSEEN, NULL, 0},
    {"func_snow", GS, OPEN | UNSEEN, NULL, 0},
    {"func_tankcontrols", GS, OPEN | UNSEEN, NULL, 0},
    {"func_traincontrols", GS | SO, OPEN | UNSEEN, NULL, 0},
    {"func_vehiclecontrols", GS, OPEN | UNSEEN, NULL, 0},
    {"func_water", GS, OPEN, NULL, 0},
    {"func_weaponcheck", GS, OPEN | UNSEEN, NULL, 0},
    {"game_zone_player", GS, OPEN | UNSEEN, NULL, 0},
    {"env_embers", SO, OPEN | UNSEEN, NULL, 0},
    {"func_bot_*", SO, OPEN | UNSEEN, NULL, 0},
    {"func_capturezone", SO, OPEN | UNSEEN, NULL, 0},
    {"func_changeclass", SO, OPEN | UNSEEN, NULL, 0},
    {"func_clip_vphysics", SO, OPEN | UNSEEN, NULL, 0}, // stops simulated objects only
    {"func_croc", SO, OPEN | UNSEEN, NULL, 0},
    {"func_dustcloud", SO, OPEN | UNSEEN, NULL, 0},
    {"func_dustmotes", SO, OPEN | UNSEEN, NULL, 0},
    {"func_fish_pool", SO, OPEN | UNSEEN, NULL, 0},
    {"func_flag_alert", SO, OPEN | UNSEEN, NULL, 0},
    {"func_flagdetectionzone", SO, OPEN | UNSEEN, NULL, 0},
    {"func_nav_*", SO, OPEN | UNSEEN, NULL, 0},
    {"func_no_defuse", SO, OPEN | UNSEEN, NULL, 0},
    {"func_occluder", SO, OPEN | UNSEEN, NULL, 0},
    {"func_passtime_*", SO, OPEN | UNSEEN, NULL, 0},
    {"func_powerupvolume", SO, OPEN | UNSEEN, NULL, 0},
    {"func_precipitation*", SO, OPEN | UNSEEN, NULL, 0},
    {"func_proprrespawnzone", SO, OPEN | UNSEEN, NULL, 0},
    {"func_regenerate", SO, OPEN | UNSEEN, NULL, 0},
    {"func_respawnflag", SO, OPEN | UNSEEN, NULL, 0},
    {"func_respawnroom", SO, OPEN | UNSEEN, NULL, 0},
    {"func_simpleladder", SO, OPEN | UNSEEN, NULL, 0},
    {"func_smokevolume", SO, OPEN | UNSEEN, NULL, 0},
    {"func_suggested_build", SO, OPEN | UNSEEN, NULL, 0},
    {"func_tfbot_hint", SO, OPEN | UNSEEN, NULL, 0},
    {"func_upgradestation", SO, OPEN | UNSEEN, NULL, 0},
    {"func_useableladder", SO, OPEN | UNSEEN, NULL, 0},
    {"func_viscluster", SO, OPEN | UNSEEN, NULL, 0},
    // Solid unless a key says otherwise.
    {"func_conveyor", GS | SO, OPEN, FLAGS, 2},
    {"func_door", GS | SO, OPEN, FLAGS, 8},
    {"func_door", GS, OPEN, "skin", ANY}, // doors made of water
    {"func_door_rotating", GS | SO, OPEN, FLAGS, 8},
    {"func_pendulum", GS, OPEN, FLAGS, 8},
    {"func_rot_button", GS | SO, OPEN, FLAGS, 1},
    {"func_rotating", GS | SO, OPEN, FLAGS, 64},
    {"func_tracktrain", GS | SO, OPEN, FLAGS, 8},
    {"func_train", GS, OPEN, FLAGS, 8},
    {"func_wall_toggle", GS | SO, OPEN | LATER, FLAGS, 1},
    {"momentary_rot_button", GS, OPEN, NULL, 0},
    {"momentary_rot_button", GS, SOLID, FLAGS, 1},
    {"func_brush", SO, OPEN | LATER, "StartDisabled", ANY},
    {"func_brush", SO, SOLID, "Solidity", 2},
    {"func_brush", SO, OPEN, "Solidity", 1},
    {"func_lod", SO, OPEN, "Solid", ANY},
    {"func_movelinear", SO, OPEN, FLAGS, 8},
    {"func_explosive", Q2, OPEN | LATER, FLAGS, 1},
    {"func_object", Q2, OPEN | LATER, FLAGS, ANY},
    {"func_wall", Q2, OPEN | LATER, FLAGS, 7},
    {"func_wall", Q2, SOLID | PRESENT, FLAGS, 4},
    // Not rotated by their angles.
    {"func_button", Q2 | GS, UPRIGHT, NULL, 0},
    {"func_conveyor", GS, UPRIGHT, NULL, 0},
    {"func_door", Q2 | GS, UPRIGHT, NULL, 0},
    {"func_door_rotating", Q2, UPRIGHT, NULL, 0},
    {"func_door_secret*", Q2, UPRIGHT, NULL, 0},
    {"func_plat*", Q2 | GS, UPRIGHT, NULL, 0},
    {"func_train", Q2, UPRIGHT, NULL, 0},
    {"func_water", Q2 | GS, UPRIGHT, NULL, 0},
    {"func_wall*", GS | SO, UPRIGHT, NULL, 0},
    {"momentary_door", GS, UPRIGHT, NULL, 0},
    {"func_vehicleclip", SO, UPRIGHT | UNSEEN, NULL, 0},
    {"func_illusionary", GS | SO, UPRIGHT, NULL, 0},
    {"func_breakable*", SO, UPRIGHT, NULL, 0},
    {"func_breakable", GS, NO_YAW, NULL, 0},
    {"func_pushable", GS, NO_YAW, FLAGS, 128}, // breakable ones
    // Glass that nothing breaks counts as world too, but no row can ask for its one material.
    {"func_wall*", GS, WORLD, NULL, 0},
    {"func_conveyor", GS, WORLD, NULL, 0},
};

bool bspi_class_fits(const char *pattern, bsp_text name) {
    size_t length = strlen(pattern);
    bool begins = pattern[length - 1] == '*';
    length -= begins ? 1 : 0;
    return (begins ? name.size >= length : name.size == length) &&
           memcmp(name.data, pattern, length) == 0;
}

static bool fits(const class_row *row, bsp_game_code code, bsp_text name,
                 const bsp_entity *entity) {
    int64_t number;
    return (row->codes >> code & 1) != 0 && bspi_class_fits(row->name, name) &&
           (row->key == NULL || (bsp_parse_int(bsp_entity_value(entity, row->key), &number) &&
                                 ((uint32_t)number & row->bits) != 0));
}

// Returns the bits of `either` that the last fitting row has set; rows without any of them are
// skipped.
static uint32_t last_of(const bsp_map *map, const bsp_entity *entity, uint32_t either) {
    bsp_text name = bsp_entity_value(entity, "classname");
    uint32_t last = 0;
    for (size_t i = 0; name.size != 0 && i < sizeof rows / sizeof *rows; i++) {
        if ((rows[i].does & either) != 0 && fits(&rows[i], map->traits->game_code, name, entity)) {
            last = rows[i].does & either;
        }
    }
    return last;
}

bool bsp_entity_is_solid(const bsp_map *map, const bsp_entity *entity) {
    assert(map != NULL && entity != NULL);
    bool named = bsp_entity_value(entity, "classname").size != 0; // the game removes the others
    return named && last_of(map, entity, OPEN | SOLID) != OPEN;
}

bool bspi_class_stops_sight(const bsp_map *map, const bsp_entity *entity) {
    int64_t mode;
    bsp_text text = bsp_entity_value(entity, "rendermode");
    return !map->traits->sight_through_modes || !bsp_parse_int(text, &mode) || mode == 0 ||
           last_of(map, entity, WORLD) == WORLD;
}

void bspi_class_turn(const bsp_map *map, const bsp_entity *entity, float angles[3]) {
    uint32_t last = last_of(map, entity, UPRIGHT | NO_YAW);
    if (map->traits->upright_models || last == UPRIGHT) {
        memset(angles, 0, 3 * sizeof *angles);
    } else if (last == NO_YAW) {
        angles[1] = 0;
    }
}

bsp_presence bspi_class_presence(const bsp_map *map, const bsp_entity *entity) {
    uint32_t last = last_of(map, entity, UNSEEN | LATER | PRESENT);
    return last == UNSEEN ? BSP_NEVER_SEEN : last == LATER ? BSP_SEEN_LATER : BSP_SEEN;
}
