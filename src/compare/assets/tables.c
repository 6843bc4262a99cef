// SPDX-License-Identifier: MIT
// Which keys refer to files, and where the games look for them. Sources: the games' entity
// definitions (.fgd, .def), the sheets, the Source SDK 2013, and the maps of the corpus.
#include "compare/assets/tables.h"

#include "core/text.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#define QUAKE BSPI_IN(BSP_QUAKE)
#define GOLDSRC BSPI_IN(BSP_GOLDSRC)
#define QUAKE2 BSPI_IN(BSP_QUAKE2)
#define QUAKE3 BSPI_IN(BSP_QUAKE3)
#define SOURCE BSPI_IN(BSP_SOURCE)
#define ALL (QUAKE | GOLDSRC | QUAKE2 | QUAKE3 | SOURCE)

#define ENTITY(families, key, form, ending)                                                        \
    { BSPI_ROLE_ENTITY, families, key, BSPI_FORM_##form, ending, false }
#define VMT(key, form)                                                                             \
    { BSPI_ROLE_MATERIAL, SOURCE, key, BSPI_FORM_##form, NULL, false }
#define TEXT(role, families, key, form, ending)                                                    \
    { BSPI_ROLE_##role, families, key, BSPI_FORM_##form, ending, false }

// clang-format off
static const bspi_asset_key keys[] = {
    ENTITY(GOLDSRC,          "wad",                 WAD,         ".wad"),
    ENTITY(GOLDSRC | SOURCE, "skyname",             SKY,         NULL),
    ENTITY(QUAKE | QUAKE2,   "sky",                 SKY,         NULL),
    { BSPI_ROLE_ENTITY, QUAKE | QUAKE2, "sounds",   BSPI_FORM_TRACK, NULL, true },
    ENTITY(ALL,              "model*",              MODEL,       ".mdl"),
    ENTITY(ALL,              "model*",              MODEL,       ".bsp"),
    ENTITY(QUAKE2,           "*",                   MODEL,       ".md2"),
    ENTITY(QUAKE2,           "*",                   SPRITE,      ".sp2"),
    ENTITY(QUAKE2 | QUAKE3,  "model*",              MODEL,       ".md3"),
    ENTITY(QUAKE3,           "model*",              MODEL,       ".glm"),
    ENTITY(QUAKE3,           "model*",              MODEL,       ".iqm"),
    ENTITY(QUAKE3,           "model*",              MODEL,       ".mdc"),
    ENTITY(QUAKE3,           "skin",                SKIN,        ".skin"),
    ENTITY(QUAKE | GOLDSRC,  "*",                   SPRITE,      ".spr"),
    ENTITY(GOLDSRC | SOURCE, "*",                   MODEL,       ".mdl"),
    ENTITY(QUAKE3,           "music",               MUSIC,       NULL),
    ENTITY(ALL,              "*",                   SOUND,       ".wav"),
    ENTITY(ALL,              "*",                   SOUND,       ".mp3"),
    ENTITY(ALL,              "*",                   SOUND,       ".ogg"),
    ENTITY(QUAKE3,           "noise*",              SOUND,       NULL),
    ENTITY(SOURCE,           "*",                   MATERIAL,    ".vmt"),
    ENTITY(SOURCE,           "*",                   MATERIAL,    ".spr"),
    ENTITY(SOURCE,           "texture",             MATERIAL,    NULL),
    ENTITY(SOURCE,           "detailmaterial",      MATERIAL,    NULL),
    ENTITY(SOURCE,           "ropematerial",        MATERIAL,    NULL),
    ENTITY(SOURCE,           "spritename",          MATERIAL,    NULL),
    ENTITY(SOURCE,           "overlayname*",        MATERIAL,    NULL),
    ENTITY(SOURCE,           "team_icon_*",         MATERIAL,    NULL),
    ENTITY(SOURCE,           "team_overlay_*",      MATERIAL,    NULL),
    { BSPI_ROLE_ENTITY, SOURCE, "texturename",      BSPI_FORM_TEXTURE, NULL, true },
    ENTITY(SOURCE,           "vscripts",            CODE,        NULL),
    { BSPI_ROLE_ENTITY, SOURCE, "detailvbsp", BSPI_FORM_FILE, ".vbsp", true }, // for compilers only
    ENTITY(SOURCE,           "*",                   FILE,        ".raw"),
    ENTITY(SOURCE,           "*",                   FILE,        ".vcd"),
    ENTITY(SOURCE,           "*",                   PARTICLES,   ".pcf"),

    VMT("$ambientoccltexture",     TEXTURE),
    VMT("$basetexture",            TEXTURE),
    VMT("$basetexture2",           TEXTURE),
    VMT("$basetexture3",           TEXTURE),
    VMT("$basetexture4",           TEXTURE),
    VMT("$blendmodulatetexture",   TEXTURE),
    VMT("$bumpmap",                TEXTURE),
    VMT("$bumpmap2",               TEXTURE),
    VMT("$bumpmask",               TEXTURE),
    VMT("$detail",                 TEXTURE),
    VMT("$detail2",                TEXTURE),
    VMT("$dudvmap",                TEXTURE),
    VMT("$envmap",                 TEXTURE),
    VMT("$envmapmask",             TEXTURE),
    VMT("$flowmap",                TEXTURE),
    VMT("$flow_noise_texture",     TEXTURE),
    VMT("$hdrbasetexture",         TEXTURE),
    VMT("$hdrcompressedtexture",   TEXTURE),
    VMT("$lightwarptexture",       TEXTURE),
    VMT("$normalmap",              TEXTURE),
    VMT("$parallaxmap",            TEXTURE),
    VMT("$phongexponenttexture",   TEXTURE),
    VMT("$phongwarptexture",       TEXTURE),
    VMT("$refracttexture",         TEXTURE),
    VMT("$refracttinttexture",     TEXTURE),
    VMT("$selfillummask",          TEXTURE),
    VMT("$selfillumtexture",       TEXTURE),
    VMT("$texture2",               TEXTURE),
    VMT("$bottommaterial",         MATERIAL),
    VMT("$crackmaterial",          MATERIAL),
    VMT("$fallbackmaterial",       MATERIAL),
    VMT("$underwateroverlay",      MATERIAL),
    VMT("include",                 MATERIAL),
    VMT("$tintmasktexture",        TEXTURE),
    VMT("$blendmodulatetexture2",  TEXTURE),
    VMT("$corneatexture",          TEXTURE),
    VMT("$iris",                   TEXTURE),
    VMT("$phongwarp",              TEXTURE),
    VMT("$emissiveblendtexture",   TEXTURE),
    VMT("$emissiveblendbasetexture", TEXTURE),
    VMT("$emissiveblendflowtexture", TEXTURE),
    VMT("$fleshinteriortexture",   TEXTURE),
    VMT("$compress",               TEXTURE),
    VMT("$stretch",                TEXTURE),
    VMT("$sheenmap",               TEXTURE),
    VMT("$sheenmapmask",           TEXTURE),
    VMT("$lightmap",               TEXTURE),
    VMT("$spectexture",            TEXTURE),
    VMT("$modelmaterial",          MATERIAL),
    // Any other parameter may be a texture or a material too: proxies have their own.
    { BSPI_ROLE_MATERIAL, SOURCE, "*",              BSPI_FORM_TEXTURE, NULL, true },

    TEXT(SOUNDS,        SOURCE,  "*",               SOUND,       ".wav"),
    TEXT(SOUNDS,        SOURCE,  "*",               SOUND,       ".mp3"),
    TEXT(PARTICLE_LIST, SOURCE,  "*",               PARTICLES,   ".pcf"),
    TEXT(OVERVIEW,      SOURCE,  "material",        MATERIAL,    NULL),
    TEXT(OVERVIEW,      GOLDSRC, "*",               FILE,        ".bmp"),
    TEXT(OVERVIEW,      GOLDSRC, "*",               FILE,        ".tga"),
    TEXT(PHYSICS,       SOURCE,  "model",           GIB,         NULL),
    TEXT(DETAIL,        GOLDSRC, "*",               DETAIL,      NULL),
    TEXT(RESOURCES,     GOLDSRC, "*",               MODEL,       ".mdl"),
    TEXT(RESOURCES,     GOLDSRC, "*",               SPRITE,      ".spr"),
    TEXT(RESOURCES,     GOLDSRC | SOURCE, "*",      SOUND,       ".wav"),
    TEXT(RESOURCES,     GOLDSRC | SOURCE, "*",      SOUND,       ".mp3"),
    TEXT(RESOURCES,     GOLDSRC, "*",               WAD,         ".wad"),
    TEXT(RESOURCES,     SOURCE,  "*",               MODEL,       ".mdl"),
    TEXT(RESOURCES,     SOURCE,  "*",               MATERIAL,    ".vmt"),
    TEXT(RESOURCES,     SOURCE,  "*",               TEXTURE,     ".vtf"),
    TEXT(RESOURCES,     GOLDSRC | SOURCE, "*",      FILE,        ".txt"),
    TEXT(RESOURCES,     GOLDSRC | SOURCE, "*",      FILE,        ".bmp"),
    TEXT(RESOURCES,     GOLDSRC | SOURCE, "*",      FILE,        ".tga"),
    TEXT(RESOURCES,     GOLDSRC | SOURCE, "*",      FILE,        ".raw"),
    TEXT(RESOURCES,     SOURCE,  "*",               PARTICLES,   ".pcf"),
};

#define FORM(id) BSPI_FORM_##id
#define IMAGES { ".tga", ".jpg", ".png", NULL }
#define PLAIN { "", NULL }
static const bspi_asset_form forms[] = {
    { FORM(SKY),      QUAKE,            BSP_ASSET_SKY,      "gfx/env/",  { ".tga", ".png", ".pcx", NULL }, NULL, { "", "_", NULL }, false, BSPI_ROLE_NONE },
    { FORM(SKY),      GOLDSRC,          BSP_ASSET_SKY,      "gfx/env/",  { ".tga", ".bmp", NULL }, NULL, { "", NULL }, false, BSPI_ROLE_NONE },
    { FORM(SKY),      QUAKE2,           BSP_ASSET_SKY,      "env/",      { ".tga", ".pcx", ".png", ".jpg", NULL }, NULL, { "", NULL }, false, BSPI_ROLE_NONE },
    { FORM(SKY),      QUAKE3,           BSP_ASSET_SKY,      "",          IMAGES, NULL, { "_", NULL }, false, BSPI_ROLE_NONE },
    { FORM(SKY),      SOURCE,           BSP_ASSET_SKY,      "materials/skybox/", { ".vmt", NULL }, NULL, { "", NULL }, false, BSPI_ROLE_MATERIAL },
    { FORM(SKY_HDR),  SOURCE,           BSP_ASSET_SKY,      "materials/skybox/", { ".vmt", NULL }, NULL, { "_hdr", NULL }, false, BSPI_ROLE_MATERIAL },
    { FORM(WAD),      GOLDSRC,          BSP_ASSET_WAD,      "",          PLAIN, NULL, { NULL }, true, BSPI_ROLE_NONE },
    { FORM(TEXTURE),  GOLDSRC | QUAKE,  BSP_ASSET_TEXTURE,  "",          { ".mip", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(TEXTURE),  QUAKE2,           BSP_ASSET_TEXTURE,  "textures/", { ".wal", ".m8", ".m32", ".tga", ".png", ".jpg", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(TEXTURE),  QUAKE3,           BSP_ASSET_TEXTURE,  "",          IMAGES, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(TEXTURE),  SOURCE,           BSP_ASSET_TEXTURE,  "materials/", { ".vtf", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(PICTURE),  QUAKE2,           BSP_ASSET_TEXTURE,  "",          { ".pcx", ".tga", ".png", ".jpg", ".m8", ".m32", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(PICTURE),  QUAKE | GOLDSRC | QUAKE3, BSP_ASSET_TEXTURE, "",   IMAGES, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(MATERIAL), SOURCE,           BSP_ASSET_MATERIAL, "materials/", { ".vmt", NULL }, ".spr", { NULL }, false, BSPI_ROLE_MATERIAL },
    { FORM(SOUND),    ALL,              BSP_ASSET_SOUND,    "sound/",    { ".wav", ".ogg", ".mp3", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(MUSIC),    QUAKE3,           BSP_ASSET_MUSIC,    "",          { ".wav", ".ogg", ".mp3", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(TRACK),    QUAKE | QUAKE2,   BSP_ASSET_MUSIC,    "music/track", { ".ogg", ".mp3", ".flac", ".opus", ".wav", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(MODEL),    ALL,              BSP_ASSET_MODEL,    "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_MODEL },
    { FORM(GIB),      SOURCE,           BSP_ASSET_MODEL,    "models/",   { ".mdl", NULL }, NULL, { NULL }, false, BSPI_ROLE_MODEL },
    { FORM(SPRITE),   ALL,              BSP_ASSET_SPRITE,   "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_MODEL },
    { FORM(FILE),     ALL,              BSP_ASSET_FILE,     "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(SCRIPT),   ALL,              BSP_ASSET_SCRIPT,   "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(SOUND_SCRIPT), SOURCE,       BSP_ASSET_SCRIPT,   "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_SOUNDS },
    { FORM(PARTICLES), SOURCE,          BSP_ASSET_PARTICLES, "",         PLAIN, NULL, { NULL }, false, BSPI_ROLE_PARTICLES },
    { FORM(PARTICLE_LIST), SOURCE,      BSP_ASSET_SCRIPT,   "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_PARTICLE_LIST },
    { FORM(CODE),     SOURCE,           BSP_ASSET_SCRIPT,   "scripts/vscripts/", { ".nut", ".lua", ".nuc", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(SKIN),     QUAKE3,           BSP_ASSET_FILE,     "",          { ".skin", NULL }, NULL, { NULL }, false, BSPI_ROLE_SKIN },
    { FORM(DETAIL),   GOLDSRC,          BSP_ASSET_TEXTURE,  "gfx/",      { ".tga", ".bmp", ".dds", NULL }, NULL, { NULL }, false, BSPI_ROLE_NONE },
    { FORM(OVERVIEW), GOLDSRC | SOURCE, BSP_ASSET_FILE,     "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_OVERVIEW },
    { FORM(RESOURCES), GOLDSRC | SOURCE, BSP_ASSET_FILE,    "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_RESOURCES },
    { FORM(DETAIL_LIST), GOLDSRC,       BSP_ASSET_FILE,     "",          PLAIN, NULL, { NULL }, false, BSPI_ROLE_DETAIL },
};

// The last row is for all other families.
static const bspi_asset_ways ways[] = {
    { QUAKE3, BSPI_FORM_TEXTURE,  true,  false },
    { SOURCE, BSPI_FORM_MATERIAL, false, true },
    { 0,      BSPI_FORM_TEXTURE,  false, false },
};

// A model of Source needs its vertices, and the strips of one renderer; servers read .sw.vtx, old
// cards .dx80.vtx, consoles .360.vtx, and without .phy it has no collision.
#define MDL(required, role, ...) { SOURCE, ".mdl", { __VA_ARGS__, NULL }, required, BSP_ASSET_MODEL, BSPI_ROLE_##role }
static const bspi_asset_companion companions[] = {
    MDL(true,  NONE, ".vvd", ".360.vvd"),
    MDL(true,  NONE, ".dx90.vtx", ".dx80.vtx", ".vtx", ".sw.vtx", ".360.vtx"),
    MDL(false, NONE, ".360.vvd"),
    MDL(false, NONE, ".dx80.vtx"),
    MDL(false, NONE, ".sw.vtx"),
    MDL(false, NONE, ".vtx"),
    MDL(false, NONE, ".xbox.vtx"),
    MDL(false, NONE, ".360.vtx"),
    MDL(false, PHYSICS, ".phy"),
    MDL(false, PHYSICS, ".360.phy"),
    { SOURCE, ".vtf",  { ".hdr.vtf", NULL },            false, BSP_ASSET_TEXTURE, BSPI_ROLE_NONE },
    { SOURCE, ".vtf",  { ".pwl.vtf", NULL },            false, BSP_ASSET_TEXTURE, BSPI_ROLE_NONE },
    { SOURCE, ".mp3",  { ".cache", NULL },              false, BSP_ASSET_SOUND,   BSPI_ROLE_NONE },
    { QUAKE,  ".mdl",  { ".mdl_0.tga", ".mdl_0.png", NULL }, false, BSP_ASSET_TEXTURE, BSPI_ROLE_NONE },
    { QUAKE3, ".md3",  { "_1.md3", NULL },              false, BSP_ASSET_MODEL,   BSPI_ROLE_MODEL },
    { QUAKE3, ".md3",  { "_2.md3", NULL },              false, BSP_ASSET_MODEL,   BSPI_ROLE_MODEL },
    { QUAKE3, ".md3",  { "_default.skin", NULL },       false, BSP_ASSET_FILE,    BSPI_ROLE_SKIN },
    { QUAKE3, ".md3",  { ".md3_0.skin", NULL },         false, BSP_ASSET_FILE,    BSPI_ROLE_SKIN },
    { QUAKE3, ".glm",  { "_default.skin", NULL },       false, BSP_ASSET_FILE,    BSPI_ROLE_SKIN },
};

static const bspi_asset_set sets[] = {
    { SOURCE, "scripts/game_sounds_manifest.txt",  BSPI_FORM_SOUND_SCRIPT },
    { SOURCE, "scripts/soundscapes_manifest.txt",  BSPI_FORM_SOUND_SCRIPT },
    { SOURCE, "particles/particles_manifest.txt",  BSPI_FORM_PARTICLES },
};

// Where formats of models have names: sheet model-files, sections 1, 4 and 5.
static const bspi_model_names model_names[] = {
    { "source-mdl",   "textures",       "sznameindex",                    .word = BSPI_WORD_MATERIAL },
    { "source-mdl",   "cdtextures",     "",                               .from = "", .word = BSPI_WORD_FOLDER },
    { "source-mdl",   "includemodels",  "sznameindex",                    .word = BSPI_WORD_FILE, .form = BSPI_FORM_MODEL },
    { "source-mdl",   "header",         "szanimblocknameindex",           .from = "", .only_with = "numanimblocks", .word = BSPI_WORD_FILE, .form = BSPI_FORM_FILE },
    { "source-vtx",   "replacements",   "replacementMaterialNameOffset",  .word = BSPI_WORD_MATERIAL },
    { "goldsrc-mdl",  "events",         "options",                        .word = BSPI_WORD_VALUE },
    { "md2",          "skins",          "",                               .word = BSPI_WORD_FILE, .form = BSPI_FORM_PICTURE },
    { "sp2",          "frames",         "name",                           .word = BSPI_WORD_FILE, .form = BSPI_FORM_PICTURE },
    { "md3",          "shaders",        "name",                           .word = BSPI_WORD_SHADER },
    { "glm",          "header",         "animName",                       .ending = ".gla", .word = BSPI_WORD_FILE, .form = BSPI_FORM_FILE },
    { "glm",          "hierarchy",      "shader",                         .word = BSPI_WORD_SHADER },
    { "iqm",          "meshes",         "material",                       .from = "ofs_text", .word = BSPI_WORD_SHADER },
};

static const bspi_asset_own own_files[] = {
    { "maps/", "" },
    { "materials/maps/", "" },
    { "materials/skybox/", "" },
    { "cfg/", "" },
    { "resource/", "" },
    { "scripts/", "" },
    { "particles/", ".pcf" },
    { "sp_", ".vhv" },
    { "texelslighting_", ".ppl" },
    { "", ".nav" },
    { "stale.txt", "" },
};
// clang-format on

const bspi_asset_key *bspi_asset_keys(size_t *count) {
    *count = LENGTH(keys);
    return keys;
}

const bspi_asset_key *bspi_asset_key_of(bspi_asset_role from, bsp_family family, bsp_text key,
                                        bsp_text value) {
    for (size_t i = 0; i < LENGTH(keys); i++) {
        const bspi_asset_key *row = &keys[i];
        if (row->from == from && (row->families & BSPI_IN(family)) != 0 &&
            bspi_text_fits_nocase(key, bsp_text_of(row->key)) &&
            (row->ending == NULL || bspi_text_ends_nocase(value, row->ending))) {
            return row;
        }
    }
    return NULL;
}

const bspi_asset_form *bspi_asset_form_of(bsp_family family, bspi_asset_form_id id) {
    for (size_t i = 0; i < LENGTH(forms); i++) {
        if ((forms[i].families & BSPI_IN(family)) != 0 && forms[i].id == id) {
            return &forms[i];
        }
    }
    return NULL;
}

bspi_asset_form_id bspi_asset_form_of_use(bspi_map_file_use use) {
    static const bspi_asset_form_id ids[] = {
        [BSPI_MAP_FILE_PLAIN] = BSPI_FORM_FILE,
        [BSPI_MAP_FILE_SOUNDS] = BSPI_FORM_SOUND_SCRIPT,
        [BSPI_MAP_FILE_PARTICLES] = BSPI_FORM_PARTICLE_LIST,
        [BSPI_MAP_FILE_OVERVIEW] = BSPI_FORM_OVERVIEW,
        [BSPI_MAP_FILE_RESOURCES] = BSPI_FORM_RESOURCES,
        [BSPI_MAP_FILE_DETAIL] = BSPI_FORM_DETAIL_LIST,
        [BSPI_MAP_FILE_MATERIAL] = BSPI_FORM_MATERIAL,
        [BSPI_MAP_FILE_PICTURE] = BSPI_FORM_PICTURE,
    };
    return (size_t)use < LENGTH(ids) ? ids[use] : BSPI_FORM_FILE;
}

const bspi_asset_ways *bspi_asset_ways_of(bsp_family family) {
    size_t i = 0;
    while (ways[i].families != 0 && (ways[i].families & BSPI_IN(family)) == 0) {
        i++;
    }
    return &ways[i];
}

const bspi_asset_companion *bspi_asset_companions(size_t *count) {
    *count = LENGTH(companions);
    return companions;
}

const bspi_asset_own *bspi_asset_own_files(size_t *count) {
    *count = LENGTH(own_files);
    return own_files;
}

const bspi_asset_set *bspi_asset_sets(size_t *count) {
    *count = LENGTH(sets);
    return sets;
}

const bspi_model_names *bspi_asset_model_names(size_t *count) {
    *count = LENGTH(model_names);
    return model_names;
}

const char *bsp_asset_kind_name(bsp_asset_kind kind) {
    static const char *const names[] = {"material", "texture", "model",    "sprite",
                                        "sound",    "music",   "sky",      "wad",
                                        "file",     "script",  "particles"};
    return bspi_name_of(names, sizeof names / sizeof *names, (size_t)kind);
}
