// SPDX-License-Identifier: MIT
// The models of samples/models: a crate of 32 units in every format.
#ifndef BSPI_TEST_MODEL_SAMPLES_H
#define BSPI_TEST_MODEL_SAMPLES_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/mesh.h"
#include "bspkit/model.h"
#include "model/quake/alias.h"
#include "support/alloc.h"
#include "support/files.h"
#include "support/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES BSP_TEST_SAMPLES "/models/"

static inline bsp_model_asset *open_sample(const char *name) {
    bsp_error error = {.code = BSP_OK};
    char path[1024];
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_model_open_options options = {.issues = issues};
    snprintf(path, sizeof path, SAMPLES "%s", name);
    bsp_model_asset *model = bsp_model_open_path(path, &options, &error);
    if (model == NULL) {
        fail_msg("%s: %s", name, error.message);
    }
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 0);
    bsp_issues_free(issues);
    return model;
}

static inline bsp_model_mesh *build(const bsp_model_asset *model, const bsp_model_pose *pose) {
    bsp_error error = {.code = BSP_OK};
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, pose, &error);
    if (mesh == NULL) {
        fail_msg("%s", error.message);
    }
    return mesh;
}

typedef struct crate {
    const char *path;
    const char *format;
    float up;     // how far the last frame is lifted
    bool squares; // each side shows the whole picture
} crate;

static const crate crates[] = {
    {"quake/progs/crate.mdl", "quake-mdl", 8, false},
    {"quake/progs/torch.mdl", "quake-mdl", 0, false},
    {"quake/progs/crate16.mdl", "quake-mdl16", 8, false},
    {"hexen2/models/crate.mdl", "hexen2-mdl", 0, false},
    {"quake2/models/crate/tris.md2", "md2", 8, true},
    {"heretic2/models/crate/tris.fm", "fm", 8, true},
    {"kingpin/models/crate.mdx", "kingpin-mdx", 8, true},
    {"daikatana/models/crate1.dkm", "dkm", 0, true},
    {"daikatana/models/crate2.dkm", "dkm", 0, true},
    {"quake3/models/crate.md3", "md3", 8, true},
    {"quake3/models/crate.iqm", "iqm", 0, true},
    {"quake3/models/crate1.iqm", "iqm", 0, true},
    {"raven/models/crate.glm", "glm", 0, true},
    {"raven/models/crate.mdr", "mdr", 0, true},
    {"raven/models/packed.mdr", "mdr", 0, true},
    {"goldsrc/models/crate.mdl", "goldsrc-mdl", 0, true},
    {"source/models/props/crate.mdl", "source-mdl", 0, true},
    {"source/models/props/wide.mdl", "source-mdl", 0, true}, // version 52; longer groups and strips
};

#define CRATES (sizeof crates / sizeof *crates)

#endif
