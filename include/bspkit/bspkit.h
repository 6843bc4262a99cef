// SPDX-License-Identifier: MIT
/// @file bspkit.h
/// All of libbspkit.
#ifndef BSPKIT_BSPKIT_H
#define BSPKIT_BSPKIT_H

#include "bspkit/asset.h"
#include "bspkit/compare.h"
#include "bspkit/cubemaps.h"
#include "bspkit/decompile.h"
#include "bspkit/definitions.h"
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "bspkit/export.h"
#include "bspkit/hulls.h"
#include "bspkit/mesh.h"
#include "bspkit/model.h"
#include "bspkit/nav.h"
#include "bspkit/physics.h"
#include "bspkit/portals.h"
#include "bspkit/query.h"
#include "bspkit/relight.h"
#include "bspkit/render.h"
#include "bspkit/scene.h"
#include "bspkit/solids.h"
#include "bspkit/stale.h"
#include "bspkit/vis.h"

#endif
