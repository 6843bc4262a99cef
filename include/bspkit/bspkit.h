// SPDX-License-Identifier: MIT
/// @file bspkit.h
/// All of libbspkit.
#ifndef BSPKIT_BSPKIT_H
#define BSPKIT_BSPKIT_H

#include "bspkit/map.h"

#endif
