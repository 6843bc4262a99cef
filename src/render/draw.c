// SPDX-License-Identifier: MIT
// Draws a view of a scene: vertices to view space once, then bands of rows, each by a thread of its
// own: first what hides, then what is seen through, from back to front.
#include "render/raster.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_FOV 90.0F
#define PI 3.14159265358979323846
#define MAX_THREADS 64u
/// Part of the picture that the overview leaves free around the map.
#define TOP_MARGIN 0.02F

// --- camera -------------------------------------------------------------------------------------

typedef struct viewer {
    float forward[3];
    float right[3];
    float up[3];
    float from[3];
    float focal; // pixels
    bool parallel;
} viewer;

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Angles as the engines mean them: pitch down is positive, yaw turns against the clock from +X.
static void aim(viewer *camera, const float angles[3]) {
    double pitch = (double)angles[0] * PI / 180;
    double yaw = (double)angles[1] * PI / 180;
    double roll = (double)angles[2] * PI / 180;
    double sp = sin(pitch), cp = cos(pitch), sy = sin(yaw), cy = cos(yaw), sr = sin(roll),
           cr = cos(roll);
    camera->forward[0] = (float)(cp * cy);
    camera->forward[1] = (float)(cp * sy);
    camera->forward[2] = (float)-sp;
    camera->right[0] = (float)(-sr * sp * cy + cr * sy);
    camera->right[1] = (float)(-sr * sp * sy - cr * cy);
    camera->right[2] = (float)(-sr * cp);
    camera->up[0] = (float)(cr * sp * cy + sr * sy);
    camera->up[1] = (float)(cr * sp * sy - sr * cy);
    camera->up[2] = (float)(cr * cp);
}

// Looks straight down; north (+Y) is up. Ceilings show their backs, and so are not drawn.
static void look_down(viewer *camera, const bsp_scene *scene, const bsp_view *view) {
    static const float forward[3] = {0, 0, -1}, right[3] = {1, 0, 0}, up[3] = {0, 1, 0};
    memcpy(camera->forward, forward, sizeof forward);
    memcpy(camera->right, right, sizeof right);
    memcpy(camera->up, up, sizeof up);
    float size[2];
    for (int axis = 0; axis < 2; axis++) {
        camera->from[axis] = (scene->mins[axis] + scene->maxs[axis]) / 2;
        size[axis] = scene->maxs[axis] - scene->mins[axis];
        size[axis] = size[axis] > 1 ? size[axis] : 1;
    }
    camera->from[2] = scene->maxs[2] + 1;
    float across = (float)view->width / size[0];
    float down = (float)view->height / size[1];
    camera->focal = (across < down ? across : down) * (1 - 2 * TOP_MARGIN);
    camera->parallel = true;
}

static void set_camera(viewer *camera, const bsp_scene *scene, const bsp_view *view) {
    memset(camera, 0, sizeof *camera);
    if (view->top) {
        look_down(camera, scene, view);
        return;
    }
    float fov = view->fov > 0 && view->fov < 179 ? view->fov : DEFAULT_FOV;
    memcpy(camera->from, view->from, sizeof camera->from);
    aim(camera, view->angles);
    camera->focal = (float)(view->width / 2.0 / tan((double)fov * PI / 360));
}

static void to_view(const viewer *camera, const bsp_mesh_vertex *vertex, bspi_corner *out) {
    float d[3];
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = vertex->position[axis] - camera->from[axis];
    }
    out->x = dot(d, camera->right) * camera->focal;
    out->y = -dot(d, camera->up) * camera->focal;
    out->w = camera->parallel ? 1 : dot(d, camera->forward);
    // From one unit above the highest point; 0 is left for "nothing".
    out->key = camera->parallel ? 1 / (1 + dot(d, camera->forward)) : 0;
    memcpy(out->uv, vertex->uv, sizeof out->uv);
    memcpy(out->light_uv, vertex->light_uv, sizeof out->light_uv);
    for (int i = 0; i < 3; i++) {
        out->color[i] = (float)vertex->color[i] / 255;
    }
}

// --- bands --------------------------------------------------------------------------------------

// A triangle that is seen through.
typedef struct glass {
    uint32_t batch;
    uint32_t index; // of its first index
    float distance;
} glass;

typedef struct job {
    const bsp_scene *scene;
    const bspi_corner *corners;
    const glass *glasses;
    uint32_t num_glasses;
    viewer camera;
    bspi_canvas canvas; // of the whole picture
} job;

typedef struct strip {
    const job *drawing;
    uint32_t first_row;
    uint32_t end_row;
} strip;

static bspi_paint paint_of(const bsp_scene *scene, const bspi_batch *batch) {
    bspi_paint paint = {.texture = &scene->textures[batch->texture],
                        .light =
                            batch->light_page == BSP_NONE ? NULL : &scene->pages[batch->light_page],
                        .vertex_lit = batch->vertex_lit,
                        .sky = batch->sky,
                        .blended = batch->blended,
                        .opacity = batch->opacity};
    return paint;
}

static void gather(const job *drawing, uint32_t index, bspi_corner out[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = drawing->corners[drawing->scene->indices[index + i]];
    }
}

static void draw_batch(const job *drawing, const bspi_canvas *canvas, const bspi_batch *batch) {
    bspi_paint paint = paint_of(drawing->scene, batch);
    for (uint32_t i = 0; i + 2 < batch->num_indices; i += 3) {
        bspi_corner corners[3];
        gather(drawing, batch->first_index + i, corners);
        bspi_draw_triangle(canvas, &paint, corners);
    }
}

// The sky of the map, for all that nothing hides.
static void draw_sky(const job *drawing, const bspi_canvas *canvas) {
    const viewer *camera = &drawing->camera;
    for (uint32_t y = canvas->first_row; y < canvas->end_row; y++) {
        float up = (float)canvas->height / 2 - (float)y - 0.5F;
        for (uint32_t x = 0; x < canvas->width; x++) {
            size_t at = (size_t)y * canvas->width + x;
            float right = (float)x + 0.5F - (float)canvas->width / 2;
            float direction[3];
            for (int i = 0; i < 3; i++) {
                direction[i] = camera->forward[i] * camera->focal + camera->right[i] * right +
                               camera->up[i] * up;
            }
            bspi_sky_color(&drawing->scene->sky, direction, canvas->pixels + at * 4);
        }
    }
}

// A sky of one colour above and another below, where the map's own is not known.
static void draw_background(const bspi_canvas *canvas) {
    static const float above[3] = {92, 128, 168}, below[3] = {176, 190, 200};
    static const uint8_t paper[3] = {24, 26, 30};
    for (uint32_t y = canvas->first_row; y < canvas->end_row; y++) {
        float t = (float)y / (float)canvas->height;
        for (uint32_t x = 0; x < canvas->width; x++) {
            size_t at = (size_t)y * canvas->width + x;
            for (int i = 0; i < 3; i++) {
                float sky = above[i] + (below[i] - above[i]) * t;
                canvas->pixels[at * 4 + (size_t)i] = canvas->parallel ? paper[i] : (uint8_t)sky;
            }
            canvas->pixels[at * 4 + 3] = 255;
            canvas->depth[at] = 0;
        }
    }
}

static void *draw_band(void *argument) {
    const strip *band = argument;
    const job *drawing = band->drawing;
    bspi_canvas canvas = drawing->canvas;
    canvas.first_row = band->first_row;
    canvas.end_row = band->end_row;
    draw_background(&canvas);
    if (drawing->scene->sky.found && !canvas.parallel) {
        draw_sky(drawing, &canvas);
    }
    // Sky first: it leaves the background and keeps away what is behind it.
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < drawing->scene->num_batches; i++) {
            const bspi_batch *batch = &drawing->scene->batches[i];
            if (!batch->blended && batch->sky == (pass == 0) && !(batch->sky && canvas.parallel)) {
                draw_batch(drawing, &canvas, batch);
            }
        }
    }
    for (uint32_t i = 0; i < drawing->num_glasses; i++) {
        const glass *pane = &drawing->glasses[i];
        bspi_paint paint = paint_of(drawing->scene, &drawing->scene->batches[pane->batch]);
        bspi_corner corners[3];
        gather(drawing, pane->index, corners);
        bspi_draw_triangle(&canvas, &paint, corners);
    }
    return NULL;
}

static uint32_t count_threads(uint32_t asked, uint32_t rows) {
    long processors = asked != 0 ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t threads = processors < 1 ? 1 : (uint32_t)processors;
    threads = threads > MAX_THREADS ? MAX_THREADS : threads;
    return threads > rows ? rows : threads;
}

// A thread that cannot be started is replaced by doing its band here.
static void draw_bands(const job *drawing, uint32_t asked) {
    uint32_t rows = drawing->canvas.height;
    uint32_t count = count_threads(asked, rows);
    strip bands[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    bool started[MAX_THREADS] = {false};
    for (uint32_t i = 0; i < count; i++) {
        bands[i].drawing = drawing;
        bands[i].first_row = (uint32_t)((uint64_t)rows * i / count);
        bands[i].end_row = (uint32_t)((uint64_t)rows * (i + 1) / count);
        started[i] = i > 0 && pthread_create(&threads[i], NULL, draw_band, &bands[i]) == 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!started[i]) {
            draw_band(&bands[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (started[i]) {
            pthread_join(threads[i], NULL);
        }
    }
}

// --- what is seen through -----------------------------------------------------------------------

static int far_first(const void *a, const void *b) {
    const glass *x = a;
    const glass *y = b;
    if (x->distance != y->distance) {
        return x->distance > y->distance ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index ? 1 : 0;
}

static float distance_of(const job *drawing, uint32_t index) {
    float sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const bspi_corner *corner = &drawing->corners[drawing->scene->indices[index + i]];
        sum += drawing->canvas.parallel ? 1 / corner->key : corner->w;
    }
    return sum;
}

static uint32_t list_glasses(const job *drawing, glass *out) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < drawing->scene->num_batches; b++) {
        const bspi_batch *batch = &drawing->scene->batches[b];
        for (uint32_t i = 0; batch->blended && i + 2 < batch->num_indices; i += 3) {
            if (out != NULL) {
                out[count].batch = b;
                out[count].index = batch->first_index + i;
                out[count].distance = distance_of(drawing, batch->first_index + i);
            }
            count++;
        }
    }
    return count;
}

// --- the picture --------------------------------------------------------------------------------

static bool draw_all(const bsp_scene *scene, const bsp_view *view, uint32_t threads,
                     bspi_arena *arena, bsp_image *out, bsp_error *error) {
    viewer camera;
    set_camera(&camera, scene, view);
    size_t pixels = (size_t)view->width * view->height;
    bspi_corner *corners = bspi_arena_raw(arena, scene->num_vertices, sizeof *corners, error);
    float *depth = bspi_arena_raw(arena, pixels, sizeof *depth, error);
    if (corners == NULL || depth == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scene->num_vertices; i++) {
        to_view(&camera, &scene->vertices[i], &corners[i]);
    }
    job drawing = {.scene = scene, .corners = corners, .camera = camera};
    bspi_canvas canvas = {.pixels = out->pixels,
                          .depth = depth,
                          .width = view->width,
                          .height = view->height,
                          .parallel = camera.parallel};
    drawing.canvas = canvas;
    drawing.num_glasses = list_glasses(&drawing, NULL);
    glass *glasses = bspi_arena_raw(arena, drawing.num_glasses, sizeof *glasses, error);
    if (glasses == NULL) {
        return false;
    }
    (void)list_glasses(&drawing, glasses);
    qsort(glasses, drawing.num_glasses, sizeof *glasses, far_first);
    drawing.glasses = glasses;
    draw_bands(&drawing, threads);
    return true;
}

bool bsp_scene_draw(const bsp_scene *scene, const bsp_view *view, uint32_t threads, bsp_image *out,
                    bsp_error *error) {
    static const uint8_t black[4] = {0, 0, 0, 255};
    memset(out, 0, sizeof *out);
    if (view->width == 0 || view->height == 0 || view->width > BSP_IMAGE_MAX ||
        view->height > BSP_IMAGE_MAX) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "a picture of %u x %u pixels; 1 to %u are allowed", view->width,
                        view->height, BSP_IMAGE_MAX);
    }
    bspi_heap heap;
    bspi_arena arena;
    bspi_heap_init(&heap, &scene->heap.allocator, 0);
    bspi_arena_init(&arena, &heap);
    bool done = bsp_image_fill(view->width, view->height, black, &heap.allocator, out, error) &&
                draw_all(scene, view, threads, &arena, out, error);
    bspi_arena_free(&arena);
    if (!done && out->pixels != NULL) {
        bsp_image_free(out);
    }
    return done;
}
