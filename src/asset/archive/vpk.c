// SPDX-License-Identifier: MIT
// VPK, versions 1 and 2: a tree of extensions, folders and names. The bytes of a file stand in the
// tree itself (preload), after the tree, or in one of the numbered archives beside it. Format:
// sheet outputs, section 5.3.
#include "asset/layouts.h"
#include "asset/archive/search.h"

#include "core/reader.h"

#include <stdio.h>

#define IN_DIRECTORY 0x7FFFu
#define HEAD_SIZE_2 28u

typedef struct vpk {
    const bspi_archive *archive;
    bspi_reader tree;
    size_t data;       // offset of the bytes after the tree
    char prefix[1024]; // path up to "dir.vpk", or ""
    bspi_heap *heap;
    bsp_bytes *archives; // by number; opened when first needed
    uint8_t *tried;
} vpk;

// Returns the bytes of a numbered archive; empty if there is no such file.
static bsp_bytes archive_number(vpk *v, uint32_t number) {
    bsp_bytes none = {NULL, 0};
    if (v->prefix[0] == '\0' || number > IN_DIRECTORY) {
        return none;
    }
    if (v->tried[number] == 0) {
        char path[1100];
        v->tried[number] = 1;
        v->archives[number] = none;
        snprintf(path, sizeof path, "%s%03u.vpk", v->prefix, (unsigned)number);
        if (!bspi_search_map(v->archive->search, path, &v->archives[number], NULL)) {
            bspi_archive_issue(v->archive, number, 0, "an archive of that number is not there");
        }
    }
    return v->archives[number];
}

static bool put_file(vpk *v, bsp_text ending, bsp_text folder, bsp_text name) {
    const uint8_t *p = bspi_take(&v->tree, bspi_vpk_entry_t.size);
    if (p == NULL) {
        return true;
    }
    bsp_table entry = {&bspi_vpk_entry_t, p, 1, false};
    uint32_t preload = (uint32_t)bsp_table_int(&entry, 0, BSPI_VPK_PRELOAD, 0);
    uint32_t number = (uint32_t)bsp_table_int(&entry, 0, BSPI_VPK_ARCHIVE, 0);
    uint64_t at = (uint64_t)bsp_table_int(&entry, 0, BSPI_VPK_AT, 0);
    uint64_t length = (uint64_t)bsp_table_int(&entry, 0, BSPI_VPK_LENGTH, 0);
    bspi_item item = {.storage = BSPI_STORED};
    item.head = (bsp_bytes){bspi_take(&v->tree, preload), preload};
    if (v->tree.failed) {
        return true;
    }
    if (length != 0) {
        item.packed = number == IN_DIRECTORY ? bspi_slice(v->archive->bytes, v->data + at, length)
                                             : bspi_slice(archive_number(v, number), at, length);
    }
    if (item.packed.size != length) {
        bspi_archive_issue(v->archive, number, at, "a file is not all there");
        return true;
    }
    char path[BSPI_NAME_ROOM];
    bool root = folder.size == 1 && folder.data[0] == ' ';
    bool bare = ending.size == 1 && ending.data[0] == ' ';
    int size = snprintf(path, sizeof path, "%.*s%s%.*s%s%.*s", root ? 0 : (int)folder.size,
                        folder.data, root ? "" : "/", (int)name.size, name.data, bare ? "" : ".",
                        bare ? 0 : (int)ending.size, ending.data);
    bool fits = size > 0 && (size_t)size < sizeof path;
    return !fits || bspi_search_put(v->archive, bsp_text_of(path), &item, preload + length);
}

static bool read_tree(vpk *v) {
    for (bsp_text ending = bspi_read_string(&v->tree); ending.size != 0;
         ending = bspi_read_string(&v->tree)) {
        for (bsp_text folder = bspi_read_string(&v->tree); folder.size != 0;
             folder = bspi_read_string(&v->tree)) {
            for (bsp_text name = bspi_read_string(&v->tree); name.size != 0;
                 name = bspi_read_string(&v->tree)) {
                if (!put_file(v, ending, folder, name)) {
                    return false;
                }
            }
        }
    }
    if (v->tree.failed) {
        bspi_archive_issue(v->archive, BSP_NONE, v->tree.at, "the tree is cut");
    }
    return true;
}

// Finds the prefix: "x/pak01_dir.vpk" has its archives in "x/pak01_000.vpk" and so on.
static void find_prefix(vpk *v) {
    static const char ending[] = "dir.vpk";
    bsp_text path = bsp_text_of(v->archive->path);
    size_t size = sizeof ending - 1;
    if (path.size > size && path.size - size < sizeof v->prefix &&
        memcmp(path.data + path.size - size, ending, size) == 0) {
        memcpy(v->prefix, path.data, path.size - size);
        v->prefix[path.size - size] = '\0';
    }
}

static bool read_with_archives(vpk *v) {
    size_t count = v->prefix[0] == '\0' ? 0 : IN_DIRECTORY + 1;
    v->archives = bspi_heap_alloc(v->heap, count * sizeof *v->archives, v->archive->error);
    v->tried = bspi_heap_alloc(v->heap, count, v->archive->error);
    bool done = v->archives != NULL && v->tried != NULL;
    if (done) {
        memset(v->tried, 0, count);
        done = read_tree(v);
    }
    bspi_heap_free(v->heap, v->archives, count * sizeof *v->archives);
    bspi_heap_free(v->heap, v->tried, count);
    return done;
}

bool bspi_add_vpk(const bspi_archive *archive) {
    bsp_bytes bytes = archive->bytes;
    if (bytes.size < bspi_vpk_head_t.size) {
        bspi_archive_issue(archive, BSP_NONE, 0, "the head is cut");
        return true;
    }
    bsp_table head = {&bspi_vpk_head_t, bytes.data, 1, false};
    int64_t version = bsp_table_int(&head, 0, BSPI_VPK_VERSION, 0);
    uint64_t tree = (uint64_t)bsp_table_int(&head, 0, BSPI_VPK_TREE, 0);
    if (version != 1 && version != 2) {
        return bsp_fail(archive->error, BSP_E_UNSUPPORTED, NULL, "VPK of version %lld",
                        (long long)version);
    }
    size_t start = version == 1 ? bspi_vpk_head_t.size : HEAD_SIZE_2;
    if (start > bytes.size || tree > bytes.size - start) {
        bspi_archive_issue(archive, BSP_NONE, 8, "the tree is cut");
        start = start > bytes.size ? bytes.size : start;
        tree = bytes.size - start;
    }
    vpk v = {.archive = archive,
             .tree = bspi_reader_of((bsp_bytes){bytes.data, start + (size_t)tree}, false),
             .data = start + (size_t)tree,
             .heap = &archive->search->heap};
    bspi_seek(&v.tree, start);
    find_prefix(&v);
    return read_with_archives(&v);
}
