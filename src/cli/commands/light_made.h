// SPDX-License-Identifier: MIT
// The light that bspkit light makes of a map, and the options that it is made with.
#ifndef CLI_LIGHT_MADE_H
#define CLI_LIGHT_MADE_H

#include "cli/parts/input.h"
#include "cli/parts/loaded.h"
#include "cli/parts/part_files.h"

/// The options of bspkit light.
typedef struct cli_light_options {
    cli_common common;
    bsp_relight_options relight; ///< what options set as it is
    bool check;
    bool ldr;
    int compiler;
    int dirt;
    int prop_shadows;
    int phong; ///< of surfaces_all
    const char *lights;
    const char *rad;
    const char *lit;
    const char *pages;
    const char *region;
} cli_light_options;

/// Returns the options of a call.
static inline const cli_light_options *cli_light_options_of(const cli_call *call) {
    return call->options;
}

/// What is made of a map. Begins as `{.input = input}`, and ends with cli_light_drop.
typedef struct cli_light_made {
    const cli_input *input;
    const cli_parts *parts; ///< those of --merge; NULL or none: all is made here
    cli_loaded loaded;
    bsp_map *map;         ///< that of `loaded`
    bsp_entities *lights; ///< of --lights
    char *text;           ///< theirs
    bsp_text rad;         ///< of --rad
    bsp_text surfaces;    ///< of NAME.texinfo.json
    bsp_relight *relight;
    bsp_relight *high; ///< that of the HDR light, with the other one; NULL: one alone is made
    float region[2][3];
} cli_light_made;

/// Prints the message of a failed library call, with the options that help where lights are
/// missing, and returns the exit status.
cli_status cli_light_report(const cli_light_made *m, const bsp_error *error);
/// Reads the map, the files of --lights and --rad, and what qbsp of ericw-tools left beside the
/// map. Fails after a message.
cli_status cli_light_load(cli_light_made *m);
/// Is the light of HDR made beside the other one? So where the map has both and none is asked for
/// alone.
bool cli_light_makes_both(const cli_light_made *m);
/// Makes part number `number` of `count` of the light of what was loaded, of HDR with `hdr`.
bool cli_light_build_part(const cli_light_made *m, bool hdr, uint32_t number, uint32_t count,
                          bsp_blob *part, bsp_error *error);
/// Makes the light of HDR beside the other one, where both are made. Fails after a message.
cli_status cli_light_build_high(cli_light_made *m);
/// Makes the light of what was loaded, or merges its parts, and tells of keys and options without
/// effect. Fails after a message.
cli_status cli_light_make(cli_light_made *m);
/// Frees all of it.
void cli_light_drop(cli_light_made *m);

/// Makes the light and compares it with what the map has.
cli_status cli_light_check(const cli_input *input); // light_check.c
/// Makes the light, or merges its parts, and writes the map with it, and the files beside it.
cli_status cli_light_write(const cli_input *input, const cli_parts *parts); // light_write.c

#endif
