// SPDX-License-Identifier: MIT
// A zip with its files packed by another method.
#ifndef BSPI_EDIT_PAK_ZIP_METHOD_H
#define BSPI_EDIT_PAK_ZIP_METHOD_H

#include "edit/rewrite/plan.h"

/// Plans a zip with every file packed as LZMA, or none. Everything else stays; `plan` stays empty
/// when nothing changes, or when the zip is too damaged to be changed. `pak` must outlive it.
bool bspi_zip_set_method(const bsp_pak *pak, bool lzma, bsp_plan *plan, bsp_error *error);

#endif
