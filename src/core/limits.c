// SPDX-License-Identifier: MIT
// The default limits of every product; no other file has any. Each is at least four times the most
// that a real map was measured to take (tests/long/limits.py).
#include "bspkit/core.h"

#define MIB ((uint64_t)1 << 20)
#define MILLION ((uint64_t)1000000)
#define MEMORY_AND_WORK(memory, work)                                                              \
    { memory, work, 0, 0 }

static const bsp_product_limits table[BSP_PRODUCT_COUNT] = {
    [BSP_PRODUCT_FILE] = {"file", "the file and those beside it",
                          MEMORY_AND_WORK(60 * MIB, 256 * MILLION), MEMORY_AND_WORK(10, 64)},
    [BSP_PRODUCT_STREAM] = {"stream", "a file (a pipe counts as 0)",
                            MEMORY_AND_WORK(512 * MIB, BSP_NO_LIMIT), MEMORY_AND_WORK(1, 0)},
    [BSP_PRODUCT_MESH] = {"mesh", "the map's file", MEMORY_AND_WORK(256 * MIB, 16 * MILLION),
                          MEMORY_AND_WORK(256, 8)},
    [BSP_PRODUCT_BRUSH_MESH] = {"hulls", "the map's file", MEMORY_AND_WORK(64 * MIB, 32 * MILLION),
                                MEMORY_AND_WORK(512, 64)},
    [BSP_PRODUCT_LIGHTMAP] = {"lightmap", "the map's file", MEMORY_AND_WORK(64 * MIB, 16 * MILLION),
                              MEMORY_AND_WORK(64, 16)},
    [BSP_PRODUCT_TRACE] = {"trace", "the map's file", MEMORY_AND_WORK(64 * MIB, 32 * MILLION),
                           MEMORY_AND_WORK(256, 16)},
    [BSP_PRODUCT_SEARCH] = {"search", "nothing", MEMORY_AND_WORK(512 * MIB, BSP_NO_LIMIT),
                            MEMORY_AND_WORK(0, 0)},
    [BSP_PRODUCT_TEXTURES] = {"textures", "the map's file",
                              MEMORY_AND_WORK(1024 * MIB, 32 * MILLION), MEMORY_AND_WORK(0, 16)},
    [BSP_PRODUCT_IMAGE] = {"image", "the image's file", MEMORY_AND_WORK(320 * MIB, 256 * MILLION),
                           MEMORY_AND_WORK(0, 0)},
    [BSP_PRODUCT_TEXT] = {"text", "the text", MEMORY_AND_WORK(256 * MIB, 16 * MILLION),
                          MEMORY_AND_WORK(0, 64)},
    [BSP_PRODUCT_DOCUMENT] = {"document", "the text", MEMORY_AND_WORK(64 * MIB, BSP_NO_LIMIT),
                              MEMORY_AND_WORK(32, 0)},
    [BSP_PRODUCT_SCENE] = {"scene",
                           "the map's file, and its textures beside it as files and pixels",
                           MEMORY_AND_WORK(256 * MIB, 32 * MILLION), MEMORY_AND_WORK(64, 32)},
    [BSP_PRODUCT_PICTURE] = {"picture", "the pixels asked for, and what the scene is made of",
                             MEMORY_AND_WORK(512 * MIB, 32 * MILLION), MEMORY_AND_WORK(64, 32)},
    [BSP_PRODUCT_EXPORT] = {"export",
                            "the map's file, and its textures beside it as files and pixels",
                            MEMORY_AND_WORK(1024 * MIB, 64 * MILLION), MEMORY_AND_WORK(64, 80)},
    [BSP_PRODUCT_DECOMPILE] = {"decompile", "the map's file",
                               MEMORY_AND_WORK(64 * MIB, 16 * MILLION), MEMORY_AND_WORK(64, 64)},
    [BSP_PRODUCT_EDIT] = {"edit", "the file", MEMORY_AND_WORK(256 * MIB, 64 * MILLION),
                          MEMORY_AND_WORK(64, 64)},
    [BSP_PRODUCT_CONVERT] = {"convert", "the file", MEMORY_AND_WORK(256 * MIB, 64 * MILLION),
                             MEMORY_AND_WORK(64, 64)},
    [BSP_PRODUCT_DIFF] = {"diff", "the two files", MEMORY_AND_WORK(256 * MIB, 64 * MILLION),
                          MEMORY_AND_WORK(64, 64)},
    [BSP_PRODUCT_OUTPUT] = {"output",
                            "all files that were read",
                            {0, 0, 256 * MIB, 512},
                            {0, 0, 64, 4}},
    [BSP_PRODUCT_MODEL] = {"model", "the model's files", MEMORY_AND_WORK(64 * MIB, 64 * MILLION),
                           MEMORY_AND_WORK(64, 64)},
    [BSP_PRODUCT_PORTALS] = {"portals", "the map's file", MEMORY_AND_WORK(64 * MIB, 32 * MILLION),
                             MEMORY_AND_WORK(64, 64)},
    [BSP_PRODUCT_VIS] = {"visibility", "the map's file",
                         MEMORY_AND_WORK(1024 * MIB, 1000000 * MILLION), MEMORY_AND_WORK(256, 0)},
    [BSP_PRODUCT_LIGHT] = {"light", "the map's file",
                           MEMORY_AND_WORK(1024 * MIB, 1000000 * MILLION), MEMORY_AND_WORK(64, 0)},
    [BSP_PRODUCT_CUBEMAPS] = {"cubemaps", "the map's file",
                              MEMORY_AND_WORK(1024 * MIB, 1000000 * MILLION),
                              MEMORY_AND_WORK(256, 0)},
};

const bsp_product_limits *bsp_product_get_limits(bsp_product product) {
    return &table[product < BSP_PRODUCT_COUNT ? product : BSP_PRODUCT_FILE];
}
