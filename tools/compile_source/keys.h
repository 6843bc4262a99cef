// SPDX-License-Identifier: MIT
// Values of keys as texts, numbers and points.
#ifndef COMPILE_KEYS_H
#define COMPILE_KEYS_H

#include "world.h"

/// The number that a text is, or `otherwise`.
double number_in(bsp_text text, double otherwise);
/// Up to `max` numbers with blanks between them. Returns how many there are.
uint32_t numbers_in(bsp_text text, double *out, uint32_t max);

/// The value of a key of an entity (any case), empty if it has none.
bsp_text key_text(const world *w, const entity *e, const char *key);
double key_number(const world *w, const entity *e, const char *key, double otherwise);
/// Zeros where there are no numbers.
vec3 key_vec(const world *w, const entity *e, const char *key);
/// True if the entity's classname is `name`, in any case.
bool is_class(const entity *e, const char *name);
/// The number of a text in a list, whose case does not matter; one that is not there is added.
uint32_t text_number(bsp_text **list, uint32_t *count, bsp_text text);

#endif
