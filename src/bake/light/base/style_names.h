// SPDX-License-Identifier: MIT
// Styles of lights that have a name, and of shadows that switch (ericw-tools).
#ifndef BSPI_BAKE_STYLE_NAMES_H
#define BSPI_BAKE_STYLE_NAMES_H

#include "bake/light/base/work.h"

typedef struct bspi_style_names bspi_style_names;

/// Reads the names of entities: `own->style_names`.
bool bspi_style_names_find(bspi_relight *own, bsp_error *error);

/// Returns the style of lights that have a name; a new one where none has. By one thread.
int bspi_style_named(const bspi_relight *own, bsp_text name);

/// Returns the style of the shadow of a model that has "_switchableshadow".
int bspi_style_switched(const bspi_relight *own, const bsp_entity *entity);

#endif
