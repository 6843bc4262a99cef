// SPDX-License-Identifier: MIT
// Opens a map that lies in an archive.
#include "asset/archive/search.h"

#include "core/options.h"
#include "records/file.h"

#include <assert.h>

bsp_file *bsp_file_open_member(const bsp_search *archive, bsp_text name,
                               const bsp_open_options *options, bsp_error *error) {
    assert(archive != NULL);
    bsp_open_options taken;
    bsp_blob blob;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    if (bsp_search_find(archive, name) == NULL) {
        bsp_fail(error, BSP_E_NOT_FOUND, NULL, "there is no file '%.*s' in the archive",
                 name.size < 128 ? (int)name.size : 128, name.data);
        return NULL;
    }
    return bsp_search_read(archive, name, &blob, error) ? bspi_file_open_blob(&blob, &taken, error)
                                                        : NULL;
}
