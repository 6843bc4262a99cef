// SPDX-License-Identifier: MIT
// Which keys refer to files, and where the games look for them. Sources: the games' entity
// definitions (.fgd, .def), the sheets, and the maps of the corpus.
#include "compare/assets.h"

#include "core/text.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#define QUAKE BSPI_IN(BSP_QUAKE)
#define GOLDSRC BSPI_IN(BSP_GOLDSRC)
#define QUAKE2 BSPI_IN(BSP_QUAKE2)
#define QUAKE3 BSPI_IN(BSP_QUAKE3)
#define SOURCE BSPI_IN(BSP_SOURCE)
#define ALL (QUAKE | GOLDSRC | QUAKE2 | QUAKE3 | SOURCE)

// clang-format off
static const bspi_asset_key keys[] = {
    { GOLDSRC,          "wad",                 BSP_ASSET_WAD,      ".wad" },
    { GOLDSRC | SOURCE, "skyname",             BSP_ASSET_SKY,      NULL },
    { QUAKE | QUAKE2,   "sky",                 BSP_ASSET_SKY,      NULL },
    { ALL,              "model*",              BSP_ASSET_MODEL,    ".mdl" },
    { ALL,              "model*",              BSP_ASSET_MODEL,    ".bsp" },
    { QUAKE2,           "*",                   BSP_ASSET_MODEL,    ".md2" },
    { QUAKE2,           "*",                   BSP_ASSET_SPRITE,   ".sp2" },
    { QUAKE3,           "model*",              BSP_ASSET_MODEL,    ".md3" },
    { QUAKE3,           "model*",              BSP_ASSET_MODEL,    ".glm" },
    { QUAKE | GOLDSRC,  "*",                   BSP_ASSET_SPRITE,   ".spr" },
    { GOLDSRC | SOURCE, "*",                   BSP_ASSET_MODEL,    ".mdl" },
    { ALL,              "*",                   BSP_ASSET_SOUND,    ".wav" },
    { ALL,              "*",                   BSP_ASSET_SOUND,    ".mp3" },
    { ALL,              "*",                   BSP_ASSET_SOUND,    ".ogg" },
    { QUAKE3,           "noise*",              BSP_ASSET_SOUND,    NULL },
    { QUAKE3,           "music",               BSP_ASSET_MUSIC,    NULL },
    { SOURCE,           "*",                   BSP_ASSET_MATERIAL, ".vmt" },
    { SOURCE,           "*",                   BSP_ASSET_MATERIAL, ".spr" },
    { SOURCE,           "texture",             BSP_ASSET_MATERIAL, NULL },
    { SOURCE,           "detailmaterial",      BSP_ASSET_MATERIAL, NULL },
    { SOURCE,           "ropematerial",        BSP_ASSET_MATERIAL, NULL },
    { SOURCE,           "spritename",          BSP_ASSET_MATERIAL, NULL },
    { SOURCE,           "overlayname*",        BSP_ASSET_MATERIAL, NULL },
    { SOURCE,           "team_icon_*",         BSP_ASSET_MATERIAL, NULL },
    { SOURCE,           "team_overlay_*",      BSP_ASSET_MATERIAL, NULL },
    { SOURCE,           "detailvbsp",          BSP_ASSET_FILE,     ".vbsp" },
    { SOURCE,           "filename",            BSP_ASSET_FILE,     ".raw" },
};

#define IMAGES { ".tga", ".jpg", ".png", NULL }
static const bspi_asset_form forms[] = {
    { QUAKE,          BSP_ASSET_SKY,      "gfx/env/",          { ".tga", ".png", ".pcx", NULL }, true, false },
    { GOLDSRC,        BSP_ASSET_SKY,      "gfx/env/",          { ".tga", ".bmp", NULL }, true, false },
    { QUAKE2,         BSP_ASSET_SKY,      "env/",              { ".tga", ".pcx", ".png", ".jpg", NULL }, true, false },
    { QUAKE3,         BSP_ASSET_SKY,      "",                  IMAGES, true, false },
    { SOURCE,         BSP_ASSET_SKY,      "materials/skybox/", { ".vmt", NULL }, true, false },
    { GOLDSRC,        BSP_ASSET_WAD,      "",                  { "", NULL }, false, true },
    { GOLDSRC,        BSP_ASSET_TEXTURE,  "",                  { ".mip", NULL }, false, false },
    { QUAKE,          BSP_ASSET_TEXTURE,  "",                  { ".mip", NULL }, false, false },
    { QUAKE2,         BSP_ASSET_TEXTURE,  "textures/",         { ".wal", ".m8", ".m32", ".tga", ".png", ".jpg", NULL }, false, false },
    { QUAKE3,         BSP_ASSET_TEXTURE,  "",                  IMAGES, false, false },
    { SOURCE,         BSP_ASSET_TEXTURE,  "materials/",        { ".vtf", NULL }, false, false },
    { SOURCE,         BSP_ASSET_MATERIAL, "materials/",        { ".vmt", NULL }, false, false },
    { ALL,            BSP_ASSET_SOUND,    "sound/",            { ".wav", ".ogg", ".mp3", NULL }, false, false },
    { QUAKE3,         BSP_ASSET_MUSIC,    "",                  { ".wav", ".ogg", ".mp3", NULL }, false, false },
    { ALL,            BSP_ASSET_MODEL,    "",                  { "", NULL }, false, false },
    { ALL,            BSP_ASSET_SPRITE,   "",                  { "", NULL }, false, false },
    { ALL,            BSP_ASSET_FILE,     "",                  { "", NULL }, false, false },
};

static const bspi_asset_parameter parameters[] = {
    { "$ambientoccltexture",     BSP_ASSET_TEXTURE },
    { "$basetexture",            BSP_ASSET_TEXTURE },
    { "$basetexture2",           BSP_ASSET_TEXTURE },
    { "$basetexture3",           BSP_ASSET_TEXTURE },
    { "$basetexture4",           BSP_ASSET_TEXTURE },
    { "$blendmodulatetexture",   BSP_ASSET_TEXTURE },
    { "$bumpmap",                BSP_ASSET_TEXTURE },
    { "$bumpmap2",               BSP_ASSET_TEXTURE },
    { "$bumpmask",               BSP_ASSET_TEXTURE },
    { "$detail",                 BSP_ASSET_TEXTURE },
    { "$detail2",                BSP_ASSET_TEXTURE },
    { "$dudvmap",                BSP_ASSET_TEXTURE },
    { "$envmap",                 BSP_ASSET_TEXTURE },
    { "$envmapmask",             BSP_ASSET_TEXTURE },
    { "$flowmap",                BSP_ASSET_TEXTURE },
    { "$flow_noise_texture",     BSP_ASSET_TEXTURE },
    { "$hdrbasetexture",         BSP_ASSET_TEXTURE },
    { "$hdrcompressedtexture",   BSP_ASSET_TEXTURE },
    { "$lightwarptexture",       BSP_ASSET_TEXTURE },
    { "$normalmap",              BSP_ASSET_TEXTURE },
    { "$parallaxmap",            BSP_ASSET_TEXTURE },
    { "$phongexponenttexture",   BSP_ASSET_TEXTURE },
    { "$phongwarptexture",       BSP_ASSET_TEXTURE },
    { "$refracttexture",         BSP_ASSET_TEXTURE },
    { "$refracttinttexture",     BSP_ASSET_TEXTURE },
    { "$selfillummask",          BSP_ASSET_TEXTURE },
    { "$selfillumtexture",       BSP_ASSET_TEXTURE },
    { "$texture2",               BSP_ASSET_TEXTURE },
    { "$bottommaterial",         BSP_ASSET_MATERIAL },
    { "$crackmaterial",          BSP_ASSET_MATERIAL },
    { "$fallbackmaterial",       BSP_ASSET_MATERIAL },
    { "$underwateroverlay",      BSP_ASSET_MATERIAL },
    { "include",                 BSP_ASSET_MATERIAL },
};

// The last row is for all other families.
static const bspi_asset_ways ways[] = {
    { QUAKE3, BSP_ASSET_TEXTURE,  true,  false },
    { SOURCE, BSP_ASSET_MATERIAL, false, true },
    { 0,      BSP_ASSET_TEXTURE,  false, false },
};

static const bspi_asset_companion companions[] = {
    { { ".vvd", NULL } },
    { { ".dx90.vtx", ".dx80.vtx", ".vtx", NULL } },
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
    { "", ".phy" },
    { "", ".dx80.vtx" },
    { "", ".sw.vtx" },
    { "", ".nav" },
    { "stale.txt", "" },
};
// clang-format on

const bspi_asset_key *bspi_asset_keys(size_t *count) {
    *count = LENGTH(keys);
    return keys;
}

const bspi_asset_form *bspi_asset_form_of(bsp_family family, bsp_asset_kind kind) {
    for (size_t i = 0; i < LENGTH(forms); i++) {
        if ((forms[i].families & BSPI_IN(family)) != 0 && forms[i].kind == kind) {
            return &forms[i];
        }
    }
    return NULL;
}

const bspi_asset_ways *bspi_asset_ways_of(bsp_family family) {
    size_t i = 0;
    while (ways[i].families != 0 && (ways[i].families & BSPI_IN(family)) == 0) {
        i++;
    }
    return &ways[i];
}

bsp_asset_kind bspi_asset_parameter_kind(bsp_text key) {
    for (size_t i = 0; i < LENGTH(parameters); i++) {
        if (bspi_text_equal_nocase(key, bsp_text_of(parameters[i].key))) {
            return parameters[i].kind;
        }
    }
    return BSP_NUM_ASSET_KINDS;
}

const bspi_asset_companion *bspi_asset_companions(size_t *count) {
    *count = LENGTH(companions);
    return companions;
}

const bspi_asset_own *bspi_asset_own_files(size_t *count) {
    *count = LENGTH(own_files);
    return own_files;
}

const char *bsp_asset_kind_name(bsp_asset_kind kind) {
    static const char *const names[] = {"material", "texture", "model", "sprite", "sound",
                                        "music",    "sky",     "wad",   "file"};
    return bspi_name_of(names, sizeof names / sizeof *names, (size_t)kind);
}
