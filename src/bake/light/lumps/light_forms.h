// SPDX-License-Identifier: MIT
// Luxels as the file has them: in the form of the family, and of extensions that repeat them.
#ifndef BSPI_BAKE_LIGHT_FORMS_H
#define BSPI_BAKE_LIGHT_FORMS_H

#include "bake/light/base/work.h"
#include "core/buffer.h"

/// One form.
typedef struct bspi_light_form {
    bool made;
    uint32_t bytes; ///< of a luxel
    bspi_buffer buffer;
    bsp_bytes old; ///< what the map has of it
} bspi_light_form;

/// The forms: all have as many luxels, in the same order.
typedef enum bspi_light_form_id {
    BSPI_FORM_OWN,    ///< of the family
    BSPI_FORM_COLOR,  ///< Quake, or where the map has RGBLIGHTING: RGB
    BSPI_FORM_BEYOND, ///< LIGHTING_E5BGR9
    BSPI_FORM_WAYS,   ///< LIGHTINGDIR: from where light comes
    BSPI_FORM_COUNT,
} bspi_light_form_id;

typedef struct bspi_light_forms {
    const bspi_relight *own;
    bspi_light_form list[BSPI_FORM_COUNT];
} bspi_light_forms;

/// Begins without luxels.
void bspi_forms_begin(bspi_light_forms *forms, const bspi_relight *own, const bsp_file *file,
                      bspi_heap *heap, bsp_error *error);
/// Adds a luxel in all forms; `way`: from where its light comes, or NULL.
void bspi_forms_add(bspi_light_forms *forms, const float luxel[3], const float *way);
/// Makes all forms as long as that of the family, which begins at a multiple of four in Quake.
void bspi_forms_align(bspi_light_forms *forms);
/// Copies luxels that the map has, of all forms but Source's.
void bspi_forms_copy(bspi_light_forms *forms, size_t first, size_t count);
/// Did memory suffice?
bool bspi_forms_sound(const bspi_light_forms *forms);
void bspi_forms_free(bspi_light_forms *forms);

#endif
