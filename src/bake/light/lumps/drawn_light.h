// SPDX-License-Identifier: MIT
// Quake 3: new light goes onto pages, vertices and into the light grid.
#ifndef BSPI_BAKE_DRAWN_LIGHT_H
#define BSPI_BAKE_DRAWN_LIGHT_H

#include "bake/light/drawn/drawn.h"

/// Makes the light of vertices of faces without luxels (drawn_vertices.c).
bool bspi_drawn_vertices(bspi_relight *own, bsp_error *error);
/// Finds where luxels lie that came out of parts. Fails where they are not those of the faces.
bool bspi_drawn_fit(bspi_relight *own, bsp_error *error);
/// Gives a patch that ends where it begins the mean of both ends there (drawn_wrap.c).
bool bspi_drawn_wrap(bspi_relight *own, uint32_t number, bsp_error *error);
/// Makes the pages out of the finished luxels of faces, and the colours of their vertices out of
/// those (drawn_pages.c).
bool bspi_drawn_pages(bspi_relight *own, bsp_error *error);
/// In a region: finds which luxels are made anew, and which faces besides lie on these and must be
/// measured too (drawn_region.c).
bool bspi_drawn_region(bspi_relight *own, bsp_error *error);
/// Sets a cell of the grid to that of the map.
void bspi_drawn_keep_cell(const bspi_relight *own, uint32_t number);
/// Makes files of the pages beside the map (drawn_files.c).
bool bspi_drawn_files(bspi_relight *own, bsp_error *error);
/// Gives records of vertices the new colours (drawn_lumps.c).
bool bspi_drawn_records(const bspi_drawn *drawn, const bsp_table *table, uint8_t *copy);
/// Gives records of faces the styles of their vertices; those of other families have none.
bool bspi_drawn_styles(const bspi_drawn *drawn, const bsp_table *table, uint8_t *copy);
/// Makes the records of the light grid; in RBSP each once, and for each cell in `array` which it
/// is.
bool bspi_drawn_cells(const bspi_relight *own, const bsp_layout *layout, bool big_endian,
                      bspi_buffer *records, bspi_buffer *array, bsp_error *error);
/// Do the lamps that were found explain the light that the map has? (drawn_pages.c)
bool bspi_drawn_explained(const bspi_relight *own, bsp_error *error);
/// Makes the light grid (light_grid.c).
bool bspi_drawn_grid(bspi_relight *own, bsp_error *error);

#endif
