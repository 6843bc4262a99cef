// SPDX-License-Identifier: MIT
// A zip with its files packed otherwise.
#ifndef BSPI_EDIT_PAK_ZIP_METHOD_H
#define BSPI_EDIT_PAK_ZIP_METHOD_H

#include "edit/rewrite/plan.h"

/// Plans a zip with every file packed as LZMA, or none. All else stays; `plan` stays empty when
/// nothing changes, or when the zip is so damaged that it is better left alone. `pak` must outlive
/// it.
bool bspi_zip_set_method(const bsp_pak *pak, bool lzma, bsp_plan *plan, bsp_error *error);

#endif
