// SPDX-License-Identifier: MIT
// Entity text from a file: text, or JSON as bspkit entities --json prints it.
#ifndef CLI_ENTITY_IMPORT_H
#define CLI_ENTITY_IMPORT_H

#include "cli/parts/output.h"

/// The entities of a file's bytes in the place of those of a map. Entities of JSON that are as
/// before keep their text. NULL after a message.
bsp_entity_edit *cli_entity_import(const char *path, bsp_bytes bytes, const bsp_entities *old);

#endif
