// SPDX-License-Identifier: MIT
// The table of model formats, and how the format of a file is told by its bytes.
#include "model/formats.h"

#include <assert.h>
#include <string.h>

static const bspi_model_def *const table[] = {
    // clang-format off
    &bspi_model_md2,
    &bspi_model_md3,
    &bspi_model_quake_mdl,
    &bspi_model_quake_mdl16,
    &bspi_model_hexen2_mdl,
    &bspi_model_sprite1,
    &bspi_model_sprite2,
    &bspi_model_sprite32,
    &bspi_model_sp2,
    &bspi_model_book,
    &bspi_model_iqm1,
    &bspi_model_iqm2,
    &bspi_model_fm,
    &bspi_model_mdx,
    &bspi_model_dkm1,
    &bspi_model_dkm2,
    &bspi_model_glm,
    &bspi_model_gla,
    &bspi_model_mdr,
    &bspi_model_goldsrc_mdl,
    &bspi_model_goldsrc_group,
    &bspi_model_source_mdl,
    &bspi_model_source_ani,
    &bspi_model_source_vvd,
    &bspi_model_source_wide_vtx,
    &bspi_model_source_vtx,
    &bspi_model_source_phy,
    &bspi_model_source_vhv,
    // clang-format on
};

#define FORMATS (sizeof table / sizeof *table)

/// A format that is known by name, and not read. The version, where it has rows for some, stands
/// after four bytes.
typedef struct known_format {
    const char *magic;
    uint8_t magic_size;
    uint32_t first, last; ///< versions; 0 and 0: of any version
    const char *title;
} known_format;

// Two families write IDST and number their versions apart: a version that neither has is not one
// of the family that stands first in the table above. Sources: the sheet models, 0 and 5 to 10.
static const known_format known[] = {
    {"ZYMOTICMODEL", 12, 0, 0, "a Zymotic model"},
    {"DARKPLACESMODEL", 16, 0, 0, "a DarkPlaces model (DPM)"},
    {"MDA1", 4, 0, 0, "a model of Anachronox"},
    {"IDPC", 4, 0, 0, "a compressed Quake 3 model (MDC)"},
    {"MDSW", 4, 0, 0, "a skeletal model of Return to Castle Wolfenstein (MDS)"},
    {"MDMW", 4, 0, 0, "a skeletal mesh of Wolfenstein: Enemy Territory (MDM)"},
    {"MDXW", 4, 0, 0, "a skeletal animation of Wolfenstein: Enemy Territory (MDX)"},
    {"IDCV", 4, 0, 0, "vertex colours of Titanfall 2 (VVC)"},
    {"IDST", 4, 4, 9, "a studio model from before Half-Life was released"},
    {"IDST", 4, 36, 37, "a studio model from before Half-Life 2 was released"},
    {"IDST", 4, 53, 53, "a studio model of Titanfall 2"},
    {"IDST", 4, 54, 54, "a studio model of Apex Legends"},
    {"IDST", 4, 2531, 2531, "a studio model of Vampire: The Masquerade - Bloodlines"},
    {"IDST", 4, 0, UINT32_MAX, "a studio model"},
};

#define KNOWN (sizeof known / sizeof *known)

static bool begins(bsp_bytes bytes, const char *magic, uint8_t size) {
    return bytes.size >= size && memcmp(bytes.data, magic, size) == 0;
}

// Returns the version that the file states, or 0 where it ends before.
static uint32_t version_of(const bspi_model_def *def, bsp_bytes bytes) {
    bsp_bytes at = bspi_slice(bytes, def->version_at, def->version_size);
    if (def->version_size == 0 || at.size == 0) {
        return 0;
    }
    return def->version_size == 2 ? bspi_load16(at.data, def->format.big_endian)
                                  : bspi_load32(at.data, def->format.big_endian);
}

static bool is_kind(const bspi_model_def *def, bsp_bytes bytes) {
    return def->magic != NULL && begins(bytes, def->magic, def->magic_size);
}

static bool is_read(const bspi_model_def *def, bsp_bytes bytes) {
    uint32_t version = version_of(def, bytes);
    return (def->magic == NULL || is_kind(def, bytes)) &&
           (def->version_size == 0 || (version >= def->version && version <= def->last)) &&
           (def->accepts == NULL || def->accepts(bytes));
}

static const bspi_model_def *find(bsp_bytes bytes) {
    for (size_t i = 0; i < FORMATS; i++) {
        if (is_read(table[i], bytes)) {
            return table[i];
        }
    }
    return NULL;
}

// Returns the word after the first four bytes, or 0 where the file ends before.
static uint32_t second_word(bsp_bytes bytes) {
    bsp_bytes at = bspi_slice(bytes, 4, 4);
    return at.size == 0 ? 0 : bspi_load32(at.data, false);
}

static bool is_known(const known_format *format, bsp_bytes bytes) {
    uint32_t version = second_word(bytes);
    return begins(bytes, format->magic, format->magic_size) &&
           (format->last == 0 || (version >= format->first && version <= format->last));
}

// Says why no row reads the bytes.
static bool fail(bsp_bytes bytes, bsp_error *error) {
    for (size_t i = 0; i < KNOWN; i++) {
        if (is_known(&known[i], bytes) && known[i].last == 0) {
            return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "%s is not read", known[i].title);
        }
        if (is_known(&known[i], bytes)) {
            return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "version %u, %s, is not read",
                            (unsigned)second_word(bytes), known[i].title);
        }
    }
    for (size_t i = 0; i < FORMATS; i++) {
        if (is_kind(table[i], bytes)) {
            return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "version %u of a %s is not read",
                            (unsigned)version_of(table[i], bytes), table[i]->format.title);
        }
    }
    return bsp_fail(error, BSP_E_FORMAT, NULL, "not a model of a known format");
}

const bspi_model_def *bspi_model_find(bsp_bytes bytes, bsp_error *error) {
    const bspi_model_def *def = find(bytes);
    if (def == NULL) {
        (void)fail(bytes, error);
    } else if (bytes.size < def->head->size) {
        (void)bsp_fail(error, BSP_E_DAMAGED, NULL, "a %s of %zu bytes: its head alone has %u",
                       def->format.title, bytes.size, (unsigned)def->head->size);
        return NULL;
    }
    return def;
}

bool bsp_model_detect(bsp_bytes bytes) {
    bool found = find(bytes) != NULL;
    for (size_t i = 0; i < FORMATS && !found; i++) {
        found = is_kind(table[i], bytes);
    }
    for (size_t i = 0; i < KNOWN && !found; i++) {
        found = is_known(&known[i], bytes);
    }
    return found;
}

// Rows of one format are its versions.
const bsp_model_format *bsp_model_format_at(uint32_t n) {
    for (size_t i = 0; i < FORMATS; i++) {
        bool again = i != 0 && strcmp(table[i]->format.name, table[i - 1]->format.name) == 0;
        if (!again && n-- == 0) {
            return &table[i]->format;
        }
    }
    return NULL;
}

const bsp_layout *bsp_model_format_layout(const bsp_model_format *format, uint32_t n,
                                          const char **name) {
    assert(format != NULL && name != NULL);
    for (size_t i = 0; i < FORMATS; i++) {
        const bspi_model_def *def = table[i];
        if (&def->format == format && n <= def->num_rows) {
            *name = n == 0 ? "header" : def->rows[n - 1].name;
            return n == 0 ? def->head : def->rows[n - 1].layout;
        }
    }
    return NULL;
}
