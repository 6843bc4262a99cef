// SPDX-License-Identifier: MIT
// Recognises packed files that the compilers of Source made, by their names. Facts: sheets outputs
// (3) and source-lumps (8): maps/NAME/c<x>_<y>_<z>.vtf, cubemapdefault.vtf, sp_<n>.vhv, and
// materials maps/NAME/..._<x>_<y>_<z>, ..._wvt_patch, ..._depth_<n>.
#include "bspkit/decompile.h"

#include "core/text.h"

// Returns the part after the last slash; `*folder` is the part before it.
static bsp_text split_name(bsp_text path, bsp_text *folder) {
    size_t at = path.size;
    while (at > 0 && path.data[at - 1] != '/' && path.data[at - 1] != '\\') {
        at--;
    }
    *folder = (bsp_text){path.data, at};
    return (bsp_text){path.data + at, path.size - at};
}

// sp_N, sp_hdr_N
static bool is_prop_light(bsp_text name) {
    bsp_text rest = name;
    return bspi_text_cut_end(&rest, ".vhv") && bspi_text_cut_number(&rest, NULL) &&
           (bspi_text_is(rest, "sp") || bspi_text_is(rest, "sp_hdr"));
}

// cX_Y_Z, cubemapdefault; with .hdr or without
static bool is_cubemap(bsp_text name) {
    bsp_text rest = name;
    if (!bspi_text_cut_end(&rest, ".vtf")) {
        return false;
    }
    (void)bspi_text_cut_end(&rest, ".hdr");
    if (bspi_text_is(rest, "cubemapdefault")) {
        return true;
    }
    if (!bspi_text_cut_number(&rest, NULL) || !bspi_text_cut_number(&rest, NULL) || rest.size < 2 ||
        (rest.data[0] != 'c' && rest.data[0] != 'C')) {
        return false;
    }
    size_t at = rest.data[1] == '-' ? 2 : 1;
    for (size_t i = at; i < rest.size; i++) {
        if (rest.data[i] < '0' || rest.data[i] > '9') {
            return false;
        }
    }
    return rest.size > at;
}

static bool is_patched(bsp_text name) {
    bsp_text rest = name;
    if (!bspi_text_cut_end(&rest, ".vmt")) {
        return false;
    }
    bsp_text depth = rest;
    bsp_text patch = rest;
    return bspi_text_cut_end(&patch, "_wvt_patch") ||
           (bspi_text_cut_number(&depth, NULL) && bspi_text_cut_end(&depth, "_depth")) ||
           (bspi_text_cut_number(&rest, NULL) && bspi_text_cut_number(&rest, NULL) &&
            bspi_text_cut_number(&rest, NULL) && rest.size != 0);
}

bool bsp_is_compiled_file(bsp_text name) {
    static const char maps[] = "materials/maps/";
    bsp_text folder;
    bsp_text file = split_name(name, &folder);
    return is_prop_light(file) ||
           (bspi_text_begins_nocase(folder, maps) && folder.size > sizeof maps &&
            (is_cubemap(file) || is_patched(file)));
}
