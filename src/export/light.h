// SPDX-License-Identifier: MIT
// The light of an entity, in the terms of KHR_lights_punctual.
#ifndef BSPI_EXPORT_LIGHT_H
#define BSPI_EXPORT_LIGHT_H

#include "bspkit/asset.h"
#include "core/memory.h"

/// The most suns without an entity; others are left out.
#define BSPI_MAX_SUNS 16

typedef enum bspi_light_kind {
    BSPI_LIGHT_POINT,
    BSPI_LIGHT_SPOT,
    BSPI_LIGHT_SUN,
} bspi_light_kind;

typedef struct bspi_light {
    bspi_light_kind kind;
    float color[3];     ///< linear; the largest component is 1
    float intensity;    ///< point and spot: candela (units of the output); sun: lux
    float range;        ///< in the output's units; 0: unlimited
    float cone[2];      ///< spot: inner and outer half angle, radians
    float direction[3]; ///< spot and sun: direction of the light, in map space
} bspi_light;

/// The entities that have a targetname, sorted by it.
typedef struct bspi_targets {
    const struct bspi_target *list;
    uint32_t count;
} bspi_targets;

/// Sorts the targetnames of entities (or of NULL); owned by the arena. Returns false without
/// memory.
bool bspi_targets_build(bspi_targets *targets, const bsp_entities *entities, bspi_arena *arena,
                        bsp_error *error);
/// Returns the first entity whose targetname is the "target" of this one, or NULL.
const bsp_entity *bspi_target_of(const bspi_targets *targets, const bsp_entity *entity);

/// Units at which lights of Source and GoldSrc state their brightness.
#define BSPI_STATED_AT 100.0F

/// Reads how a light of Source fades: at d units it gives its brightness times what is returned,
/// divided by attn[0] + attn[1] d + attn[2] d^2. Returns 0 if the entity does not say.
float bspi_light_fade(const bsp_entity *entity, float attn[3]); // fade.c

/// Gives the light of an entity. Returns false if it has none. `scale` is the length of a game unit
/// in the output.
bool bspi_light_of(const bsp_map *map, const bspi_targets *targets, const bsp_entity *entity,
                   float scale, bspi_light *out);

/// Finds the suns without an entity: of worldspawn, and of shaders if `textures` is not NULL.
/// Returns how many there are.
uint32_t bspi_suns_of(const bsp_map *map, const bsp_textures *textures,
                      bspi_light suns[BSPI_MAX_SUNS]); // sun.c

bsp_falloff bspi_light_falloff(const bsp_map *map);
/// Returns the lux of a sun with that many units of light; 0 for none.
float bspi_light_sun(bsp_falloff falloff, double light);
/// Scales a colour so that its largest component is 1; black becomes white. Returns the former
/// largest component.
double bspi_light_hue(float color[3]);
/// Computes a direction from degrees; positive pitch is upwards, as in the light compilers.
void bspi_light_look(double pitch, double yaw, float direction[3]);

#endif
