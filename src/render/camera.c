// SPDX-License-Identifier: MIT
// The camera: its direction, its scale, and the space that it shows.
#include "render/camera.h"

#include "core/curves.h"
#include "core/vector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DEFAULT_FOV 90.0F
/// Part of the picture that the overview leaves free around the map.
#define TOP_MARGIN 0.02F

// Sets the axes from angles as in the engines: positive pitch looks down, yaw is counter-clockwise
// from +X.
static void aim(bspi_camera *camera, const float angles[3]) {
    double pitch = (double)angles[0] * BSPI_PI / 180;
    double yaw = (double)angles[1] * BSPI_PI / 180;
    double roll = (double)angles[2] * BSPI_PI / 180;
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

// Looks straight down; north (+Y) is up. Ceilings show their backs, so they are not drawn.
static void look_down(bspi_camera *camera, const bsp_renderer *renderer, const bsp_view *view) {
    static const float forward[3] = {0, 0, -1}, right[3] = {1, 0, 0}, up[3] = {0, 1, 0};
    memcpy(camera->forward, forward, sizeof forward);
    memcpy(camera->right, right, sizeof right);
    memcpy(camera->up, up, sizeof up);
    float size[2];
    for (int axis = 0; axis < 2; axis++) {
        camera->from[axis] = (renderer->mins[axis] + renderer->maxs[axis]) / 2;
        size[axis] = renderer->maxs[axis] - renderer->mins[axis];
        size[axis] = size[axis] > 1 ? size[axis] : 1;
    }
    float above = renderer->maxs[2] + 1;
    camera->from[2] = view->cuts && view->cut < above ? view->cut : above;
    camera->per_unit = 1 / (camera->from[2] - fminf(renderer->mins[2], camera->from[2]) + 2);
    float across = (float)view->width / size[0];
    float down = (float)view->height / size[1];
    camera->focal = (across < down ? across : down) * (1 - 2 * TOP_MARGIN);
    camera->parallel = true;
}

void bspi_camera_set(bspi_camera *camera, const bsp_renderer *renderer, const bsp_view *view) {
    memset(camera, 0, sizeof *camera);
    if (view->top) {
        look_down(camera, renderer, view);
        return;
    }
    float fov = view->fov > 0 && view->fov < 179 ? view->fov : DEFAULT_FOV;
    memcpy(camera->from, view->from, sizeof camera->from);
    aim(camera, view->angles);
    camera->focal = (float)(view->width / 2.0 / tan((double)fov * BSPI_PI / 360));
}

// Adds a plane through the eye whose inside is where `a` * forward + `b` * side is positive.
static void add_plane(const bspi_camera *camera, float a, const float side[3], float b,
                      bspi_frustum *frustum) {
    float *plane = frustum->planes[frustum->num_planes++];
    for (int axis = 0; axis < 3; axis++) {
        plane[axis] = a * camera->forward[axis] + b * side[axis];
    }
    plane[3] = bspi_dot(plane, camera->from);
}

// Half a pixel is added on each side, since what is cut off must not cover a pixel's centre.
void bspi_camera_frustum(const bspi_camera *camera, const bsp_view *view, bspi_frustum *frustum) {
    memset(frustum, 0, sizeof *frustum);
    if (camera->parallel) {
        return;
    }
    float across = ((float)view->width + 1) / 2;
    float down = ((float)view->height + 1) / 2;
    add_plane(camera, across, camera->right, camera->focal, frustum);
    add_plane(camera, across, camera->right, -camera->focal, frustum);
    add_plane(camera, down, camera->up, camera->focal, frustum);
    add_plane(camera, down, camera->up, -camera->focal, frustum);
    add_plane(camera, 1, camera->up, 0, frustum);
}

void bspi_camera_corner(const bspi_camera *camera, const bsp_mesh_vertex *vertex,
                        bspi_corner *out) {
    float d[3];
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = vertex->position[axis] - camera->from[axis];
    }
    out->x = bspi_dot(d, camera->right) * camera->focal;
    out->y = -bspi_dot(d, camera->up) * camera->focal;
    out->w = camera->parallel ? 1 : bspi_dot(d, camera->forward);
    // 1 is one unit above the highest point, or where the view is cut; 0 is reserved for "nothing".
    out->key = camera->parallel ? 1 - bspi_dot(d, camera->forward) * camera->per_unit : 0;
    memcpy(out->uv, vertex->uv, sizeof out->uv);
    memcpy(out->light_uv, vertex->light_uv, sizeof out->light_uv);
    for (int i = 0; i < 3; i++) {
        out->color[i] = (float)vertex->color[i] / 255;
    }
    out->alpha = (float)vertex->color[3] / 255;
}

void bspi_camera_reflect(const bspi_camera *camera, const bsp_mesh_vertex *vertex,
                         bspi_corner *corner) {
    float way[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = vertex->position[axis] - camera->from[axis];
    }
    float against = bspi_dot(vertex->normal, way);
    for (int axis = 0; axis < 3; axis++) {
        corner->color[axis] = way[axis] - 2 * against * vertex->normal[axis];
    }
    corner->alpha = -against;
}

// tr_shade_calc.c of Quake 3 (RB_CalcEnvironmentTexCoords).
void bspi_camera_mirror(const bspi_camera *camera, const bsp_mesh_vertex *vertex,
                        bspi_corner *corner) {
    float to_eye[3];
    for (int axis = 0; axis < 3; axis++) {
        to_eye[axis] = camera->from[axis] - vertex->position[axis];
    }
    float length = sqrtf(bspi_dot(to_eye, to_eye));
    float facing = 2 * bspi_dot(vertex->normal, to_eye);
    float scale = length > 0 ? 0.5F / length : 0;
    corner->uv[0] = 0.5F + (vertex->normal[1] * facing - to_eye[1]) * scale;
    corner->uv[1] = 0.5F - (vertex->normal[2] * facing - to_eye[2]) * scale;
}

void bsp_renderer_overview(const bsp_renderer *renderer, const bsp_view *view, bsp_overview *out) {
    assert(renderer != NULL && view != NULL && out != NULL);
    bspi_camera camera = {.parallel = true};
    look_down(&camera, renderer, view);
    out->scale = 1 / camera.focal;
    out->origin[0] = camera.from[0] - (float)view->width / 2 * out->scale;
    out->origin[1] = camera.from[1] + (float)view->height / 2 * out->scale;
    memcpy(out->mins, renderer->mins, sizeof out->mins);
    memcpy(out->maxs, renderer->maxs, sizeof out->maxs);
}
