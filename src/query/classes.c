// SPDX-License-Identifier: MIT
// Which brush models stand in the way, and how they are turned, when a map begins: what the games'
// own code makes of a class of entities, its spawnflags and keys. Classes that are not in the table
// are solid. Sources: the published game code of Quake, Quake 2, Quake 3, Half-Life and the Source
// SDK 2013; classes of Counter-Strike and Team Fortress by their meaning.
#include "query/collide.h"

#include <string.h>

#define GS (1u << BSP_GOLDSRC)
#define Q2 (1u << BSP_QUAKE2)
#define SO (1u << BSP_SOURCE | 1u << BSP_TITANFALL)
#define ALL UINT32_MAX
#define ANY UINT32_MAX // bit at all

typedef enum doing {
    OPEN,    ///< nothing bumps into it
    SOLID,   ///< or it does: against a row before
    UPRIGHT, ///< its angles are a direction of movement, or not looked at: it is not turned
} doing;

// What a class does; if there is a key, only where its number has one of the bits. Of rows that
// fit the last counts. A name that ends in '*' is all that begin so.
typedef struct class_row {
    const char *name;
    uint32_t families;
    doing does;
    const char *key;
    uint32_t bits;
} class_row;

#define FLAGS "spawnflags"

static const class_row rows[] = {
    // Nowhere solid.
    {"trigger_*", ALL, OPEN, NULL, 0},
    {"func_areaportal*", ALL, OPEN, NULL, 0},
    {"func_detail_illusionary", ALL, OPEN, NULL, 0},
    {"func_illusionary", ALL, OPEN, NULL, 0},
    {"func_friction", GS | SO, OPEN, NULL, 0},
    {"func_ladder*", GS | SO, OPEN, NULL, 0},
    {"func_bomb_target", GS | SO, OPEN, NULL, 0},
    {"func_buyzone", GS | SO, OPEN, NULL, 0},
    {"func_escapezone", GS | SO, OPEN, NULL, 0},
    {"func_hostage_rescue", GS | SO, OPEN, NULL, 0},
    {"func_vip_safetyzone", GS | SO, OPEN, NULL, 0},
    {"func_killbox", Q2, OPEN, NULL, 0},
    {"env_bubbles", GS, OPEN, NULL, 0},
    {"func_grencatch", GS, OPEN, NULL, 0},
    {"func_monsterclip", GS, OPEN, NULL, 0}, // stops monsters only
    {"func_mortar_field", GS, OPEN, NULL, 0},
    {"func_nobuild", GS | SO, OPEN, NULL, 0},
    {"func_nogrenades", GS | SO, OPEN, NULL, 0},
    {"func_rain", GS, OPEN, NULL, 0},
    {"func_snow", GS, OPEN, NULL, 0},
    {"func_tankcontrols", GS, OPEN, NULL, 0},
    {"func_traincontrols", GS | SO, OPEN, NULL, 0},
    {"func_vehiclecontrols", GS, OPEN, NULL, 0},
    {"func_water", GS, OPEN, NULL, 0},
    {"func_weaponcheck", GS, OPEN, NULL, 0},
    {"game_zone_player", GS, OPEN, NULL, 0},
    {"env_embers", SO, OPEN, NULL, 0},
    {"func_bot_*", SO, OPEN, NULL, 0},
    {"func_capturezone", SO, OPEN, NULL, 0},
    {"func_changeclass", SO, OPEN, NULL, 0},
    {"func_clip_vphysics", SO, OPEN, NULL, 0}, // stops simulated things only
    {"func_croc", SO, OPEN, NULL, 0},
    {"func_dustcloud", SO, OPEN, NULL, 0},
    {"func_dustmotes", SO, OPEN, NULL, 0},
    {"func_fish_pool", SO, OPEN, NULL, 0},
    {"func_flag_alert", SO, OPEN, NULL, 0},
    {"func_flagdetectionzone", SO, OPEN, NULL, 0},
    {"func_nav_*", SO, OPEN, NULL, 0},
    {"func_no_defuse", SO, OPEN, NULL, 0},
    {"func_occluder", SO, OPEN, NULL, 0},
    {"func_passtime_*", SO, OPEN, NULL, 0},
    {"func_powerupvolume", SO, OPEN, NULL, 0},
    {"func_precipitation*", SO, OPEN, NULL, 0},
    {"func_proprrespawnzone", SO, OPEN, NULL, 0},
    {"func_regenerate", SO, OPEN, NULL, 0},
    {"func_respawnflag", SO, OPEN, NULL, 0},
    {"func_respawnroom", SO, OPEN, NULL, 0},
    {"func_simpleladder", SO, OPEN, NULL, 0},
    {"func_smokevolume", SO, OPEN, NULL, 0},
    {"func_suggested_build", SO, OPEN, NULL, 0},
    {"func_tfbot_hint", SO, OPEN, NULL, 0},
    {"func_upgradestation", SO, OPEN, NULL, 0},
    {"func_useableladder", SO, OPEN, NULL, 0},
    {"func_viscluster", SO, OPEN, NULL, 0},
    // Solid unless a key says otherwise.
    {"func_conveyor", GS | SO, OPEN, FLAGS, 2},
    {"func_door", GS | SO, OPEN, FLAGS, 8},
    {"func_door", GS, OPEN, "skin", ANY}, // doors of water
    {"func_door_rotating", GS | SO, OPEN, FLAGS, 8},
    {"func_pendulum", GS, OPEN, FLAGS, 8},
    {"func_rot_button", GS | SO, OPEN, FLAGS, 1},
    {"func_rotating", GS | SO, OPEN, FLAGS, 64},
    {"func_tracktrain", GS | SO, OPEN, FLAGS, 8},
    {"func_train", GS, OPEN, FLAGS, 8},
    {"func_wall_toggle", GS | SO, OPEN, FLAGS, 1},
    {"momentary_rot_button", GS, OPEN, NULL, 0},
    {"momentary_rot_button", GS, SOLID, FLAGS, 1},
    {"func_brush", SO, OPEN, "StartDisabled", ANY},
    {"func_brush", SO, SOLID, "Solidity", 2},
    {"func_brush", SO, OPEN, "Solidity", 1},
    {"func_lod", SO, OPEN, "Solid", ANY},
    {"func_movelinear", SO, OPEN, FLAGS, 8},
    {"func_explosive", Q2, OPEN, FLAGS, 1},
    {"func_object", Q2, OPEN, FLAGS, ANY},
    {"func_wall", Q2, OPEN, FLAGS, 7},
    {"func_wall", Q2, SOLID, FLAGS, 4},
    // Not turned by their angles.
    {"func_button", Q2 | GS, UPRIGHT, NULL, 0},
    {"func_conveyor", GS, UPRIGHT, NULL, 0},
    {"func_door", Q2 | GS, UPRIGHT, NULL, 0},
    {"func_door_rotating", Q2, UPRIGHT, NULL, 0},
    {"func_door_secret*", Q2, UPRIGHT, NULL, 0},
    {"func_plat*", Q2, UPRIGHT, NULL, 0},
    {"func_train", Q2, UPRIGHT, NULL, 0},
    {"func_water", Q2, UPRIGHT, NULL, 0},
    {"func_wall*", GS | SO, UPRIGHT, NULL, 0},
    {"momentary_door", GS, UPRIGHT, NULL, 0},
    {"func_vehicleclip", SO, UPRIGHT, NULL, 0},
};

static bool has_name(const class_row *row, bsp_text name) {
    size_t length = strlen(row->name);
    bool begins = row->name[length - 1] == '*';
    length -= begins ? 1 : 0;
    return (begins ? name.size >= length : name.size == length) &&
           memcmp(name.data, row->name, length) == 0;
}

static bool fits(const class_row *row, bsp_family family, bsp_text name, const bsp_entity *entity) {
    int64_t number;
    return (row->families >> family & 1) != 0 && has_name(row, name) &&
           (row->key == NULL || (bsp_parse_int(bsp_entity_value(entity, row->key), &number) &&
                                 ((uint32_t)number & row->bits) != 0));
}

bool bspi_is_solid(bsp_family family, const bsp_entity *entity) {
    bsp_text name = bsp_entity_value(entity, "classname");
    bool solid = name.size != 0;
    for (size_t i = 0; name.size != 0 && i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].does != UPRIGHT && fits(&rows[i], family, name, entity)) {
            solid = rows[i].does == SOLID;
        }
    }
    return solid;
}

// Quake turns no brush model (SV_ClipMoveToEntity); Quake 3 does, but its game leaves the key's
// angles out of where a mover stands.
bool bspi_is_turned(bsp_family family, const bsp_entity *entity) {
    bsp_text name = bsp_entity_value(entity, "classname");
    bool turned = family != BSP_QUAKE && family != BSP_QUAKE3;
    for (size_t i = 0; turned && i < sizeof rows / sizeof *rows; i++) {
        turned = rows[i].does != UPRIGHT || !fits(&rows[i], family, name, entity);
    }
    return turned;
}
