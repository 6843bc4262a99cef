// SPDX-License-Identifier: MIT
/// @file definitions.h
/// Definitions of entity classes: what editors know about the entities of a game. Read from .fgd
/// (Worldcraft, Hammer, TrenchBroom), .def (QUAKED comments) and .ent (Radiant's XML).
#ifndef BSPKIT_DEFINITIONS_H
#define BSPKIT_DEFINITIONS_H

#include "bspkit/asset.h"
#include "bspkit/entities.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What entities of a class are.
typedef enum bsp_class_kind {
    BSP_CLASS_POINT = 0, ///< a point
    BSP_CLASS_BRUSH = 1, ///< brushes
    BSP_CLASS_BASE = 2,  ///< nothing: other classes inherit from it
} bsp_class_kind;

/// Where a class says what its entities show in an editor.
typedef enum bsp_class_picture {
    BSP_CLASS_NO_PICTURE = 0, ///< nowhere: they are boxes
    BSP_CLASS_MODEL = 1,      ///< `picture` is the path of a model
    BSP_CLASS_MODEL_KEY = 2,  ///< the entity's own key is: "model"
    BSP_CLASS_SPRITE = 3,     ///< `picture` is the path of a sprite or material
    BSP_CLASS_SPRITE_KEY = 4, ///< the entity's own key is: "model"
    BSP_CLASS_EXPRESSION = 5, ///< `picture` is an expression over the keys (model(...))
} bsp_class_picture;

/// One of the values that a property has.
typedef struct bsp_class_choice {
    bsp_text value; ///< of flags: a number, one bit
    bsp_text label; ///< for people
    bool on;        ///< of flags: set in a new entity
} bsp_class_choice;

/// A key that entities of a class have.
typedef struct bsp_class_property {
    bsp_text key;                    ///< as entities have it
    bsp_text type;                   ///< as written: "string", "choices", "studio" ...
    bsp_text label;                  ///< for people; empty: not said
    bsp_text value;                  ///< in a new entity; empty: not said
    bsp_text help;                   ///< empty: not said
    const bsp_class_choice *choices; ///< of "choices" and "flags"
    uint32_t num_choices;
} bsp_class_property;

/// A class. Texts are those of the file, escapes untouched.
typedef struct bsp_entity_class {
    bsp_text name;
    bsp_class_kind kind;
    bsp_text help;         ///< for people; empty: not said
    const bsp_text *bases; ///< classes that it inherits from, in the order of the file
    uint32_t num_bases;
    const bsp_class_property *properties; ///< its own, without those of its bases
    uint32_t num_properties;
    bool sized;              ///< it says its size itself
    float mins[3];           ///< of its box around the origin, game units
    float maxs[3];           ///< the same
    bool colored;            ///< it says its colour itself
    float color[3];          ///< red, green, blue, 0..1
    bsp_class_picture shows; ///< what its entities show, as it says itself
    bsp_text picture;        ///< of it; empty for keys
    bool pitch_negated;      ///< its model is turned by the pitch the other way (lightprop)
    bsp_text file;           ///< that defines it, as named when it was added
    uint32_t line;           ///< of its name, from 1
} bsp_entity_class;

/// The classes of one or several files.
typedef struct bsp_definitions bsp_definitions;

/// How definitions are read. All zero gives the defaults.
typedef struct bsp_definitions_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the default limits
    bsp_issues *issues; ///< receives what is odd about the files; may be NULL
} bsp_definitions_options;

/// Makes new, empty definitions. Free with bsp_definitions_free. NULL without memory.
BSP_API bsp_definitions *bsp_definitions_new(const bsp_definitions_options *options,
                                             bsp_error *error);
/// Frees definitions. NULL is allowed and does nothing.
BSP_API void bsp_definitions_free(bsp_definitions *definitions);

/// Adds the classes of a text, which is copied: .def if it has QUAKED comments, .ent if it is XML,
/// else .fgd. `name` is that of the file (may be NULL), for issues, and for the place of what
/// "@include" names: that is looked for in `includes` (may be NULL), beside the file that names it.
/// What cannot be understood is an issue, and the rest is read. Fails only without memory or over a
/// limit.
BSP_API bool bsp_definitions_add(bsp_definitions *definitions, bsp_text text, const char *name,
                                 const bsp_search *includes, bsp_error *error);

/// Returns all classes in the order in which they were added. Borrowed; valid until something is
/// added.
BSP_API const bsp_entity_class *bsp_definitions_list(const bsp_definitions *definitions,
                                                     uint32_t *count);
/// Returns the class of that name (any case): the one that was added last. NULL if there is none.
/// Borrowed; valid until something is added.
BSP_API const bsp_entity_class *bsp_definitions_find(const bsp_definitions *definitions,
                                                     bsp_text name);

/// Returns the property of a class or of its bases (the class first, then the first base that has
/// it), or NULL if there is none. Borrowed.
BSP_API const bsp_class_property *bsp_definitions_property(const bsp_definitions *definitions,
                                                           const bsp_entity_class *entity_class,
                                                           const char *key);
/// Copies the size of a class, its own or that of the first base that has one. Returns false if
/// there is none.
BSP_API bool bsp_definitions_size(const bsp_definitions *definitions,
                                  const bsp_entity_class *entity_class, float mins[3],
                                  float maxs[3]);
/// Copies the colour of a class, its own or that of the first base that has one. Returns false if
/// there is none.
BSP_API bool bsp_definitions_color(const bsp_definitions *definitions,
                                   const bsp_entity_class *entity_class, float color[3]);

/// Returns the class itself or the first of its bases that says what its entities show, or NULL if
/// none of them does. Borrowed.
BSP_API const bsp_entity_class *bsp_definitions_picture(const bsp_definitions *definitions,
                                                        const bsp_entity_class *entity_class);

/// What an entity shows.
typedef struct bsp_class_model {
    bsp_text path;       ///< of a model or sprite, as written; borrowed
    bool sprite;         ///< it is a sprite, or a material that stands for one
    bool pitch_negated;  ///< it is turned by the pitch the other way
    uint32_t skin;       ///< as the class says; keys of the entity are another thing
    uint32_t frame;      ///< the same
    bsp_text frame_name; ///< a frame or sequence by name; empty: by number
    float scale;         ///< factor of its size; 1 if the class says none
} bsp_class_model;

/// Finds what an entity shows by the definition of its class or the first of its bases that says
/// so; expressions are computed with the entity's keys, and where the entity has none, with the
/// values that the class says. Returns false if the class is not defined, or shows nothing.
BSP_API bool bsp_definitions_model(const bsp_definitions *definitions, const bsp_entity *entity,
                                   bsp_class_model *out);

#ifdef __cplusplus
}
#endif
#endif
