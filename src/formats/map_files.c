// SPDX-License-Identifier: MIT
// Which files games look for by the name of a map. Sources: the engines' own sources where they are
// public (Quake's ports, Xash3D, yquake2, ioquake3, the Source SDK 2013), and paks of the corpus.
#include "formats/map_files.h"

#include "core/text.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#define QUAKE BSPI_IN(BSP_QUAKE)
#define GOLDSRC BSPI_IN(BSP_GOLDSRC)
#define QUAKE2 BSPI_IN(BSP_QUAKE2)
#define QUAKE3 BSPI_IN(BSP_QUAKE3)
#define SOURCE BSPI_IN(BSP_SOURCE)

#define MATERIALS "materials/"

// clang-format off
static const bspi_map_file rows[] = {
    // Light, visibility and entities that ports take from files beside the map.
    { QUAKE | QUAKE2,           "maps/",                  ".lit",               BSPI_MAP_FILE_PLAIN },
    { QUAKE,                    "maps/",                  ".lux",               BSPI_MAP_FILE_PLAIN },
    { QUAKE,                    "maps/",                  ".vis",               BSPI_MAP_FILE_PLAIN },
    { QUAKE | GOLDSRC | QUAKE2 | QUAKE3, "maps/",         ".ent",               BSPI_MAP_FILE_PLAIN },
    { QUAKE,                    "maps/",                  ".loc",               BSPI_MAP_FILE_PLAIN },
    { QUAKE,                    "locs/",                  ".loc",               BSPI_MAP_FILE_PLAIN },
    { QUAKE,                    "maps/",                  ".way",               BSPI_MAP_FILE_PLAIN },
    // Bots and navigation.
    { GOLDSRC | QUAKE2 | QUAKE3 | SOURCE, "maps/",        ".nav",               BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "maps/",                  ".aas",               BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "maps/graphs/",           ".ain",               BSPI_MAP_FILE_PLAIN },
    { GOLDSRC,                  "maps/graphs/",           ".nod",               BSPI_MAP_FILE_PLAIN },
    { GOLDSRC,                  "maps/graphs/",           ".nrp",               BSPI_MAP_FILE_PLAIN },
    // Lists, settings and descriptions.
    { GOLDSRC | SOURCE,         "maps/",                  ".res",               BSPI_MAP_FILE_RESOURCES },
    { GOLDSRC | SOURCE,         "maps/",                  ".txt",               BSPI_MAP_FILE_PLAIN },
    { GOLDSRC | SOURCE,         "maps/",                  ".cfg",               BSPI_MAP_FILE_PLAIN },
    { GOLDSRC | SOURCE,         "maps/cfg/",              ".cfg",               BSPI_MAP_FILE_PLAIN },
    { GOLDSRC,                  "maps/",                  "_detail.txt",        BSPI_MAP_FILE_DETAIL },
    { SOURCE,                   "maps/",                  ".kv",                BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "maps/",                  "_commentary.txt",    BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "maps/",                  "_cameras.txt",       BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "maps/",                  "_exclude.lst",       BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "maps/",                  "_manifest.txt",      BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "maps/",                  "_level_sounds.txt",  BSPI_MAP_FILE_SOUNDS },
    { SOURCE,                   "scripts/soundscapes_",   ".txt",               BSPI_MAP_FILE_SOUNDS },
    { SOURCE,                   "maps/",                  "_particles.txt",     BSPI_MAP_FILE_PARTICLES },
    { QUAKE3,                   "maps/",                  ".script",            BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "maps/",                  ".objdata",           BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "maps/",                  "_tracemap.tga",      BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "scripts/",               ".arena",             BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "scripts/",               ".defi",              BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "maps/",                  ".mapinfo",           BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "maps/",                  ".waypoints",         BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "maps/",                  ".waypoints.cache",   BSPI_MAP_FILE_PLAIN },
    // Pictures of the map.
    { GOLDSRC,                  "overviews/",             ".txt",               BSPI_MAP_FILE_OVERVIEW },
    { SOURCE,                   "resource/overviews/",    ".txt",               BSPI_MAP_FILE_OVERVIEW },
    { SOURCE,                   "resource/overviews/",    "_radar.dds",         BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "resource/overviews/",    "_lower_radar.dds",   BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   "resource/overviews/",    "_radar_spectate.dds", BSPI_MAP_FILE_PLAIN },
    { SOURCE,                   MATERIALS "overviews/",   ".vmt",               BSPI_MAP_FILE_MATERIAL },
    { SOURCE,                   MATERIALS "overviews/",   "_radar.vmt",         BSPI_MAP_FILE_MATERIAL },
    { SOURCE,                   MATERIALS "vgui/maps/menu_photos_", ".vmt",     BSPI_MAP_FILE_MATERIAL },
    { SOURCE,                   MATERIALS "vgui/maps/menu_thumb_", ".vmt",      BSPI_MAP_FILE_MATERIAL },
    { SOURCE,                   "maps/thumb/",            ".png",               BSPI_MAP_FILE_PLAIN },
    { QUAKE3,                   "levelshots/",            "",                   BSPI_MAP_FILE_PICTURE },
    { QUAKE3,                   "levelshots/",            "_cc",                BSPI_MAP_FILE_PICTURE },
    { QUAKE3,                   "maps/",                  "",                   BSPI_MAP_FILE_PICTURE },
    // What the compilers put into the pak: cubemaps and the materials that use them.
    { SOURCE,                   MATERIALS "maps/",        "/cubemapdefault.vtf", BSPI_MAP_FILE_PLAIN },
};
// clang-format on

const bspi_map_file *bspi_map_files(size_t *count) {
    *count = LENGTH(rows);
    return rows;
}

static bool same(char a, char b) {
    a = a == '\\' ? '/' : a;
    return bspi_lower(a) == bspi_lower(b);
}

static bool begins(bsp_text text, size_t at, const char *with, size_t size) {
    if (at > text.size || size > text.size - at) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (!same(text.data[at + i], with[i])) {
            return false;
        }
    }
    return true;
}

static bool bears(bsp_text path, const char *before, bsp_text name) {
    size_t size = strlen(before);
    size_t end = size + name.size;
    return begins(path, 0, before, size) && begins(path, size, name.data, name.size) &&
           (path.size == end || strchr("._/\\", path.data[end]) != NULL);
}

size_t bspi_map_file_name_at(bsp_family family, bsp_text path, bsp_text name) {
    for (size_t i = 0; i < LENGTH(rows) && name.size != 0; i++) {
        const char *before = rows[i].before;
        const char *inner = bspi_text_begins_nocase(bsp_text_of(before), MATERIALS)
                                ? before + strlen(MATERIALS)
                                : before;
        if ((rows[i].families & BSPI_IN(family)) == 0) {
            continue;
        }
        if (bears(path, before, name)) {
            return strlen(before);
        }
        if (bears(path, inner, name)) {
            return strlen(inner);
        }
    }
    return SIZE_MAX;
}
