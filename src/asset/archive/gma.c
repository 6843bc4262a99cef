// SPDX-License-Identifier: MIT
// GMA, an addon of Garry's Mod: a head of texts, a list of files, and their bytes one after the
// other. Format: the game's own packer, gmad (AddonFormat.h, AddonReader.h); versions 1 to 3.
#include "asset/archive/search.h"

#include "core/reader.h"

#define LAST_VERSION 3u
#define AFTER_VERSION 16u // a Steam number and a time, 8 bytes each

// Skips the texts before the list. From version 2 on the first of them are names of content that is
// needed, up to an empty one.
static void skip_head(bspi_reader *r, unsigned version) {
    (void)bspi_take(r, AFTER_VERSION);
    while (version > 1 && bspi_read_string(r).size != 0) {
    }
    for (int i = 0; i < 3; i++) { // title, description, author
        (void)bspi_read_string(r);
    }
    (void)bspi_read_u32(r); // version of the addon
}

// Reads an entry of the list; false after the last.
static bool read_entry(bspi_reader *r, bsp_text *name, uint64_t *size) {
    if (bspi_read_u32(r) == 0) {
        return false;
    }
    *name = bspi_read_string(r);
    *size = bspi_read_u32(r);
    *size |= (uint64_t)bspi_read_u32(r) << 32;
    (void)bspi_read_u32(r); // CRC-32
    return !r->failed;
}

static size_t end_of_list(bspi_reader r) {
    bsp_text name;
    uint64_t size;
    while (read_entry(&r, &name, &size)) {
    }
    return r.failed ? r.bytes.size : r.at;
}

bool bspi_add_gma(const bspi_archive *archive) {
    bspi_reader r = bspi_reader_of(archive->bytes, false);
    bspi_seek(&r, 4);
    const uint8_t *version = bspi_take(&r, 1);
    if (version != NULL && (*version == 0 || *version > LAST_VERSION)) {
        return bsp_fail(archive->error, BSP_E_UNSUPPORTED, NULL, "GMA of version %u",
                        (unsigned)*version);
    }
    skip_head(&r, version == NULL ? 0 : *version);
    uint64_t at = end_of_list(r);
    bsp_text name;
    uint64_t size;
    for (uint32_t n = 0; read_entry(&r, &name, &size); n++) {
        bspi_item item = {.storage = BSPI_STORED, .packed = bspi_slice(archive->bytes, at, size)};
        if (item.packed.size != size) {
            bspi_archive_issue(archive, n, at, "a file is not all there");
            at = archive->bytes.size;
            continue;
        }
        if (!bspi_search_put(archive, name, &item, size)) {
            return false;
        }
        at += size;
    }
    if (r.failed) {
        bspi_archive_issue(archive, BSP_NONE, archive->bytes.size, "the list is cut");
    }
    return true;
}
