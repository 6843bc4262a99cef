// SPDX-License-Identifier: MIT
// Games of Source by the entity classes that only their maps have: where several share a branch,
// nothing else in a map tells them. Source: sheet source-versions (2, 2.1).
#include "bspkit/formats.h"

#include <stddef.h>

// clang-format off
#define CLASSES(...) .classes = {__VA_ARGS__}

// In the order of the versions.
static const bsp_game games[] = {
    { "Vampire: The Masquerade - Bloodlines", 17, 17, CLASSES("item_g_", "npc_V") },
    { "Half-Life: Source", 18, 20, CLASSES("monster_", "ammo_9mmclip", "ammo_gaussclip") },
    { "Half-Life 2", 17, 20, CLASSES("combine_mine", "env_headcrabcanister", "func_tankairboatgun", "info_target_gunshipcrash") },
    { "Half-Life 2: Deathmatch", 19, 20, CLASSES("info_player_combine", "info_player_rebel") },
    { "SiN Episodes: Emergence", 19, 19, CLASSES("npc_druglab_", "prop_u4_barrel") },
    { "Half-Life 2: Episode One", 19, 20, CLASSES("npc_clawscanner", "prop_coreball") },
    { "Half-Life 2: Episode Two", 20, 20, CLASSES("npc_hunter", "npc_advisor", "weapon_striderbuster") },
    { "Counter-Strike: Source", 19, 20, CLASSES("func_bomb_target", "func_buyzone", "hostage_entity", "info_player_counterterrorist") },
    { "Day of Defeat: Source", 19, 20, CLASSES("dod_") },
    { "Team Fortress 2", 19, 20, CLASSES("team_control_point", "func_capturezone", "obj_", "tf_", "bot_hint_", "func_respawnroom", "info_player_teamspawn") },
    { "Portal", 20, 20, CLASSES("prop_portal", "npc_portal_turret_floor", "env_portal_") },
    { "The Ship", 20, 20, CLASSES("ship_") },
    { "Bloody Good Time", 20, 20, CLASSES("pm_") },
    { "Zeno Clash", 20, 20, CLASSES("npc_zeno_", "NPC_Zeno_") },
    { "Left 4 Dead", 20, 20, CLASSES("info_survivor_", "func_playerinfected_clip", "ambient_music") },
    { "Postal III", 20, 20, CLASSES("p3_") },
    { "Garry's Mod", 20, 21, CLASSES("lua_run", "gmod_") },
    { "No More Room in Hell", 20, 20, CLASSES("func_nmrih_", "nmrih_") },
    { "Fairy Tale Busters", 20, 20, CLASSES("bs_") },
    { "Black Mesa", 20, 21, CLASSES("env_xen_portal", "env_cascade_volume") },
    { "Vindictus", 20, 20, CLASSES("npc_gnoll") },
    { "Dark Messiah of Might and Magic", 0x40014, 0x40014, CLASSES("item_loot_scroll_", "info_node_mm_link_controller") },
    { "Left 4 Dead 2", 21, 21, CLASSES("info_survivor_", "func_playerinfected_clip", "ambient_music") },
    { "Alien Swarm", 21, 21, CLASSES("asw_") },
    { "Portal 2", 21, 21, CLASSES("prop_weighted_cube", "env_portal_laser", "prop_portal", "prop_testchamber_door", "prop_floor_button") },
    { "Counter-Strike: Global Offensive", 21, 21, CLASSES("func_bomb_target", "func_buyzone", "hostage_entity", "info_deathmatch_spawn", "func_no_defuse", "info_player_counterterrorist") },
    { "Dear Esther", 21, 21, CLASSES("de_env_wind") },
    { "Insurgency", 21, 21, CLASSES("ins_") },
    { "Blade Symphony", 21, 21, CLASSES("berimbau_") },
    { "Tactical Intervention", 20, 22, CLASSES("func_capzone_") },
    { "INFRA", 22, 22, CLASSES("infra_") },
    { "Dota 2", 22, 23, CLASSES("dota_", "ent_dota_") },
    { "Contagion", 27, 27, CLASSES("info_gps", "extraction_area") },
};
// clang-format on

const bsp_game *bsp_game_at(size_t index) {
    return index < sizeof games / sizeof *games ? &games[index] : NULL;
}
