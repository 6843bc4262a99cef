// SPDX-License-Identifier: MIT
// Collision in an OBJ: each piece as an object of its own, where it stands.
#include "export/collision.h"

#include "export/entity.h"
#include "export/solids.h"

/// What is written.
typedef struct collision {
    const bspi_content *content;
    bspi_out *out;
    uint64_t next; ///< number of the next vertex
} collision;

static bool write_piece(void *user, const bspi_solid_place *place, bsp_error *error) {
    collision *c = user;
    const struct bspi_solids *all = c->content->solids;
    const bspi_solid *solid = &all->list[place->solid];
    char name[BSPI_SOLID_NAME];
    uint32_t corner = solid->first_corner;
    if (place->in_room) { // nothing gets there
        return true;
    }
    bspi_solid_name(c->content, solid, name);
    bspi_out_text(c->out, "o ");
    bspi_out_text(c->out, name);
    bspi_out_text(c->out, "\n");
    for (uint32_t v = 0; v < solid->num_vertices; v++) {
        float at[3];
        float point[3];
        bspi_turn_apply(place->turn, all->vertices[solid->first_vertex + v].position, at);
        for (int i = 0; i < 3; i++) {
            at[i] = at[i] * place->scale + place->origin[i];
        }
        bspi_point_to_file(at, c->content->scale, point);
        bspi_out_text(c->out, "v");
        for (int i = 0; i < 3; i++) {
            bspi_out_decimal(c->out, point[i]);
        }
        bspi_out_text(c->out, "\n");
    }
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        bspi_out_text(c->out, "f");
        for (uint32_t i = 0; i < all->sizes[solid->first_size + p]; i++) {
            bspi_out_text(c->out, " ");
            bspi_out_number(c->out, c->next + all->corners[corner++]);
        }
        bspi_out_text(c->out, "\n");
    }
    c->next += solid->num_vertices;
    uint64_t steps = 16 * ((uint64_t)solid->num_vertices + solid->num_polygons);
    return !c->out->failed &&
           bspi_heap_work((bspi_heap *)(uintptr_t)&c->content->heap, steps, error);
}

bool bspi_collision_write(const bspi_content *content, bspi_out *out, uint64_t next,
                          bsp_error *error) {
    collision c = {content, out, next};
    return bspi_solids_each(content, write_piece, &c, error);
}
