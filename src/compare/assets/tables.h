// SPDX-License-Identifier: MIT
// Tables of what refers to files in maps, materials, models and texts.
#ifndef BSPI_COMPARE_ASSETS_TABLES_H
#define BSPI_COMPARE_ASSETS_TABLES_H

#include "bspkit/compare.h"
#include "formats/map_files.h"

/// What a name stands for: how it becomes the name of a file.
typedef enum bspi_asset_form_id {
    BSPI_FORM_MATERIAL,
    BSPI_FORM_TEXTURE, ///< a material's picture; Quake 3: of a shader
    BSPI_FORM_PICTURE, ///< a model's or sprite's picture, with its whole path
    BSPI_FORM_MODEL,   ///< with its whole path
    BSPI_FORM_GIB,     ///< Source: a model, below models/, perhaps without its ending
    BSPI_FORM_SPRITE,
    BSPI_FORM_SOUND,
    BSPI_FORM_MUSIC,
    BSPI_FORM_TRACK, ///< a number of a track of the disc
    BSPI_FORM_SKY,
    BSPI_FORM_SKY_HDR,
    BSPI_FORM_WAD,
    BSPI_FORM_FILE,         ///< with its whole path
    BSPI_FORM_SCRIPT,       ///< a text, with its whole path
    BSPI_FORM_SOUND_SCRIPT, ///< a text with sounds, with its whole path
    BSPI_FORM_PARTICLES,
    BSPI_FORM_PARTICLE_LIST, ///< a text with particle files, with its whole path
    BSPI_FORM_CODE,          ///< Source: a script of the game's own language
    BSPI_FORM_SKIN,          ///< Quake 3: a text that gives shaders to the surfaces of a model
    BSPI_FORM_DETAIL,        ///< GoldSrc: a detail texture
    BSPI_FORM_OVERVIEW,      ///< a text, with its whole path
    BSPI_FORM_RESOURCES,     ///< a list of files, with its whole path
    BSPI_FORM_DETAIL_LIST,   ///< GoldSrc: a list of detail textures, with its whole path
    BSPI_NUM_FORMS,
} bspi_asset_form_id;

/// How a file is read for the names of others.
typedef enum bspi_asset_role {
    BSPI_ROLE_NONE,      ///< it is not
    BSPI_ROLE_ENTITY,    ///< no file: the entities of the map
    BSPI_ROLE_MATERIAL,  ///< Source
    BSPI_ROLE_MODEL,     ///< by its first bytes
    BSPI_ROLE_PHYSICS,   ///< of a model of Source
    BSPI_ROLE_SOUNDS,    ///< KeyValues with sounds
    BSPI_ROLE_PARTICLES, ///< a particle file
    BSPI_ROLE_PARTICLE_LIST,
    BSPI_ROLE_OVERVIEW,
    BSPI_ROLE_RESOURCES,
    BSPI_ROLE_DETAIL,
    BSPI_ROLE_SKIN,
} bspi_asset_role;

/// How names of a form become files.
typedef struct bspi_asset_form {
    bspi_asset_form_id id;
    uint32_t families;
    bsp_asset_kind kind;
    const char *folder;     ///< put before names that do not begin with it
    const char *endings[7]; ///< the first that exists is taken; NULL-terminated. Names with one of
                            ///< them keep it; "": the name as it is
    const char *strip;      ///< an ending that is taken off first; NULL: none
    const char *sides[3];   ///< six files: what stands before their letters, as for `endings`
    bool base;              ///< only the last part of the path is used
    bspi_asset_role role;
} bspi_asset_form;

/// A key whose value is the name of a file.
typedef struct bspi_asset_key {
    bspi_asset_role from; ///< where the key stands
    uint32_t families;
    const char *key; ///< ignoring case; a '*' at the end matches any end
    bspi_asset_form_id form;
    const char *ending; ///< only values with this file extension; NULL: any
    bool optional;      ///< the game does without the file
} bspi_asset_key;

/// A file beside another one, with another ending.
typedef struct bspi_asset_companion {
    uint32_t families;
    const char *of;         ///< the ending of the file that it belongs to
    const char *endings[7]; ///< one of them is enough
    bool required;
    bsp_asset_kind kind;
    bspi_asset_role role;
} bspi_asset_companion;

/// Embedded files that engines load without a reference.
typedef struct bspi_asset_own {
    const char *begin;
    const char *end;
} bspi_asset_own;

/// What the materials of a family are, and whether its files refer to others.
typedef struct bspi_asset_ways {
    uint32_t families;
    bspi_asset_form_id material; ///< what the name of a material stands for
    bool scripts;                ///< unless a script has a shader of that name
    bool named_by_files; ///< names in entities may be those of sounds and effects in scripts
} bspi_asset_ways;

/// A list of texts that define sounds or effects by names, which entities then use.
typedef struct bspi_asset_set {
    uint32_t families;
    const char *list;        ///< the text that names the others
    bspi_asset_form_id form; ///< what it names
} bspi_asset_set;

/// What the names in a model are.
typedef enum bspi_model_word {
    BSPI_WORD_FILE,     ///< of the form in the row
    BSPI_WORD_MATERIAL, ///< of Source: looked for in the model's folders
    BSPI_WORD_FOLDER,   ///< these
    BSPI_WORD_SHADER,   ///< of Quake 3
    BSPI_WORD_VALUE,    ///< what it is tells its ending, as in an entity's value
} bspi_model_word;

/// Names in the records of a model. Format, array and field are called as in the tables of model
/// formats (`bspkit dump` prints them).
typedef struct bspi_model_names {
    const char *format;
    const char *array; ///< "header" for the head
    const char *field; ///< holds the name, or its offset
    const char *from; ///< an offset counts from here: the file (""), or what this field of the head
                      ///< says; NULL: the record
    const char *only_with; ///< field of the head that is 0 where there is no name; NULL: none
    bspi_model_word word;
    bspi_asset_form_id form;
    const char *ending; ///< that the name of a file gets; NULL: none
} bspi_model_names;

/// Returns the row of a family; never NULL.
const bspi_asset_ways *bspi_asset_ways_of(bsp_family family);
/// Returns how a family's names of that form become files, or NULL if it has none.
const bspi_asset_form *bspi_asset_form_of(bsp_family family, bspi_asset_form_id id);
/// Returns the form of a file that bears the name of a map.
bspi_asset_form_id bspi_asset_form_of_use(bspi_map_file_use use);
/// Returns the first row for a key and value, or NULL if they name no file.
const bspi_asset_key *bspi_asset_key_of(bspi_asset_role from, bsp_family family, bsp_text key,
                                        bsp_text value);

const bspi_asset_key *bspi_asset_keys(size_t *count);
const bspi_asset_companion *bspi_asset_companions(size_t *count);
const bspi_asset_own *bspi_asset_own_files(size_t *count);
const bspi_asset_set *bspi_asset_sets(size_t *count);
const bspi_model_names *bspi_asset_model_names(size_t *count);

#endif
