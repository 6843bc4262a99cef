// SPDX-License-Identifier: MIT
// A shader of Quake 3 while its script is read.
#ifndef BSPI_ASSET_FIND_SHADER_READER_H
#define BSPI_ASSET_FIND_SHADER_READER_H

#include "asset/find/script.h"

// Above the limits of all engines (ET: 16 stages, 16 frames).
#define BSPI_SHADER_STAGES 32u
#define BSPI_SHADER_IMAGES 256u
#define BSPI_SHADER_PARMS 64u
#define BSPI_SHADER_SUNS 8u

/// The shader that is read, and its lists, which are copied when it is complete.
typedef struct bspi_shader_reader {
    bspi_script script;
    bsp_shader shader;
    bsp_shader_stage stages[BSPI_SHADER_STAGES];
    uint32_t first_image[BSPI_SHADER_STAGES]; ///< of each stage, in `images`
    bsp_text images[BSPI_SHADER_IMAGES];
    uint32_t num_images;
    bsp_text parms[BSPI_SHADER_PARMS];
    bsp_shader_sun suns[BSPI_SHADER_SUNS];
} bspi_shader_reader;

/// Reports a problem at a word.
void bspi_shader_complain(const bspi_shader_reader *reader, const bspi_word *word,
                          const char *what);
/// Returns the next word of the line of a keyword. If there is none, reports that and returns an
/// empty text.
bsp_text bspi_shader_argument(bspi_shader_reader *reader, const bspi_word *key);
/// Returns the next word of the line as a number. If it is none, reports that and returns 0.
float bspi_shader_number(bspi_shader_reader *reader, const bspi_word *key);

/// Reads a stage, whose brace was read. Returns false at the end of the text, after a report.
bool bspi_shader_stage_read(bspi_shader_reader *reader, const bspi_word *brace); // shader_stage.c

#endif
