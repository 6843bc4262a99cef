// SPDX-License-Identifier: MIT
// Detection: one ordered list of (magic, versions, evidence) -> branch. The first row whose magic
// and version fit and whose evidence holds is taken. Evidence is cheap: it reads the directory and
// at most a few records.
#include "formats/table.h"

#include "core/reader.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

// What is being looked at: the file, and how to read its directory if the candidate is right.
typedef struct candidate {
    bsp_bytes file;
    const bsp_branch *branch;
    bool big_endian;
} candidate;

typedef struct extent {
    uint64_t offset;
    uint64_t size;
    bool inside; // of the file
} extent;

// The directory entry of a lump, read through the candidate's own shape.
static extent lump_at(const candidate *look, uint32_t index) {
    const bsp_shape *shape = bsp_branch_shape(look->branch);
    extent out = {0, 0, false};
    size_t at = shape->head->size + (size_t)index * shape->entry->size;
    if (index >= shape->num_lumps || look->file.size < bsp_shape_size(shape)) {
        return out;
    }
    bsp_table entry = {shape->entry, look->file.data + at, 1, look->big_endian};
    for (uint32_t f = 0; f < shape->entry->num_fields; f++) {
        uint16_t feed = shape->entry->fields[f].feed;
        uint32_t value = (uint32_t)bsp_table_int(&entry, 0, f, 0);
        out.offset = feed == BSPI_FEED_entry_offset ? value : out.offset;
        out.size = feed == BSPI_FEED_entry_size ? value : out.size;
    }
    out.inside = out.offset <= look->file.size && out.size <= look->file.size - out.offset;
    return out;
}

typedef bool evidence(const candidate *look);

// The directory is there, and at least half of its lumps lie in the file.
static bool plausible(const candidate *look) {
    const bsp_shape *shape = bsp_branch_shape(look->branch);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        inside += lump_at(look, i).inside ? 1 : 0;
    }
    return inside * 2 >= shape->num_lumps && look->file.size >= bsp_shape_size(shape);
}

// Every lump lies in the file, and none in the head.
static bool exact(const candidate *look) {
    const bsp_shape *shape = bsp_branch_shape(look->branch);
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        extent lump = lump_at(look, i);
        if (!lump.inside || (lump.size != 0 && lump.offset < bsp_shape_size(shape))) {
            return false;
        }
    }
    return look->file.size >= bsp_shape_size(shape);
}

// True if the records of the branch's own layout divide the lump that holds `id`.
static bool divides(const candidate *look, bsp_table_id id) {
    const bsp_lump_def *def = bsp_branch_lump_of(look->branch, id);
    if (def == NULL || def->num_variants == 0) {
        return false;
    }
    extent lump = lump_at(look, def->index);
    return lump.size != 0 && lump.size % def->variants[0].layout->size == 0;
}

static bool any_divides(const bsp_lump_def *def, uint64_t size) {
    for (uint32_t v = 0; v < def->num_variants; v++) {
        if (size % def->variants[v].layout->size == 0) {
            return true;
        }
    }
    return def->num_variants == 0;
}

// Every lump lies in the file, the records of the branch divide each of them, and there are planes:
// what tells games apart that share magic and version.
static bool all_divide(const candidate *look) {
    bool divided = exact(look) && divides(look, BSP_ID_PLANES);
    for (uint32_t i = 0; divided && i < bsp_branch_shape(look->branch)->num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(look->branch, i);
        divided = def == NULL || any_divides(def, lump_at(look, i).size);
    }
    return divided;
}

static bool starts_with_brace(const candidate *look, uint32_t index) {
    extent lump = lump_at(look, index);
    bsp_bytes text = bspi_slice(look->file, lump.offset, lump.size);
    size_t at = 0;
    while (at < text.size && text.data[at] <= ' ' && text.data[at] != '\0') {
        at++;
    }
    return at < text.size && text.data[at] == '{';
}

// Lump 0 holds the entities in every other branch.
static bool swapped_entities(const candidate *look) {
    return plausible(look) && starts_with_brace(look, 1) && !starts_with_brace(look, 0) &&
           divides(look, BSP_ID_PLANES);
}

// Eight headnodes a model: the size divides, and the last model's faces end where the faces do.
static bool hexen2_models(const candidate *look) {
    if (!plausible(look) || !divides(look, BSP_ID_MODELS)) {
        return false;
    }
    const bsp_lump_def *models = bsp_branch_lump_of(look->branch, BSP_ID_MODELS);
    const bsp_lump_def *faces = bsp_branch_lump_of(look->branch, BSP_ID_FACES);
    const bsp_layout *layout = models->variants[0].layout;
    extent lump = lump_at(look, models->index);
    extent face_lump = lump_at(look, faces->index);
    bsp_bytes bytes = bspi_slice(look->file, lump.offset, lump.size);
    bsp_table table = {layout, bytes.data, (uint32_t)(bytes.size / layout->size), look->big_endian};
    uint64_t last = 0;
    for (uint32_t i = 0; i < table.count; i++) {
        int64_t end = bsp_table_int(&table, i, layout->num_fields - 2, 0) +
                      bsp_table_int(&table, i, layout->num_fields - 1, 0);
        last = end > (int64_t)last ? (uint64_t)end : last;
    }
    return bytes.size != 0 && last == face_lump.size / faces->variants[0].layout->size;
}

static bool shaders_divide(const candidate *look) {
    return plausible(look) && divides(look, BSP_ID_TEXTURES);
}

// The directory has an eighteenth lump only if no lump begins where it would stand. (q3map2 writes
// one, empty, for every game of version 47.)
static bool advertisements(const candidate *look) {
    return exact(look) && lump_at(look, 17).size % 128 == 0;
}

// Bloodlines has faces of 104 bytes where the beta of Half-Life 2 has 68.
static bool only_vampire_faces(const candidate *look) {
    candidate beta = *look;
    beta.branch = &bspi_source_17;
    return plausible(look) && divides(look, BSP_ID_FACES) && !divides(&beta, BSP_ID_FACES);
}

// The field that feeds `feed` has in each record a number below the count of `target`, or all ones.
static bool fits(const candidate *look, bsp_table_id id, uint16_t feed, bsp_table_id target) {
    const bsp_lump_def *def = bsp_branch_lump_of(look->branch, id);
    const bsp_lump_def *to = bsp_branch_lump_of(look->branch, target);
    const bsp_layout *layout = def->variants[0].layout;
    extent lump = lump_at(look, def->index);
    bsp_bytes bytes = bspi_slice(look->file, lump.offset, lump.size);
    int64_t count = (int64_t)(lump_at(look, to->index).size / to->variants[0].layout->size);
    bsp_table table = {layout, bytes.data, (uint32_t)(bytes.size / layout->size), look->big_endian};
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        for (uint32_t i = 0; layout->fields[f].feed == feed && i < table.count; i++) {
            int64_t value = bsp_table_int(&table, i, f, 0);
            if (value < -1 || value >= count) {
                return false;
            }
        }
    }
    return bytes.size != 0 && bytes.size % layout->size == 0;
}

// The single player maps have texinfos of 96 bytes.
static bool dark_messiah_texinfos(const candidate *look) {
    return plausible(look) &&
           fits(look, BSP_ID_TEXINFO, BSPI_FEED_texinfo_material, BSP_ID_TEXTURES);
}

// Records of 32-bit numbers: edges that are read so have vertices, and the sizes are theirs.
static bool wide_records(const candidate *look) {
    return plausible(look) && divides(look, BSP_ID_NODES) && divides(look, BSP_ID_BRUSH_SIDES) &&
           divides(look, BSP_ID_LEAVES) &&
           fits(look, BSP_ID_EDGES, BSPI_FEED_edge_v, BSP_ID_VERTICES) &&
           fits(look, BSP_ID_NODES, BSPI_FEED_node_plane, BSP_ID_PLANES);
}

// The entities have a word, between quotes, that begins as the branch's own classes do.
static bool has_classes(const candidate *look) {
    const char *begin = look->branch->classes;
    extent lump = lump_at(look, bsp_branch_lump_of(look->branch, BSP_ID_ENTITIES)->index);
    bsp_bytes text = bspi_slice(look->file, lump.offset, lump.size);
    size_t size = strlen(begin);
    bool there = plausible(look);
    for (size_t i = 1; there && i + size <= text.size; i++) {
        if (text.data[i - 1] == '"' && memcmp(text.data + i, begin, size) == 0) {
            return true;
        }
    }
    return false;
}

// Displacements of 180 bytes tell, where there are some; else the classes.
static bool dota2_map(const candidate *look) {
    extent disps = lump_at(look, bsp_branch_lump_of(look->branch, BSP_ID_DISP_INFO)->index);
    bool longer = disps.size != 0 && disps.size % 180 == 0 && disps.size % 176 != 0;
    return (longer && plausible(look)) || has_classes(look);
}

// Left 4 Dead 2 begins an entry with the lump's version: 0 for the first, the entities.
static bool version_first(const candidate *look) {
    return exact(look) && bspi_load32(look->file.data + 8, look->big_endian) == 0;
}

typedef struct rule {
    const char *magic; // as in the file; "" when the file begins with its version
    uint32_t low;      // versions
    uint32_t high;
    evidence *test;
    const bsp_branch *branch;
    const char *why;
} rule;

static const rule rules[] = {
    {"BSP2", 0, UINT32_MAX, plausible, &bspi_bsp2, "magic BSP2"},
    {"2PSB", 0, UINT32_MAX, plausible, &bspi_2psb, "magic 2PSB"},
    {"", 29, 29, hexen2_models, &bspi_hexen2, "version 29, models of 80 bytes that end the faces"},
    {"", 29, 29, plausible, &bspi_quake, "version 29"},
    {"", 30, 30, swapped_entities, &bspi_blue_shift, "version 30, entities in lump 1"},
    {"", 30, 30, plausible, &bspi_goldsrc, "version 30"},
    {"IBSP", 38, 38, plausible, &bspi_quake2, "magic IBSP, version 38"},
    {"IBSP", 41, 41, all_divide, &bspi_sin, "magic IBSP, version 41, texinfos of 180 bytes"},
    {"IBSP", 41, 41, all_divide, &bspi_daikatana,
     "magic IBSP, version 41, texinfos of 76 bytes and leaves of 32"},
    {"QBSP", 38, 38, plausible, &bspi_qbism, "magic QBSP, version 38"},
    {"IBSP", 46, 46, all_divide, &bspi_soldier_of_fortune,
     "magic IBSP, version 46, 22 lumps with records of Quake 2"},
    {"IBSP", 46, 46, shaders_divide, &bspi_quake3, "magic IBSP, version 46, shaders of 72 bytes"},
    {"IBSP", 47, 47, advertisements, &bspi_quake_live, "magic IBSP, version 47, 18 lumps"},
    {"IBSP", 47, 47, shaders_divide, &bspi_quake3_47, "magic IBSP, version 47, 17 lumps"},
    {"RBSP", 1, 1, all_divide, &bspi_sin_rbsp, "magic RBSP, version 1, texinfos of 180 bytes"},
    {"RBSP", 1, 1, shaders_divide, &bspi_rbsp, "magic RBSP, version 1"},
    {"FBSP", 1, 1, shaders_divide, &bspi_fbsp, "magic FBSP, version 1"},
    {"FAKK", 12, 12, shaders_divide, &bspi_fakk2, "magic FAKK, version 12"},
    {"FAKK", 42, 42, shaders_divide, &bspi_alice, "magic FAKK, version 42"},
    {"FAKK", 19, 19, shaders_divide, &bspi_elite_force2, "magic FAKK, version 19: the demo"},
    {"2015", 18, 19, shaders_divide, &bspi_mohaa, "magic 2015, version 18 or 19"},
    {"EALA", 21, 21, shaders_divide, &bspi_breakthrough, "magic EALA, version 21"},
    {"EF2!", 20, 20, shaders_divide, &bspi_elite_force2, "magic EF2!, version 20"},
    {"VBSP", 17, 17, only_vampire_faces, &bspi_vampire,
     "magic VBSP, version 17, faces of 104 bytes"},
    {"VBSP", 17, 17, plausible, &bspi_source_17, "magic VBSP, version 17"},
    {"VBSP", 18, 18, plausible, &bspi_source_18, "magic VBSP, version 18"},
    {"VBSP", 19, 19, plausible, &bspi_source_19, "magic VBSP, version 19"},
    {"VBSP", 0x40014, 0x40014, dark_messiah_texinfos, &bspi_dark_messiah,
     "magic VBSP, version 20.4, texinfos of 96 bytes"},
    {"VBSP", 0x40014, 0x40014, plausible, &bspi_dark_messiah_mp, "magic VBSP, version 20.4"},
    {"VBSP", 20, 20, wide_records, &bspi_vindictus,
     "magic VBSP, version 20, records of 32-bit numbers"},
    {"VBSP", 20, 20, plausible, &bspi_source_20, "magic VBSP, version 20"},
    {"VBSP", 21, 21, version_first, &bspi_left4dead2,
     "magic VBSP, version 21, directory entries that begin with the lump version"},
    {"VBSP", 21, 21, plausible, &bspi_source_21, "magic VBSP, version 21"},
    {"VBSP", 22, 22, dota2_map, &bspi_dota2_22,
     "magic VBSP, version 22, classes or displacements of Dota 2"},
    {"VBSP", 22, 22, has_classes, &bspi_infra, "magic VBSP, version 22, classes of INFRA"},
    {"VBSP", 22, 22, plausible, &bspi_source_22, "magic VBSP, version 22"},
    {"VBSP", 23, 23, plausible, &bspi_dota2_23, "magic VBSP, version 23"},
    {"VBSP", 25, 25, plausible, &bspi_strata_25, "magic VBSP, version 25"},
    {"VBSP", 27, 27, plausible, &bspi_contagion_27, "magic VBSP, version 27"},
    {"VBSP", 42, 42, plausible, &bspi_desolation_42, "magic VBSP, version 42"},
    {"VBSP", 100, 100, plausible, &bspi_cso2_100, "magic VBSP, version 100"},
    {"VBSP", 0, UINT32_MAX, plausible, &bspi_source_unknown,
     "magic VBSP, a version that is not known here"},
    {"rBSP", 29, 29, plausible, &bspi_titanfall, "magic rBSP, version 29"},
    {"rBSP", 36, 37, plausible, &bspi_titanfall2, "magic rBSP, version 36 or 37"},
    {"rBSP", 0, UINT32_MAX, plausible, &bspi_apex, "magic rBSP, version 47 or later"},
};

// --- what else it may be ------------------------------------------------------------------------

typedef struct other {
    const char *magic;
    size_t size;
    uint32_t version_low; // of the u32 behind the magic; 0, 0 for any
    uint32_t version_high;
    const char *what;
} other;

static const other others[] = {
    {"PK\x03\x04", 4, 0, 0, "a zip archive (a BSP may be inside)"},
    {"PK\x05\x06", 4, 0, 0, "an empty zip archive"},
    {"IBSP", 4, 76, 79, "a map of UFO: Alien Invasion"},
    {"IBSP", 4, 58, 59, "a map of Call of Duty"},
    {"IBSP", 4, 4, 4, "a map of Call of Duty 2"},
    {"IBSP", 4, 41, 41, "a damaged map of SiN or Daikatana"},
    {"IBSP", 4, 46, 46, "a damaged map of Quake 3 or Soldier of Fortune"},
    {"IBSP", 4, 0, 0, "an id Software BSP of a version that is not known here"},
    {"RBSP", 4, 0, 0, "a Raven BSP of a version that is not known here"},
    {"FAKK", 4, 0, 0, "a damaged map of Heavy Metal: F.A.K.K.2 or American McGee's Alice"},
    {"2015", 4, 0, 0, "a damaged map of Medal of Honor: Allied Assault"},
    {"EALA", 4, 0, 0, "a damaged map of a Medal of Honor expansion"},
    {"EF2!", 4, 0, 0, "a damaged map of Elite Force II"},
    {" 46Q", 4, 0, 0, "a map of the Quake 64 remaster"},
    {"WAD2", 4, 0, 0, "a Quake texture archive (WAD2)"},
    {"WAD3", 4, 0, 0, "a Half-Life texture archive (WAD3)"},
    {"PACK", 4, 0, 0, "a Quake archive (PAK)"},
    {"VTF", 4, 0, 0, "a Valve texture (VTF)"},
    {"IDPO", 4, 0, 0, "a Quake model"},
    {"IDP2", 4, 0, 0, "a Quake 2 model"},
    {"IDST", 4, 0, 0, "a Valve model"},
    {"IDSP", 4, 0, 0, "a sprite"},
    {"\x34\x12\xAA\x55", 4, 0, 0, "a Valve archive (VPK)"},
    {"\x89PNG", 4, 0, 0, "a PNG picture"},
    {"\xFF\xD8\xFF", 3, 0, 0, "a JPEG picture"},
    {"\x1F\x8B", 2, 0, 0, "gzip data"},
    {"\x7F"
     "ELF",
     4, 0, 0, "a program"},
    {"LZMA", 4, 0, 0, "a compressed lump"},
    {"XASH", 4, 0, 0, "an extension of a GoldSrc map"},
    {"\x2A\0\0\0", 4, 0, 0, "a map of James Bond 007: Nightfire"},
    {"\x1C\0\0\0", 4, 0, 0, "a map of a Quake test release (version 28)"},
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

// Files of the other byte order have the magic backwards: VBSP and PSBV.
static void read_head(bsp_bytes file, bsp_detection *out) {
    memset(out, 0, sizeof *out);
    if (file.size >= 4 && is_printable(file.data)) {
        memcpy(out->magic, file.data, 4);
    }
    out->big_endian = strcmp(out->magic, "PSBV") == 0;
    bool no_version =
        out->magic[0] == '\0' || strcmp(out->magic, "BSP2") == 0 || strcmp(out->magic, "2PSB") == 0;
    size_t at = no_version ? 0 : 4;
    out->version = file.size >= at + 4 ? bspi_load32(file.data + at, out->big_endian) : 0;
}

static const char *magic_of(const bsp_detection *detection) {
    return detection->big_endian ? "VBSP" : detection->magic;
}

static bool take(bsp_detection *out, const bsp_branch *branch, const char *why) {
    out->branch = branch;
    snprintf(out->reason, sizeof out->reason, "%s%s", why, out->big_endian ? ", big-endian" : "");
    return true;
}

bool bsp_detect(bsp_bytes file, const bsp_branch *forced, bsp_detection *out, bsp_error *error) {
    read_head(file, out);
    if (forced != NULL) {
        if (file.size < bsp_shape_size(bsp_branch_shape(forced))) {
            return bsp_fail(error, BSP_E_FORMAT, NULL, "%zu bytes are too few for a %s map",
                            file.size, forced->name);
        }
        return take(out, forced, "branch named by the caller");
    }
    bool known = false;
    for (size_t i = 0; i < LENGTH(rules); i++) {
        const rule *r = &rules[i];
        if (strcmp(r->magic, magic_of(out)) != 0 || out->version < r->low ||
            out->version > r->high) {
            continue;
        }
        known = true;
        candidate look = {file, r->branch, out->big_endian};
        if (r->test(&look)) {
            return take(out, r->branch, r->why);
        }
    }
    if (known && guess(file) == NULL) {
        return bsp_fail(error, BSP_E_FORMAT, NULL,
                        "not a BSP: the head looks like one, but its directory does not fit");
    }
    return refuse(file, error);
}
