// SPDX-License-Identifier: MIT
// Coloured light of a Quake map in a file beside it, NAME.lit: "QLIT", a version, then for every
// luxel of the light lump, in the same order, three bytes (version 1) or an E5BGR9 word (version
// 0x10001). Engines use it only if its size fits this lump. Format: sheet goldsrc-quake1 (9).
#include "core/reader.h"
#include "records/file.h"
#include "records/light_file.h"

#include <string.h>

#define HEAD BSPI_LIGHT_FILE_HEAD
#define VERSION_E5BGR9 0x10001u

static const char suffix[] = ".lit";

// Returns the map's path with another extension, in the arena; `name` receives the name without
// folders.
static char *path_of(bsp_file *file, const char *path, const char **name, bsp_error *error) {
    const char *slash = strrchr(path, '/');
    const char *first = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(first, '.');
    size_t stem = dot == NULL ? strlen(path) : (size_t)(dot - path);
    char *out = bspi_arena_raw(&file->arena, stem + sizeof suffix, 1, error);
    if (out != NULL) {
        memcpy(out, path, stem);
        memcpy(out + stem, suffix, sizeof suffix);
        *name = out + (first - path);
    }
    return out;
}

static bool find_beside(bsp_file *file, const char *path, const bsp_open_options *options,
                        bsp_external *out, bsp_error *error) {
    const char *name;
    char *beside = path_of(file, path, &name, error);
    if (beside == NULL) {
        return false;
    }
    bspi_mapping mapping;
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_STREAM, 0, file->heap.budget, &file->heap.allocator);
    // A file that cannot be read is treated as missing; the map itself was read.
    if (!bspi_open_file(beside, !options->read, &heap, &mapping, NULL)) {
        return true;
    }
    bspi_file_grow(file, mapping.bytes.size);
    if (!bspi_mapping_move(&mapping, &file->heap, error)) {
        bspi_unmap_file(&mapping);
        return false;
    }
    file->light_mapping = mapping;
    *out = (bsp_external){name, mapping.bytes};
    return true;
}

static void find_given(const bsp_open_options *options, bsp_external *out) {
    for (uint32_t i = 0; i < options->num_external && out->name == NULL; i++) {
        size_t size = strlen(options->external[i].name);
        size_t end = sizeof suffix - 1;
        if (size > end && strcmp(options->external[i].name + size - end, suffix) == 0) {
            *out = options->external[i];
        }
    }
}

// Fills `out`, or reports why the file is not used.
static void read_head(const bsp_file *file, const bsp_external *from, bsp_light_file *out,
                      bsp_issues *issues) {
    uint32_t lump = bsp_file_find_id(file, BSP_ID_LIGHTING);
    uint64_t luxels = lump == BSP_NONE ? 0 : file->lumps[lump].unpacked_size;
    bsp_place place =
        bsp_place_at(lump == BSP_NONE ? NULL : file->lumps[lump].name, BSP_NONE, NULL, 0);
    const uint8_t *head = from->bytes.data;
    if (from->bytes.size < HEAD || memcmp(head, BSPI_LIGHT_FILE_MAGIC, 4) != 0) {
        bspi_issue(issues, BSPI_ISSUE_LIGHT_FILE, place, "%s does not begin with QLIT", from->name);
        return;
    }
    uint32_t version = bspi_load32(head + 4, false);
    if (version != BSPI_LIGHT_FILE_RGB && version != VERSION_E5BGR9) {
        bspi_issue(issues, BSPI_ISSUE_LIGHT_FILE, place, "%s is of version 0x%X", from->name,
                   (unsigned)version);
        return;
    }
    uint64_t size = HEAD + luxels * (version == BSPI_LIGHT_FILE_RGB ? 3 : 4);
    if (luxels == 0 || from->bytes.size != size) {
        bspi_issue(issues, BSPI_ISSUE_LIGHT_FILE, place,
                   "%s has %llu bytes, and %llu luxels need %llu", from->name,
                   (unsigned long long)from->bytes.size, (unsigned long long)luxels,
                   (unsigned long long)size);
        return;
    }
    out->name = from->name;
    out->luxels = (bsp_bytes){head + HEAD, from->bytes.size - HEAD};
    out->e5bgr9 = version == VERSION_E5BGR9;
}

bool bspi_light_file_open(bsp_file *file, const char *path, const bsp_open_options *options,
                          bsp_error *error) {
    bool given = options->num_external != 0;
    bool beside = path != NULL && strcmp(path, "-") != 0 && !given && !options->no_external;
    bsp_external found = {NULL, {NULL, 0}};
    if (!bsp_branch_traits(file->info.detection.branch)->light_file) {
        return true;
    }
    if (beside && !find_beside(file, path, options, &found, error)) {
        return false;
    }
    if (given) {
        find_given(options, &found);
        bspi_file_grow(file, found.bytes.size);
    }
    if (found.name != NULL) {
        read_head(file, &found, &file->info.light_file, options->issues);
    }
    return true;
}

void bspi_light_file_close(bsp_file *file) {
    if (file->light_mapping.bytes.data != NULL) {
        bspi_unmap_file(&file->light_mapping);
    }
}
