// SPDX-License-Identifier: MIT
// Detection takes the first rule whose magic and version fit and whose evidence holds. The early
// rules of all lists are tried first, then the usual ones, then the late ones.
#include "formats/rules.h"

#include "core/reader.h"
#include "core/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// --- other formats -------------------------------------------------------------------------------

typedef struct other {
    const char *magic;
    size_t size;
    uint32_t version_low; // of the u32 after the magic; 0 and 0: any version
    uint32_t version_high;
    const char *what;
} other;

static const other others[] = {
    {"PK\x03\x04", 4, 0, 0, "a zip archive (a BSP may be inside)"},
    {"PK\x05\x06", 4, 0, 0, "an empty zip archive"},
    {"IBSP", 4, 76, 79, "a map of UFO: Alien Invasion"},
    {"IBSP", 4, 58, 59, "a map of Call of Duty"},
    {"IBSP", 4, 4, 4, "a map of Call of Duty 2"},
    {"IBSP", 4, 22, 22, "a map of Call of Duty 4"},
    {"IBSP", 4, 41, 41, "a damaged map of SiN or Daikatana"},
    {"IBSP", 4, 46, 46, "a damaged map of Quake 3 or Soldier of Fortune"},
    {"IBSP", 4, 0, 0, "an id Software BSP of a version that is not known here"},
    {"RBSP", 4, 0, 0, "a Raven BSP of a version that is not known here"},
    {"FAKK", 4, 0, 0, "a damaged map of Heavy Metal: F.A.K.K.2 or American McGee's Alice"},
    {"2015", 4, 0, 0, "a damaged map of Medal of Honor: Allied Assault"},
    {"EALA", 4, 0, 0, "a damaged map of a Medal of Honor expansion"},
    {"EF2!", 4, 0, 0, "a damaged map of Elite Force II"},
    {"WAD2", 4, 0, 0, "a Quake texture archive (WAD2)"},
    {"WAD3", 4, 0, 0, "a Half-Life texture archive (WAD3)"},
    {"PACK", 4, 0, 0, "a Quake archive (PAK)"},
    {"VTF", 4, 0, 0, "a Valve texture (VTF)"},
    {"IDPO", 4, 0, 0, "a Quake model"},
    {"IDP2", 4, 0, 0, "a Quake 2 model"},
    {"IDP3", 4, 0, 0, "a Quake 3 model"},
    {"IDST", 4, 0, 0, "a Valve model"},
    {"IDSP", 4, 0, 0, "a sprite"},
    {"IDS2", 4, 0, 0, "a Quake 2 sprite"},
    {"\x34\x12\xAA\x55", 4, 0, 0, "a Valve archive (VPK)"},
    {"\x89PNG", 4, 0, 0, "a PNG picture"},
    {"\xFF\xD8\xFF", 3, 0, 0, "a JPEG picture"},
    {"\x1F\x8B", 2, 0, 0, "gzip data"},
    {"BZh", 3, 0, 0, "bzip2 data"},
    {"7z\xBC\xAF", 4, 0, 0, "a 7-Zip archive"},
    {"Rar!", 4, 0, 0, "a RAR archive"},
    {"\xFD"
     "7zXZ",
     5, 0, 0, "xz data"},
    {"GMAD", 4, 0, 0, "an addon of Garry's Mod (GMA)"},
    {"\x7F"
     "ELF",
     4, 0, 0, "a program"},
    {"MZ", 2, 0, 0, "a program"},
    {"glTF", 4, 0, 0, "a glTF model"},
    {"DDS ", 4, 0, 0, "a DDS picture"},
    {"RIFF", 4, 0, 0, "a sound or a film (RIFF)"},
    {"OggS", 4, 0, 0, "a sound (Ogg)"},
    {"LZMA", 4, 0, 0, "a compressed lump"},
    {"XASH", 4, 0, 0, "an extension of a GoldSrc map"},
    {"\x2A\0\0\0", 4, 0, 0, "a map of James Bond 007: Nightfire"},
    {"\x1C\0\0\0", 4, 0, 0, "a map of a Quake test release (version 28)"},
    {"version https://git-lfs", 23, 0, 0, "a Git LFS pointer: git lfs pull fetches the file"},
    {"<!DOCTYPE", 9, 0, 0, "a web page"},
    {"<!doctype", 9, 0, 0, "a web page"},
    {"<html", 5, 0, 0, "a web page"},
};

static bool is_text(bsp_bytes file) {
    size_t size = file.size < 256 ? file.size : 256;
    for (size_t i = 0; i < size; i++) {
        uint8_t c = file.data[i];
        if (c < ' ' && c != '\t' && c != '\n' && c != '\r') {
            return false;
        }
    }
    return true;
}

static const char *guess(bsp_bytes file) {
    uint32_t version = file.size >= 8 ? bspi_load32(file.data + 4, false) : 0;
    for (size_t i = 0; i < LENGTH(others); i++) {
        const other *o = &others[i];
        if (file.size >= o->size && memcmp(file.data, o->magic, o->size) == 0 &&
            (o->version_high == 0 || (version >= o->version_low && version <= o->version_high))) {
            return o->what;
        }
    }
    return is_text(file) ? "text" : NULL;
}

static bool refuse(bsp_bytes file, bsp_error *error) {
    if (file.size == 0) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "not a BSP: the file is empty");
    }
    const char *what = guess(file);
    if (what != NULL) {
        return bsp_fail(error, BSP_E_FORMAT, NULL,
                        "not a BSP that is known here: it seems to be %s", what);
    }
    char bytes[16] = "";
    size_t at = 0;
    for (size_t i = 0; i < file.size && i < 4; i++) {
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "%s%02X", i == 0 ? "" : " ",
                               file.data[i]);
    }
    return bsp_fail(error, BSP_E_FORMAT, NULL,
                    "not a BSP that is known here: it begins with the bytes %s", bytes);
}

// --- detection ----------------------------------------------------------------------------------

static bool is_printable(const uint8_t *p) {
    for (int i = 0; i < 4; i++) {
        if (p[i] < ' ' || p[i] > '~') {
            return false;
        }
    }
    return true;
}

// In BSP2 and 2PSB the magic is the version too.
static bool is_version(const char *magic) {
    uint32_t version = bspi_load32((const uint8_t *)magic, false);
    const bspi_rule *rule;
    for (size_t i = 0; (rule = bspi_rule_at(i)) != NULL; i++) {
        if (strcmp(rule->branch->magic, magic) == 0 && rule->branch->version == version) {
            return true;
        }
    }
    return false;
}

// Files of the other byte order have the magic reversed.
static const char *const backwards[][2] = {{"PSBV", "VBSP"}, {"PSBr", "rBSP"}};

static const char *magic_of(const bsp_detection *detection) {
    for (size_t i = 0; i < LENGTH(backwards); i++) {
        if (strcmp(detection->magic, backwards[i][0]) == 0) {
            return backwards[i][1];
        }
    }
    return detection->magic;
}

static void read_head(bsp_bytes file, bsp_detection *out) {
    memset(out, 0, sizeof *out);
    if (file.size >= 4 && is_printable(file.data)) {
        memcpy(out->magic, file.data, 4);
    }
    out->big_endian = magic_of(out) != out->magic;
    size_t at = out->magic[0] == '\0' || is_version(out->magic) ? 0 : 4;
    out->version = file.size >= at + 4 ? bspi_load32(file.data + at, out->big_endian) : 0;
}

static bool is_for(const bspi_rule *rule, const bsp_detection *found) {
    const char *magic = rule->magic == NULL ? rule->branch->magic : rule->magic;
    uint32_t low = rule->high == 0 ? rule->branch->version : rule->low;
    uint32_t high = rule->high == 0 ? rule->branch->version : rule->high;
    return strcmp(magic, magic_of(found)) == 0 && found->version >= low && found->version <= high;
}

// Returns the rule that holds, or NULL. Sets `known` when some branch has this magic and version.
static const bspi_rule *find(bsp_bytes file, bool scrambled, const bsp_detection *found,
                             bool *known) {
    static const bspi_turn turns[] = {BSPI_TURN_EARLY, BSPI_TURN_USUAL, BSPI_TURN_LATE};
    const bspi_rule *rule;
    *known = false;
    for (size_t t = 0; t < LENGTH(turns); t++) {
        for (size_t i = 0; (rule = bspi_rule_at(i)) != NULL; i++) {
            if (rule->turn != turns[t] || !is_for(rule, found)) {
                continue;
            }
            bspi_candidate look = {file, rule->branch, found->big_endian, scrambled};
            *known = true;
            if (rule->test(&look)) {
                return rule;
            }
        }
    }
    return NULL;
}

static void take(bsp_detection *out, const bspi_rule *rule) {
    char version[BSP_VERSION_TEXT];
    char head[48];
    bsp_version_text(out->version, version);
    if (out->magic[0] == '\0') {
        snprintf(head, sizeof head, "version %s", version);
    } else if (bspi_load32((const uint8_t *)out->magic, false) == out->version) {
        snprintf(head, sizeof head, "magic %s", out->magic);
    } else {
        snprintf(head, sizeof head, "magic %s, version %s", out->magic, version);
    }
    out->branch = rule->branch;
    snprintf(out->reason, sizeof out->reason, "%s%s%s%s", head, rule->why == NULL ? "" : ", ",
             rule->why == NULL ? "" : rule->why, out->big_endian ? ", big-endian" : "");
}

static bool force(bsp_bytes file, const bsp_branch *branch, bsp_detection *out, bsp_error *error) {
    if (file.size < bsp_shape_size(bsp_branch_shape(branch))) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "%zu bytes are too few for a %s map", file.size,
                        branch->name);
    }
    out->branch = branch;
    snprintf(out->reason, sizeof out->reason, "branch named by the caller%s",
             out->big_endian ? ", big-endian" : "");
    return true;
}

bool bsp_detect(bsp_bytes file, const bsp_branch *forced, bsp_detection *out, bsp_error *error) {
    assert(out != NULL);
    uint8_t key[BSP_KEY_SIZE];
    if (bsp_find_key(file, key)) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "the map is scrambled (Tactical Intervention)");
    }
    return bspi_detect(file, false, forced, out, error);
}

bool bspi_detect(bsp_bytes file, bool scrambled, const bsp_branch *forced, bsp_detection *out,
                 bsp_error *error) {
    read_head(file, out);
    if (forced != NULL) {
        return force(file, forced, out, error);
    }
    bool known;
    const bspi_rule *rule = find(file, scrambled, out, &known);
    if (rule != NULL) {
        take(out, rule);
        return true;
    }
    if (known && guess(file) == NULL) {
        return bsp_fail(error, BSP_E_FORMAT, NULL,
                        "not a BSP: the head looks like one, but its directory does not fit");
    }
    return refuse(file, error);
}
