// SPDX-License-Identifier: MIT
// Portal files, which are text. Facts: sheet bake, 1.5.
#include "bspkit/portals.h"
#include "core/out.h"

#include <assert.h>
#include <math.h>

#define WHOLE 0.001 // units: the compilers write so little off a whole number as that number

static void write_number(bspi_out *out, double value) {
    double whole = nearbyint(value);
    char text[BSP_FLOAT_TEXT];
    size_t size = bsp_format_float(text, fabs(value - whole) < WHOLE ? (float)whole : (float)value);
    bspi_out_bytes(out, text, size);
}

static void write_count(bspi_out *out, uint64_t count) {
    bspi_out_number(out, count);
    bspi_out_text(out, "\n");
}

// The plane of the points in the compilers' turn looks to the first cluster.
static void write_portal(bspi_out *out, const bsp_portals *portals, const bsp_portal *portal,
                         const char *flags) {
    bspi_out_number(out, portal->num_points);
    for (int i = 0; i < 2; i++) {
        bspi_out_text(out, " ");
        bspi_out_number(out, portal->clusters[i]);
    }
    bspi_out_text(out, flags);
    for (uint32_t i = portal->num_points; i-- > 0;) {
        const double *point = portals->points[portal->first_point + i];
        for (int axis = 0; axis < 3; axis++) {
            bspi_out_text(out, axis == 0 ? " (" : " ");
            write_number(out, point[axis]);
        }
        bspi_out_text(out, ")");
    }
    bspi_out_text(out, "\n");
}

static uint32_t count_leaves(const bsp_portals *portals) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < portals->num_leaves; i++) {
        count += portals->leaf_clusters[i] != BSP_NONE;
    }
    return count;
}

// Clusters of Quake and GoldSrc number the leaves in order, from leaf 1 on.
static void write_members(bspi_out *out, const bsp_portals *portals, bsp_portals_form form) {
    uint32_t leaf = 0;
    for (uint32_t cluster = 0; cluster < portals->num_clusters; cluster++) {
        uint32_t count = 0;
        for (; leaf < portals->num_leaves && (portals->leaf_clusters[leaf] == BSP_NONE ||
                                              portals->leaf_clusters[leaf] <= cluster);
             leaf++) {
            count += portals->leaf_clusters[leaf] == cluster;
            if (form == BSP_PORTALS_PRT2 && portals->leaf_clusters[leaf] == cluster) {
                bspi_out_number(out, leaf - 1);
                bspi_out_text(out, " ");
            } else if (form == BSP_PORTALS_AM && portals->leaf_clusters[leaf] == cluster) {
                write_count(out, cluster);
            }
        }
        if (form == BSP_PORTALS_PRT2) {
            bspi_out_text(out, "-1\n");
        } else if (form == BSP_PORTALS_GOLDSRC) {
            write_count(out, count);
        }
    }
}

static void write_head(bspi_out *out, const bsp_portals *portals, bsp_portals_form form) {
    static const char *const magics[] = {
        [BSP_PORTALS_PRT1] = "PRT1\n",   [BSP_PORTALS_PRT2] = "PRT2\n",
        [BSP_PORTALS_AM] = "PRT1-AM\n",  [BSP_PORTALS_GOLDSRC] = "",
        [BSP_PORTALS_QUAKE3] = "PRT1\n", [BSP_PORTALS_OBJ] = "",
    };
    bspi_out_text(out, magics[form]);
    if (form == BSP_PORTALS_PRT2) {
        write_count(out, count_leaves(portals));
    }
    write_count(out, portals->num_clusters);
    write_count(out, portals->count);
    if (form == BSP_PORTALS_AM) {
        write_count(out, count_leaves(portals));
    } else if (form == BSP_PORTALS_QUAKE3) {
        write_count(out, 0); // solid faces
    } else if (form == BSP_PORTALS_GOLDSRC) {
        write_members(out, portals, form);
    }
}

static void write_prt(bspi_out *out, const bsp_portals *portals, bsp_portals_form form) {
    write_head(out, portals, form);
    for (uint32_t i = 0; i < portals->count; i++) {
        write_portal(out, portals, &portals->list[i], form == BSP_PORTALS_QUAKE3 ? " 0" : "");
    }
    if (form == BSP_PORTALS_PRT2 || form == BSP_PORTALS_AM) {
        write_members(out, portals, form);
    }
}

// Y is up in .obj files, as in those of the export.
static void write_obj(bspi_out *out, const bsp_portals *portals) {
    for (uint32_t i = 0; i < portals->num_points; i++) {
        const double *point = portals->points[i];
        const double turned[3] = {point[0], point[2], -point[1]};
        bspi_out_text(out, "v");
        for (int axis = 0; axis < 3; axis++) {
            bspi_out_text(out, " ");
            write_number(out, turned[axis]);
        }
        bspi_out_text(out, "\n");
    }
    for (uint32_t i = 0; i < portals->count; i++) {
        const bsp_portal *portal = &portals->list[i];
        bspi_out_text(out, "o portal_");
        write_count(out, i);
        bspi_out_text(out, "f");
        for (uint32_t n = 0; n < portal->num_points; n++) {
            bspi_out_text(out, " ");
            bspi_out_number(out, (uint64_t)portal->first_point + n + 1);
        }
        bspi_out_text(out, "\n");
    }
}

bsp_portals_form bsp_portals_form_of(const bsp_map *map, const bsp_portals *portals) {
    assert(map != NULL && portals != NULL);
    if (map->traits->vis.leaves) {
        bool grouped = count_leaves(portals) != portals->num_clusters;
        return map->traits->vis.alike ? BSP_PORTALS_GOLDSRC
                                      : (grouped ? BSP_PORTALS_PRT2 : BSP_PORTALS_PRT1);
    }
    return map->traits->model_runs ? BSP_PORTALS_QUAKE3 : BSP_PORTALS_PRT1;
}

bool bsp_portals_write(const bsp_portals *portals, bsp_portals_form form, bsp_sink sink, void *user,
                       bsp_error *error) {
    assert(portals != NULL && sink != NULL);
    bspi_out out;
    if ((unsigned)form > BSP_PORTALS_OBJ) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "no portal file has form %d", (int)form);
    }
    bspi_out_begin(&out, sink, user);
    if (form == BSP_PORTALS_OBJ) {
        write_obj(&out, portals);
    } else {
        write_prt(&out, portals, form);
    }
    return bspi_out_flush(&out) || bsp_fail(error, BSP_E_IO, NULL, "the portals cannot be written");
}
