// SPDX-License-Identifier: MIT
// Entity text from a file: text, or JSON as bspkit entities --json prints it.
#ifndef CLI_ENTITY_IMPORT_H
#define CLI_ENTITY_IMPORT_H

#include "cli/parts/output.h"

/// The new text of a map with the entities of a file's bytes. Entities of JSON that are as before
/// keep their text; text gets the NULs behind it that the old one had. NULL after a message. Free
/// with free.
char *cli_entity_import(const char *path, bsp_bytes bytes, const bsp_entities *old, size_t *size);

#endif
