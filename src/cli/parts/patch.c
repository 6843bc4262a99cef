// SPDX-License-Identifier: MIT
// The .lmp files of the command line.
#include "cli/parts/patch.h"

#include "cli/parts/budget.h"
#include "cli/parts/folder.h"

#include <stdlib.h>

bool cli_patch_read(const char *path, bsp_bytes bytes, const bsp_file *file, bsp_lump_file *patch) {
    bsp_error error = {0};
    bool big_endian = bsp_file_get_info(file)->detection.big_endian;
    if (!bsp_lump_file_read(bytes, big_endian, patch, &error)) {
        cli_message(path, "%s", error.message);
        return false;
    }
    return true;
}

void cli_patch_write(const bsp_file *file, const bsp_lump *lump, bsp_bytes data,
                     cli_output *output) {
    const bsp_file_info *info = bsp_file_get_info(file);
    const bsp_lump_file patch = {lump->index, lump->version, info->revision, data};
    uint8_t head[BSP_LUMP_FILE_HEAD];
    bsp_lump_file_head(&patch, info->detection.big_endian, head);
    (void)cli_sink(output, (const char *)head, sizeof head);
    (void)cli_sink(output, (const char *)data.data, data.size);
}

// --- reading -------------------------------------------------------------------------------------

bool cli_patch_given(const cli_call *call) {
    return call->common->lmp.count != 0;
}

// Makes the change that a file stands for. The engine refuses a file of another revision, and so
// does this.
static bool read_change(const char *path, bsp_bytes bytes, const bsp_file *file,
                        bsp_lump_change *change) {
    const bsp_file_info *info = bsp_file_get_info(file);
    bsp_lump_file patch;
    if (!cli_patch_read(path, bytes, file, &patch)) {
        return false;
    }
    if (info->revision == BSP_NONE || patch.lump >= info->num_directory_lumps ||
        patch.revision != info->revision) {
        cli_message(path, "it is not for this map: for lump %u of revision %u",
                    (unsigned)patch.lump, (unsigned)patch.revision);
        return false;
    }
    *change = (bsp_lump_change){.lump = patch.lump, .data = patch.data, .version = patch.version};
    (void)bsp_lzma_probe(patch.data, &change->unpacked_size);
    return true;
}

static bsp_file *open_changed(const char *path, const bsp_file *file, bsp_issues *issues,
                              const bsp_lump_change *changes, uint32_t count, bsp_blob *blob) {
    bsp_error error;
    const bsp_file_info *info = bsp_file_get_info(file);
    bsp_open_options options = {.branch = info->detection.branch->name,
                                .budget = cli_budget(),
                                .external = info->external,
                                .num_external = info->num_external,
                                .issues = issues};
    bsp_file *changed = NULL;
    if (bsp_file_rewrite(file, changes, count, NULL, blob, &error)) {
        changed = bsp_file_open_memory((bsp_bytes){blob->data, blob->size}, &options, &error);
    }
    if (changed == NULL) {
        (void)cli_report(path, &error);
    }
    return changed;
}

bsp_file *cli_patch_open(const cli_call *call, const char *path, const bsp_file *file,
                         bsp_issues *issues, bsp_blob *blob) {
    const cli_list *lmp = &call->common->lmp;
    bsp_lump_change *changes = calloc(lmp->count + 1, sizeof *changes);
    uint8_t **files = calloc(lmp->count + 1, sizeof *files);
    bsp_file *changed = NULL;
    uint32_t count = 0;
    bool good = changes != NULL && files != NULL;
    if (!good) {
        cli_message(path, "no memory");
    }
    for (size_t i = 0; good && i < lmp->count; i++) {
        size_t size;
        const char *patch = lmp->items[i].value;
        files[count] = cli_read_file(patch, &size);
        good = files[count] != NULL &&
               read_change(patch, (bsp_bytes){files[count], size}, file, &changes[count]);
        count++;
    }
    if (good) {
        changed = open_changed(path, file, issues, changes, count, blob);
    }
    for (uint32_t i = 0; i < count; i++) {
        free(files[i]);
    }
    free(files);
    free(changes);
    return changed;
}
