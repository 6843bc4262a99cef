// SPDX-License-Identifier: MIT
// Triangles to pixels: clipped, projected and set up once, then drawn into strips of rows.
#ifndef BSPI_RASTER_H
#define BSPI_RASTER_H

#include "render/renderer.h"

/// Places on the picture are integers of 1/256 pixel: edges are exact, so that triangles with a
/// common edge leave no gap and draw no pixel twice.
#define BSPI_SUBPIXEL 256

/// Triangles that reach farther than this from the centre, in pixels, are clipped there. Products
/// of two coordinates stay exact in 64 bits.
#define BSPI_GUARD 16384.0F

/// The values that vary over a triangle, each divided by w: linear on the picture.
enum {
    BSPI_OVER_W,
    BSPI_KEY,
    BSPI_U,
    BSPI_V,
    BSPI_LIGHT_U,
    BSPI_LIGHT_V,
    BSPI_RED,
    BSPI_GREEN,
    BSPI_BLUE,
    BSPI_ALPHA,
    BSPI_VALUES
};

/// A vertex in view space, before the division.
typedef struct bspi_corner {
    float x;   ///< to the right, times the focal length in pixels
    float y;   ///< downwards, times the focal length in pixels
    float w;   ///< distance along the view; 1 in a parallel view
    float key; ///< greater is nearer; not used in perspective
    float uv[2];
    float light_uv[2];
    float color[3]; ///< 0..1
    float alpha;    ///< 0..1
} bspi_corner;

/// Fog as the pixels of a picture see it: along a line of sight its edge comes nearer by `base` +
/// `across` * x + `down` * y for each unit of depth at pixel (x, y).
typedef struct bspi_haze {
    const bspi_fog *fog;
    bool bounded;
    float eye; ///< how far the eye is outside; negative: inside
    float base;
    float across;
    float down;
} bspi_haze;

/// How the colour of a triangle's pixels is computed.
typedef struct bspi_paint {
    const bspi_texture *texture;
    const bspi_texture *second;              ///< mixed in by alpha; or NULL
    const bspi_texture *layers[BSPI_LAYERS]; ///< the same, by red and green; or NULL
    const bspi_mip *light;                   ///< or NULL
    const bspi_texture *bump; ///< mixes `directions` in the place of `light`; or NULL
    const bspi_mip *directions[3];
    bool vertex_lit;
    bool sky; ///< hides what is beyond it and shows the background
    bool blended;
    bool add;                ///< blended: added, `opacity` times
    bool warps;              ///< the texture ripples
    float warp_time;         ///< radians
    uint8_t opacity;         ///< of 255; blended only
    uint8_t cut;             ///< ALPHA_TEST: the lowest alpha that is drawn
    const bspi_haze *haze;   ///< or NULL
    const bspi_shine *shine; ///< NULL: an own colour; else what `cube` shows is added, and the
                             ///< corners have the direction that they mirror in their colours, and
                             ///< in alpha its part along the normal
    const bspi_cube *cube;
    uint8_t haze_color[3]; ///< what the pixels become in the thickest fog
} bspi_paint;

/// A triangle on the picture.
typedef struct bspi_triangle {
    int32_t x[3]; ///< in 1/256 pixels; the inside is on the positive side of each edge
    int32_t y[3];
    uint32_t first_row; ///< first row with one of its pixels
    uint32_t end_row;
    uint32_t paint;
    uint32_t row_work; ///< steps per row, on average
    int32_t left;      ///< the pixel at whose centre the values are `base`
    int32_t top;
    float base[BSPI_VALUES];
    float dx[BSPI_VALUES]; ///< from pixel to pixel
    float dy[BSPI_VALUES];
} bspi_triangle;

/// The picture that triangles are set up for.
typedef struct bspi_screen {
    uint32_t width;
    uint32_t height;
    bool parallel;
} bspi_screen;

/// The most triangles that clipping one makes.
#define BSPI_MAX_PIECES 7u

/// Clips, projects and sets up a triangle that is counter-clockwise seen from the front. Left out
/// are one seen from the back, unless its texture is two-sided, and one that covers no pixel.
/// `paint` is only read; the caller sets its number. Returns how many triangles there are.
uint32_t bspi_triangle_set_up(const bspi_screen *screen, const bspi_paint *paint,
                              const bspi_corner corners[3], bspi_triangle out[BSPI_MAX_PIECES]);

/// Some rows of the picture while they are drawn.
typedef struct bspi_strip {
    uint32_t *pixels; ///< RGBA from the lowest byte on; 0: the background shows
    float *depth;     ///< greater is nearer; 0 is infinitely far
    uint32_t stride;  ///< pixels from row to row, a multiple of 8
    uint32_t width;
    uint32_t first_row; ///< in the picture
    uint32_t end_row;
    uint64_t drawn; ///< number of written pixels, added up
} bspi_strip;

/// Draws the rows of a triangle that lie in the strip.
typedef void bspi_draw_fn(bspi_strip *strip, const bspi_triangle *triangle,
                          const bspi_paint *paint);

bspi_draw_fn bspi_triangle_draw_base;
bspi_draw_fn bspi_triangle_draw_avx2; // where BSPI_MAKES_AVX2

/// Directions at eight adjacent pixels.
typedef struct bspi_sky_run {
    float from[3];
    float step[3]; ///< from pixel to pixel
} bspi_sky_run;

/// Draws eight colours of the map's own sky as pixels of a strip.
typedef void bspi_sky_fn(const bspi_sky *sky, const bspi_sky_run *run, uint32_t out[8]);

bspi_sky_fn bspi_sky_draw_base;
bspi_sky_fn bspi_sky_draw_avx2; // where BSPI_MAKES_AVX2

/// Returns the fastest function for this processor; `plain`: the base one.
bspi_draw_fn *bspi_triangle_draw(bool plain);
bspi_sky_fn *bspi_sky_draw(bool plain);

#endif
