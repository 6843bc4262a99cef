// SPDX-License-Identifier: MIT
// What the formats use while a model is opened.
#ifndef BSPI_MODEL_OPEN_H
#define BSPI_MODEL_OPEN_H

#include "model/model.h"

/// Reads a file by its name in the search path; for a model of the disk: by the last part of the
/// name, in the model's folder. Fails with BSP_E_NOT_FOUND if it is not there. Free `out` with
/// bsp_blob_free.
bool bspi_model_read(const bsp_model_asset *model, bsp_text name, bsp_blob *out, bsp_error *error);
/// Opens a file that belongs to the model, by its name in the search path (a model of the disk: the
/// last part of the name, in the model's folder), and sets `*file` to it. A file that is not there
/// or cannot be read leaves NULL; it is an issue if `needed`. Returns false only without memory or
/// over a limit.
bool bspi_model_companion_open(bsp_model_asset *model, const char *role, bsp_text name, bool needed,
                               const bsp_model_file **file, bsp_error *error);
/// Returns the companion of that role, or NULL.
const bsp_model_file *bspi_model_companion_find(const bsp_model_asset *model, const char *role);

/// Returns a text in the model's arena: the model's name with its ending replaced by `ending`
/// (".vvd"), and `middle` before that. No data without memory.
bsp_text bspi_model_sibling_name(bsp_model_asset *model, const char *middle, const char *ending,
                                 bsp_error *error);
/// Returns a copy of `first`, then `second`, in the model's arena, with '/' for each '\\'. No data
/// without memory.
bsp_text bspi_model_join(bsp_model_asset *model, bsp_text first, bsp_text second, bsp_error *error);
/// Returns the folder of a name, with its last '/'; empty without one.
bsp_text bspi_folder_of(bsp_text name);

/// Returns `count` zeroed materials in the arena, and sets info.materials. NULL without memory.
bsp_model_material *bspi_model_materials(bsp_model_asset *model, uint32_t count, bsp_error *error);
/// Sets the paths of a material: copies of `paths`.
bool bspi_material_paths(bsp_model_asset *model, bsp_model_material *material,
                         const bsp_text *paths, uint32_t count, bsp_error *error);

/// Sets info.sequences from the names of frames: frames in a row whose names differ only in the
/// digits at their end are a sequence of that name. `name_of` returns the name of a frame. For
/// formats that do not say how fast frames follow each other: the programs of their games show ten
/// a second.
bool bspi_model_name_sequences(bsp_model_asset *model, uint32_t num_frames,
                               bsp_text (*name_of)(const bsp_model_asset *model, uint32_t frame),
                               bsp_error *error);

/// Reads the palette for a format without one: that of the options, else gfx/palette.lmp of the
/// search path, which Quake and Hexen II have. It stays grey where there is none.
bool bspi_model_palette(bsp_model_asset *model, bsp_error *error);

/// Makes a picture of palette indices. `hole` is the index that is transparent, or -1.
bool bspi_model_indexed_image(const bsp_model_asset *model, bsp_bytes indices, uint32_t width,
                              uint32_t height, bsp_bytes palette, int hole, bsp_image *out,
                              bsp_error *error);

#endif
