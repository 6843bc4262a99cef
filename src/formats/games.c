// SPDX-License-Identifier: MIT
// Games of Source: entity classes that only the maps of one game have, used where several games
// share a branch and nothing else in a map tells them apart; and limits of a game's tools that
// differ from those of the branch.
// Sources: sheet source-versions (2, 2.1) and the versions table of the seed's article. Classes of
// Synergy and Zombie Panic! are from BSPSource; those of NEOTOKYO, Reactive Drop, Lambda Wars, Lost
// Coast and Momentum Mod are from their own sources. Rows without REAL rest on these documents
// alone.
// Maps of Half-Life Deathmatch: Source are maps of Half-Life's deathmatch: they have its spawns,
// weapons and ammunition, none of the monsters of Half-Life: Source, and share all other classes
// with it. Doubt: no map of it was at hand; the classes are those of Half-Life's own deathmatch.
#include "core/text.h"
#include "formats/rules.h"
#include "formats/table.h"

#include <assert.h>
#include <string.h>

// clang-format off
#define CLASSES(...) .classes = {__VA_ARGS__}
// No class is known that tells the game.
#define NOT_TOLD .classes = {NULL}
#define LIMITS(list) .limits = (list), .num_limits = LENGTH(list)
// The classes told maps of the game in the corpus.
#define REAL .verified = BSP_VERIFIED_REAL

// MAX_MAP_OVERLAYS is 1024 there; the lump of overlay fades is parallel to the overlays.
static const bsp_game_limit csgo_limits[] = {
    { BSP_ID_OVERLAYS, 1024 },
    { BSP_ID_OVERLAY_FADES, 1024 },
};
// Doubt: 4069 may be a slip for 4096 in the article.
static const bsp_game_limit jabroni_limits[] = {
    { BSP_ID_MODELS, 4069 },
};

// Sorted by BSP version.
static const bsp_game games[] = {
    { "Vampire: The Masquerade - Bloodlines", 17, 17, CLASSES("item_g_", "npc_V") },
    { "Half-Life 2 (beta)", 17, 18, NOT_TOLD },
    { "Half-Life: Source", 18, 20, CLASSES("monster_", "ammo_9mmclip", "ammo_gaussclip") },
    { "Half-Life 2", 17, 20, CLASSES("combine_mine", "env_headcrabcanister", "func_tankairboatgun", "info_target_gunshipcrash") },
    { "Half-Life 2: Deathmatch", 19, 20, CLASSES("info_player_combine", "info_player_rebel") },
    { "SiN Episodes: Emergence", 19, 19, CLASSES("npc_druglab_", "prop_u4_barrel") },
    { "Half-Life 2: Episode One", 19, 20, CLASSES("npc_clawscanner", "prop_coreball") },
    { "Half-Life Deathmatch: Source", 19, 20, CLASSES("info_player_deathmatch", "ammo_9mmclip", "ammo_gaussclip", "weapon_gauss", "weapon_egon", "item_longjump"), .needs = 2, .never = "monster_" },
    { "Jabroni Brawl: Episode 3", 19, 22, LIMITS(jabroni_limits) },
    { "Half-Life 2: Episode Two", 20, 20, CLASSES("npc_hunter", "npc_advisor", "weapon_striderbuster") },
    { "Counter-Strike: Source", 19, 20, CLASSES("func_bomb_target", "func_buyzone", "hostage_entity", "info_player_counterterrorist"), REAL },
    { "Day of Defeat: Source", 19, 20, CLASSES("dod_") },
    { "Team Fortress 2", 19, 20, CLASSES("team_control_point", "func_capturezone", "obj_", "tf_", "bot_hint_", "func_respawnroom", "info_player_teamspawn"), REAL },
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
    { "Half-Life 2: Lost Coast", 20, 20, CLASSES("npc_fisherman") },
    { "Half-Life 2: Update", 20, 20, NOT_TOLD },
    { "Portal with RTX", 20, 20, NOT_TOLD },
    { "Synergy", 20, 20, CLASSES("info_player_coop", "synergy_", "trigger_coop", "prop_vehicle_mp", "info_spawn_manager") },
    { "Zombie Panic! Source", 20, 20, CLASSES("func_humanclip", "func_zombieclip", "game_win_", "info_player_human", "info_player_zombie", "objective_zp", "trigger_capturepoint_zp") },
    { "Eternal Silence", 20, 20, NOT_TOLD },
    { "NEOTOKYO", 20, 20, CLASSES("neo_") },
    { "E.Y.E: Divine Cybermancy", 20, 20, NOT_TOLD },
    { "INSURGENCY: Modern Infantry Combat", 20, 20, NOT_TOLD },
    { "Source Filmmaker", 20, 21, NOT_TOLD },
    { "Left 4 Dead 2", 21, 21, CLASSES("info_survivor_", "func_playerinfected_clip", "ambient_music") },
    { "Alien Swarm", 21, 21, CLASSES("asw_") },
    { "Portal 2", 21, 21, CLASSES("prop_weighted_cube", "env_portal_laser", "prop_portal", "prop_testchamber_door", "prop_floor_button"), REAL },
    { "Counter-Strike: Global Offensive", 21, 21, CLASSES("func_bomb_target", "func_buyzone", "hostage_entity", "info_deathmatch_spawn", "func_no_defuse", "info_player_counterterrorist"), LIMITS(csgo_limits), REAL },
    { "Dear Esther", 21, 21, CLASSES("de_env_wind") },
    { "Insurgency", 21, 21, CLASSES("ins_") },
    { "Blade Symphony", 21, 21, CLASSES("berimbau_") },
    { "Tactical Intervention", 20, 22, CLASSES("func_capzone_") },
    { "Portal 2 Sixense Perceptual Pack", 21, 21, NOT_TOLD },
    { "Alien Swarm: Reactive Drop", 21, 21, CLASSES("rd_", "rd_hud_", "rd_func_", "rd_robot_", "rd_computer_", "rd_briefing_") },
    { "The Stanley Parable", 21, 21, NOT_TOLD },
    { "The Beginner's Guide", 21, 21, NOT_TOLD },
    { "Dino D-Day", 21, 21, NOT_TOLD },
    { "Nuclear Dawn", 21, 21, NOT_TOLD },
    { "Revelations 2012", 21, 21, NOT_TOLD },
    { "Lambda Wars", 21, 21, CLASSES("wars_") },
    { "INFRA", 22, 22, CLASSES("infra_") },
    { "Dota 2", 22, 23, CLASSES("dota_", "ent_dota_"), REAL },
    { "Momentum Mod", 25, 25, CLASSES("trigger_momentum_") },
    { "Portal 2: Community Edition", 25, 25, NOT_TOLD },
    { "Portal: Revolution", 25, 25, NOT_TOLD },
    { "Contagion", 27, 27, CLASSES("info_gps", "extraction_area") },
    { "Desolation", 42, 42, NOT_TOLD },
    { "Counter-Strike Online 2", 100, 100, NOT_TOLD },
};
// clang-format on

static_assert(LENGTH(games) <= BSPI_MOST_GAMES, "more games than records/game.c counts");

const bsp_game *bsp_game_at(size_t index) {
    return index < LENGTH(games) ? &games[index] : NULL;
}

const bsp_game *bsp_game_find(const char *title) {
    assert(title != NULL);
    const bsp_game *found = NULL;
    uint32_t count = 0;
    bsp_text wanted = bsp_text_of(title);
    for (size_t i = 0; i < LENGTH(games); i++) {
        bsp_text name = bsp_text_of(games[i].title);
        if (bspi_text_equal_nocase(name, wanted)) {
            return &games[i];
        }
        if (wanted.size != 0 && bspi_text_begins_nocase(name, title)) {
            found = &games[i];
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static uint32_t limit_of(const bsp_game *game, bsp_table_id id) {
    for (uint32_t i = 0; game != NULL && i < game->num_limits; i++) {
        if (game->limits[i].id == id) {
            return game->limits[i].max;
        }
    }
    return 0;
}

bsp_limit bsp_game_lump_limit(const bsp_game *game, const bsp_lump_def *def) {
    assert(def != NULL);
    uint32_t own = limit_of(game, def->id);
    bsp_limit records = {own, false};
    return own != 0 ? records : def->limit;
}

uint32_t bsp_game_max_entities(const bsp_game *game, const bsp_branch *branch) {
    assert(branch != NULL);
    uint32_t own = limit_of(game, BSP_ID_ENTITIES);
    return own != 0 ? own : bsp_branch_traits(branch)->max_entities;
}
