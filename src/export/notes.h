// SPDX-License-Identifier: MIT
// What an export says of an entity beyond its keys.
#ifndef BSPI_EXPORT_NOTES_H
#define BSPI_EXPORT_NOTES_H

#include "bspkit/scene.h"
#include "core/json.h"

/// The key of the notes in the extras of a node.
#define BSPI_NOTES "bspkit"

/// Walks the marks and the links of a scene beside its entities, which must come in order.
typedef struct bspi_notes {
    const bsp_scene *scene;
    const bsp_scene_links *links;
    uint32_t mark; ///< the next ones
    uint32_t link;
} bspi_notes;

/// Returns the mark of an entity, or NULL. Entities must be asked for in order.
const bsp_scene_mark *bspi_notes_at(bspi_notes *notes, uint32_t entity);
/// Writes the notes of an entity as a member BSPI_NOTES, if there are some: what it marks (kind,
/// what, reach), and links (key, node). The node of an entity has the entity's number. `has_key`:
/// the entity has a key of that name itself, which stands in the place of the notes.
void bspi_notes_write(bspi_notes *notes, uint32_t entity, bool has_key, bsp_json *json);

#endif
