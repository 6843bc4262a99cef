// SPDX-License-Identifier: MIT
// bspkit light: the light of a map made anew, whole or in parts, or compared with what the map has.
#include "cli/commands/light_made.h"
#include "cli/parts/commands.h"
#include "cli/parts/game.h"
#include "cli/parts/inputs.h"
#include "cli/parts/write_map.h"

#include <string.h>

// The parts that --merge was given. A command does one merge.
static cli_parts parts;

// --- parts --------------------------------------------------------------------------------------

// Makes a part of the light of HDR or of the other one, and adds it to the output. Closing that
// says why it could not be written.
static bool add_part(const cli_light_made *m, bool hdr, uint32_t number, uint32_t count,
                     bsp_error *error) {
    bsp_blob blob = {0};
    bool done = cli_light_build_part(m, hdr, number, count, &blob, error);
    if (done) {
        (void)cli_sink(m->input->output, (const char *)blob.data, blob.size);
    }
    bsp_blob_free(&blob);
    return done;
}

static cli_status make_part(const cli_input *input) {
    cli_light_made m = {.input = input};
    uint32_t number;
    uint32_t count;
    bsp_error error;
    cli_status status = CLI_USAGE;
    if (cli_part_parse(input->call->common->part, &number, &count)) {
        status = cli_light_load(&m);
    }
    bool hdr = cli_light_options_of(input->call)->relight.hdr;
    if (status == CLI_DONE &&
        (!add_part(&m, hdr, number, count, &error) ||
         (cli_light_makes_both(&m) && !add_part(&m, true, number, count, &error)))) {
        status = cli_light_report(&m, &error);
    }
    cli_light_drop(&m);
    return status;
}

static bool read_part(void *user, bsp_bytes bytes, bsp_error *error) {
    uint32_t number;
    uint32_t count;
    (void)user;
    return bsp_relight_part_read(bytes, &number, &count, error);
}

static cli_status change(const cli_input *input) {
    return cli_light_write(input, &parts);
}

static cli_status change_merged(const cli_input *input) {
    cli_status status = cli_parts_check(&parts, read_part, NULL);
    return status == CLI_DONE ? change(input) : status;
}

static cli_status run(const cli_call *call) {
    const cli_light_options *wanted = cli_light_options_of(call);
    if (wanted->relight.preview && wanted->relight.extra > 1) {
        cli_message(NULL, "--preview goes without --extra: it measures fewer places, not more");
        return CLI_USAGE;
    }
    if (wanted->relight.hdr && wanted->ldr) {
        cli_message(NULL, "--hdr and --ldr exclude each other: without them both are made");
        return CLI_USAGE;
    }
    if (wanted->relight.direct && wanted->relight.bounces != 0) {
        cli_message(NULL, "--direct and --bounces exclude each other");
        return CLI_USAGE;
    }
    if (wanted->relight.grid_sides && !(wanted->relight.grid > 0)) {
        cli_message(NULL, "--grid-sides goes with --grid UNITS");
        return CLI_USAGE;
    }
    if (wanted->lit != NULL && call->common->output != NULL &&
        strcmp(wanted->lit, call->common->output) == 0) {
        cli_message(NULL, "--lit and -o name the same file");
        return CLI_USAGE;
    }
    bool pages = wanted->pages != NULL && call->common->part != NULL; // the merge writes them
    if (!cli_parts_allowed(call, wanted->check || wanted->lit != NULL || pages,
                           pages ? "--check and --pages" : "--check and --lit")) {
        return CLI_USAGE;
    }
    if (call->common->part != NULL) {
        return cli_for_each_input(call, 1, make_part);
    }
    if (call->common->merge) {
        return cli_parts_merge(call, &parts, change_merged);
    }
    if ((wanted->lit != NULL || wanted->pages != NULL) &&
        (wanted->check || call->num_operands != 1)) {
        cli_message(NULL, "--%s takes one map, and goes without --check",
                    wanted->lit != NULL ? "lit" : "pages");
        return CLI_USAGE;
    }
    if (wanted->lit != NULL && !cli_may_write_to(wanted->lit)) { // before the map is written
        return CLI_FAILED;
    }
    return wanted->check
               ? cli_for_each_of(call, call->operands, call->num_operands, NULL, cli_light_check)
               : cli_for_each_edited(call, call->operands, call->num_operands, change);
}

static const cli_choice compilers[] = {
    {"ericw", BSP_COMPILER_ERICW, "ericw-tools' light: Quake, Quake 2 and GoldSrc"},
    {"id", BSP_COMPILER_ID, "id's qrad3: Quake 2"},
    {"hlrad", BSP_COMPILER_HLRAD, "hlrad: GoldSrc"},
    {"vrad", BSP_COMPILER_VRAD, "vrad: Source, by the lights that it left in the map"},
    {"q3map2", BSP_COMPILER_Q3MAP2, "q3map2: Quake 3"},
    {NULL, 0, NULL},
};

static const cli_choice dirts[] = {
    {"map", BSP_DIRT_USUAL, "as the map says"},
    {"on", BSP_DIRT_ON, "for all lights"},
    {"off", BSP_DIRT_OFF, "for none"},
    {NULL, 0, NULL},
};

static const cli_choice prop_shadows[] = {
    {"hulls", BSP_PROP_SHADOWS_HULLS, "of their collision models, or of convex hulls of meshes"},
    {"triangles", BSP_PROP_SHADOWS_TRIANGLES, "of what is drawn"},
    {"textures", BSP_PROP_SHADOWS_TEXTURES, "of what is drawn, less where textures are clear"},
    {NULL, 0, NULL},
};

static const cli_choice phongs[] = {
    {"map", 0, "as keys say, or else as the light of the map tells"},
    {"keys", 1, "as keys say alone"},
    {NULL, 0, NULL},
};

static const cli_option options[] = {
    {.name = "check",
     CLI_FLAG_TO(cli_light_options, check),
     .help = "Write no map: compare with the light that the map has, and print how many luxels "
             "differ by how much"},
    CLI_OPTION_JSON,
    {.name = "as",
     CLI_CHOICE_TO(cli_light_options, compiler, compilers),
     .argument = "COMPILER",
     .help = "Follow the formulas of that compiler; the default is the usual one of the family, in "
             "Quake 2 ericw-tools' where the light of the map has what qrad3 never stores (luxels "
             "brighter than 196, or black)"},
    {.name = "extra",
     CLI_NUMBER_TO(cli_light_options, relight.extra),
     .least = 1,
     .most = 8,
     .argument = "N",
     .help = "Measure at N x N places of each luxel (1 to 8; default 1). Quake 3: at more than one "
             "only where shadows end, as -samples of q3map2; the default is what the map says"},
    {.name = "direct",
     CLI_FLAG_TO(cli_light_options, relight.direct),
     .help = "Only light that comes straight from lamps: surfaces throw nothing back"},
    {.name = "preview",
     CLI_FLAG_TO(cli_light_options, relight.preview),
     .help =
         "Measure every fourth luxel along each axis, and look less often at what brings little: "
         "about a tenth of the time, with softer shadows"},
    {.name = "bounces",
     CLI_NUMBER_TO(cli_light_options, relight.bounces),
     .least = 1,
     .argument = "N",
     .help = "Light goes N times from surface to surface (from 1; --direct for none). The default "
             "is the compiler's; in Source and by the rules of ericw-tools that of the light that "
             "the map has, where that tells; in Quake 3 what the map says (_q3map2_cmdline)"},
    {.name = "dirt",
     CLI_CHOICE_TO(cli_light_options, dirt, dirts),
     .argument = "WHEN",
     .help =
         "By the rules of ericw-tools, q3map2 and vrad: whether light is weaker in corners "
         "(dirt, ambient occlusion). The default is map, which reads _dirt, in Quake 3 -dirty in "
         "_q3map2_cmdline, and in Source the light that the map has"},
    {.name = "dirt-depth",
     CLI_REAL_TO(cli_light_options, relight.dirt_depth),
     .least = 1,
     .most = 65536,
     .argument = "UNITS",
     .help = "With dirt: units to the farthest thing that makes a corner (1 to 65536; default: "
             "_dirtdepth of the map, or 128)"},
    {.name = "dirt-gain",
     CLI_REAL_TO(cli_light_options, relight.dirt_gain),
     .least = 0.01f,
     .most = 100,
     .argument = "N",
     .help = "With dirt: exponent of the share of the view that is near (0.01 to 100; default: "
             "_dirtgain of the map, or 1)"},
    {.name = "dirt-scale",
     CLI_REAL_TO(cli_light_options, relight.dirt_scale),
     .least = 0.01f,
     .most = 100,
     .argument = "N",
     .help = "With dirt: factor of the light that is lost (0.01 to 100; default: _dirtscale of the "
             "map, or 1)"},
    {.name = "soft",
     CLI_NUMBER_TO(cli_light_options, relight.soft),
     .most = 255,
     .argument = "N",
     .help = "By the rules of ericw-tools: make each place the mean of those up to N on each side "
             "of it, so that edges of shadows are softer (0 to 255; default 0)"},
    {.name = "phong",
     CLI_CHOICE_TO(cli_light_options, phong, phongs),
     .argument = "WHEN",
     .help = "By the rules of ericw-tools: which faces are lit as if they were round. The default "
             "is map: where no key says it (those of func_detail and func_group are not in a map), "
             "faces that are nearer to the light of the map then; keys takes none but those of "
             "which _phong and _phong_angle say so"},
    {.name = "patch-shadows",
     CLI_FLAG_TO(cli_light_options, relight.patch_shadows),
     .help = "Quake 3: patches cast shadows too (-patchshadows of q3map2), which a map may ask for "
             "by itself"},
    {.name = "prop-shadows",
     CLI_CHOICE_TO(cli_light_options, prop_shadows, prop_shadows),
     .argument = "WHAT",
     .help =
         "Source: what of static props casts shadows; the default is hulls. vrad has the others "
         "with -StaticPropPolys, and with -textureshadows too, of models made with "
         "$casttextureshadows or that --rad names"},
    {.name = "bounce-grid",
     CLI_FLAG_TO(cli_light_options, relight.bounce_grid),
     .help = "Quake 3: cells of the light grid have what surfaces throw back, too (-bouncegrid of "
             "q3map2), which a map may ask for by itself"},
    {.name = "grid",
     CLI_REAL_TO(cli_light_options, relight.grid),
     .least = 1,
     .most = 65536,
     .argument = "UNITS",
     .help = "Quake and Quake 2: also make a light grid, by which engines light models, in the "
             "place of one that the map has; its cells are UNITS apart (1 to 65536; ericw-tools "
             "has 32)"},
    {.name = "grid-sides",
     CLI_FLAG_TO(cli_light_options, relight.grid_sides),
     .help = "With --grid: each cell has a light for each side of a cube (LIGHTGRIDS), not one for "
             "all (LIGHTGRID_OCTREE)"},
    {.name = "hdr",
     CLI_FLAG_TO(cli_light_options, relight.hdr),
     .help = "Source: make only the HDR light of a map that has both"},
    {.name = "ldr",
     CLI_FLAG_TO(cli_light_options, ldr),
     .help = "Source: make only the LDR light of a map that has both"},
    {.name = "region",
     CLI_TEXT_TO(cli_light_options, region),
     .argument = "X,Y,Z,X,Y,Z",
     .help =
         "Give other light only to faces in the box between these corners, and to those that may "
         "see into it; all others keep theirs, to the byte"},
    {.name = "lights",
     CLI_FILE_TO(cli_light_options, lights),
     .argument = "FILE",
     .help = "Take the lights of this .map or text of entities, not those of the map; in Source "
             "they replace the compiler's list, but for surfaces that give light"},
    {.name = "rad",
     CLI_FILE_TO(cli_light_options, rad),
     .argument = "FILE",
     .help =
         "GoldSrc: textures give light as the lines of this lights.rad say, and others give none; "
         "without it what they gave is estimated out of the light that the map has. Source: its "
         "lines noshadow MATERIAL and forcetextureshadow MODEL count (--prop-shadows)"},
    {.name = "lit",
     CLI_TARGET_TO(cli_light_options, lit),
     .argument = "FILE",
     .help = "Quake: also write the light in colour, as .lit"},
    {.name = "pages",
     CLI_TARGET_TO(cli_light_options, pages),
     .argument = "DIR",
     .help = "Quake 3: write the pages that the map has in files beside it into this folder, as "
             "lm_0000.tga and so on"},
    CLI_OPTIONS_PARTS,
    CLI_OPTION_GAME_FOR("textures and shaders"),
    CLI_OPTIONS_EDITED_IF("no light that it names explains what it has, or if "),
    CLI_OPTIONS_MANY,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_light = {
    .name = "light",
    .group = CLI_GROUP_CHANGE,
    .operands = "FILE...",
    .summary = "Compute the light of a map again, without its source",
    .description =
        "The lamps are those that the compiled map still names: light entities and keys of the "
        "world, surfaces that give light, and in Source the list that its compiler left. Luxels "
        "are written in the family's own form, as many as there were; light styles are found "
        "again. In Quake 3 vertices and the light grid are lit too; what its shaders give is known "
        "where --game finds them. Pages that it has in files of its own (lm_0000.tga) are found in "
        "the folder NAME beside NAME.bsp, and in maps/NAME of the --game folders.\n\n"
        "Formulas are those of the family's compilers. Some light has sources that the map does "
        "not keep: Quake 3 drops light entities, and textures of GoldSrc shine by a file (--rad), "
        "without which what they gave is estimated out of the light that the map has: that with "
        "which it comes out best. A map that names no light at all is refused, and so is one of "
        "Quake 3 that would come out "
        "much darker; --lights gives lights, and --force goes on without. Static props of Source "
        "shade, and get light at their vertices, where --game finds their models.\n\n"
        "What keys of brushes say of surfaces is not in a map of Quake or Quake 2: it is read from "
        "NAME.texinfo.json beside the map, where qbsp of ericw-tools left it. Without it, which "
        "were round (_phong) is estimated out of the light that the map has, but not for a "
        "preview, nor with --lights (--phong).\n\n"
        "A map that q3map2 lit says how (_q3map2_cmdline: -bounce, -fast, -samples, -dirty, "
        "-gamma, scales of light and others), and is lit so again unless options say otherwise.\n\n"
        "Keys of --check --json: file, rules, rules_stored (they are not the usual ones, as the "
        "light of the map tells), release (the year since which vrad had them, or 0), softened "
        "(light that grazes is weaker), occluded (direct light is weaker in corners), the counts "
        "lamps, suns, emitters, patches, bounces, "
        "luxels, vertices, cells, cubes, rays, styles_dropped, untextured (textures that were "
        "not found) and unlisted (lights of Source's entities that are not where the list of the "
        "compiler has one), unheeded (keys of q3map2 that shaders or "
        "entities have, words of _q3map2_cmdline, and .texinfo.json of another map, that had no "
        "effect), texlights (lines of a lights.rad, as estimated), phong (faces that are round, as "
        "estimated: texture, faces, angle), compared (luxels), stored_mean "
        "and mean (0 to 255), seconds (of the wall clock), "
        "histogram (how many luxels differ by 0 to 255).\n\n"
        "With --part and --merge several machines do one map: each part lights every N-th face, "
        "and the merge adds what surfaces throw back. All parts take the same options as the "
        "merge.",
    .examples = {"bspkit light --check maps/source.bsp", "bspkit light maps/source.bsp -o new.bsp"},
    CLI_OPTIONS(options, cli_light_options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
