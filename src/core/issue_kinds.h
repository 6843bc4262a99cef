// SPDX-License-Identifier: MIT
// The only list of issue kinds, sorted by id: X(symbol, id, severity, summary, explanation).
#ifndef BSPI_ISSUE_KINDS_H
#define BSPI_ISSUE_KINDS_H

#include "bspkit/core.h"

// clang-format off
#define BSPI_ISSUE_KINDS(X) \
    X(ARCHIVE_ENTRY, "archive-bad-entry", BSP_WARNING, \
      "an archive is damaged", \
      "The directory of a PAK, zip, WAD, VPK or GCF names bytes that do not exist, a file is " \
      "encrypted, or the archive cannot be read at all. Complete files are used.") \
    X(ASSET_SYNTAX, "asset-syntax", BSP_WARNING, \
      "a material or shader script is not well formed", \
      "A brace, a quote or a value is missing, or a word is not known. What can be read is used.") \
    X(BRUSH_UNUSED, "brush-in-no-set", BSP_WARNING, \
      "no collision set contains a brush", \
      "No set of the collision grid refers to it. It is loaded as a brush of the world without " \
      "contents.") \
    X(BRUSH_RANGE, "brush-out-of-range", BSP_ERROR, \
      "the records of a brush do not fit together", \
      "A side of a brush refers to a plane that does not exist, or a set of the collision grid " \
      "to such a brush or contents. The side is left out; the set is loaded as empty.") \
    X(CHILD_RANGE, "child-out-of-range", BSP_ERROR, \
      "a tree child is neither a node nor a leaf", \
      "A child of a node is a node index, or -1 minus a leaf index. This one is neither. " \
      "Engines read past their arrays; here the child becomes leaf 0, or solid in a clip hull.") \
    X(CONVERT_LOST, "convert-lost", BSP_WARNING, \
      "something has no place in the file's new form", \
      "The target branch has no field, no lump or too small a field for it. It was left out because " \
      "--lossy allowed it.") \
    X(CONVERT_OPAQUE, "convert-unknown-bytes", BSP_WARNING, \
      "bytes of unknown structure were kept in a file of another byte order", \
      "Numbers in them stand in the old order. They were kept because --lossy allowed it; a game " \
      "that reads them may refuse the map or crash.") \
    X(COUNT_RANGE, "count-out-of-range", BSP_ERROR, \
      "a run of records ends after its lump", \
      "A first index and a count together refer to records that the lump does not hold. The run" \
      " is cut to those that exist.") \
    X(CUBEMAP_UNDRAWN, "cubemap-not-drawn", BSP_NOTE, \
      "cubemaps have no picture of their own", \
      "The game was never told to draw them (buildcubemaps), or they were moved: surfaces mirror " \
      "the compiler's picture, or nothing. bspkit cubemaps draws them.") \
    X(DECOMPILE_BRUSH, "decompile-brush-lost", BSP_WARNING, \
      "a brush could not be rebuilt", \
      "Its planes enclose nothing, or reach beyond any map. It is left out of the map document.") \
    X(DECOMPILE_GUESS, "decompile-guess", BSP_NOTE, \
      "something was recovered by guess", \
      "The compiler did not store it. In a .vmf it is in its own visgroup.") \
    X(DECOMPILE_LOST, "decompile-lost", BSP_WARNING, \
      "something could not be recovered", \
      "The records that it needs are missing or damaged. The rest of the map is written.") \
    X(DECOMPILE_PROTECTED, "decompile-protected", BSP_WARNING, \
      "the map is protected against decompilers", \
      "A known protection was found. It was undone where the file still holds the original data.") \
    X(DECOMPILE_UNFINISHED, "decompile-unfinished", BSP_WARNING, \
      "the branches of a tree are shared so often that some are left out", \
      "Compilers share no branch of a tree; only damage, or a map made for it, does. Each place" \
      " that " \
      "shares one gets its own volumes, until the trees have twice as many nodes as the map.") \
    X(ENTITY_MODEL, "entity-bad-model", BSP_ERROR, \
      "an entity refers to a brush model that does not exist", \
      "The value of \"model\" is * and a number, and the models lump holds no model of that number.") \
    X(ENTITY_KEY, "entity-empty-key", BSP_NOTE, \
      "an entity has an empty key", \
      "Engines ignore such a pair. It is kept.") \
    X(ENTITY_WORLD, "entity-first-not-worldspawn", BSP_WARNING, \
      "the first entity is not worldspawn", \
      "Engines take the first entity for the world whatever its class.") \
    X(ENTITY_KEY_LONG, "entity-key-too-long", BSP_WARNING, \
      "the key of an entity is longer than the game's tools allow", \
      "The compilers refuse such a key (MAX_KEY, 32 in all families), and programs that keep " \
      "keys in " \
      "arrays of that size cut it or overrun them. It is kept whole.") \
    X(ENTITY_SYNTAX, "entity-syntax", BSP_WARNING, \
      "the entity text is not well formed", \
      "A brace or a quote is missing or out of place. What can be read is read, and a rewrite keeps " \
      "every byte.") \
    X(ENTITY_UNENDED, "entity-text-not-ended", BSP_NOTE, \
      "the entity text does not end in a NUL", \
      "Compilers end the text in one NUL byte. A program that takes the lump for a C string reads " \
      "past it.") \
    X(ENTITY_NUL, "entity-text-nul", BSP_NOTE, \
      "the entity text has a NUL inside", \
      "A C program stops reading there. What follows the NUL is read here as well.") \
    X(ENTITY_CUT, "entity-value-cut", BSP_NOTE, \
      "a value of an entity is longer than the game's own engine keeps", \
      "The original engine cuts the value to that length (Quake 2: 128 characters); later " \
      "engines keep all of it. It is kept whole.") \
    X(ENTITY_VALUE_LONG, "entity-value-too-long", BSP_WARNING, \
      "a value of an entity is longer than the game's tools allow", \
      "The compilers refuse such a value (MAX_VALUE: 1024, of GoldSrc 4096), and engines that " \
      "read it " \
      "into an array of that size cut it or overrun it. It is kept whole.") \
    X(EXTERNAL_IGNORED, "external-file-ignored", BSP_NOTE, \
      "a file beside the map is not read", \
      "Its name says that it holds a lump of the map, but the branch has no lump of that number, or " \
      "another file holds it already.") \
    X(EXTERNAL_SIZE, "external-file-size", BSP_NOTE, \
      "a file beside the map has another size than the directory says", \
      "It was changed, or belongs to another build of the map. It is read whole.") \
    X(LUMP_GAP, "file-gap", BSP_NOTE, \
      "bytes between lumps that are not zero", \
      "No lump owns these bytes (a compiler's signature, or what an editor left). They are kept.") \
    X(TRAILING, "file-trailing-bytes", BSP_NOTE, \
      "bytes after the last lump", \
      "No lump owns them. They are kept.") \
    X(GAME_LUMP, "game-lump-out-of-range", BSP_ERROR, \
      "a game lump lies outside the file", \
      "The offset and size of an entry of the game lump name bytes that the file does not hold. The " \
      "entry is listed without data.") \
    X(INDEX_RANGE, "index-out-of-range", BSP_ERROR, \
      "an index refers to a record that does not exist", \
      "The field is an index into another lump and is too large, or negative where none is not " \
      "allowed. Engines read past their arrays or refuse the map. Here it means none.") \
    X(LIGHT_FILE, "light-file-ignored", BSP_NOTE, \
      "a file of coloured light beside the map is not used", \
      "A .lit file must begin with QLIT and a known version, and have exactly as many luxels as the " \
      "light lump has bytes: the engines ignore others too.") \
    X(LIGHT_RANGE, "light-out-of-range", BSP_WARNING, \
      "the light of a face ends after the light lump", \
      "The luxels that the face's extents and styles need do not all lie in the lump. The face " \
      "is loaded without light.") \
    X(LIMIT, "limit-exceeded", BSP_WARNING, \
      "a count exceeds the compilers' limit", \
      "The game's own compilers and often its engine stop at this count. Newer engines may load the " \
      "map all the same.") \
    X(LUMP_COMPRESSED, "lump-bad-compression", BSP_ERROR, \
      "a compressed lump cannot be unpacked", \
      "The lump has the head of LZMA data, and the data is damaged, cut, or larger than " \
      "allowed. It is loaded without records.") \
    X(LUMP_STRUCTURE, "lump-bad-structure", BSP_ERROR, \
      "a lump of variable structure is damaged", \
      "A count or an offset inside the lump refers to bytes that it does not hold. What " \
      "precedes is read, the rest is kept as bytes.") \
    X(LUMP_SIZE, "lump-odd-size", BSP_WARNING, \
      "the size of a lump is not a multiple of its record size", \
      "The bytes after the last complete record are kept but are not a record.") \
    X(LUMP_RANGE, "lump-out-of-range", BSP_ERROR, \
      "a lump lies outside the file", \
      "Offset and size in the directory state bytes after the end of the file. The bytes that " \
      "exist are used.") \
    X(LUMP_OVERLAP, "lump-overlap", BSP_WARNING, \
      "two lumps share bytes", \
      "A change of one would change the other.") \
    X(LUMP_ALIGNMENT, "lump-unaligned", BSP_NOTE, \
      "a lump does not start on a multiple of four", \
      "Compilers align lumps. Engines that cast the file to their structures may be slow or fail on " \
      "some processors.") \
    X(LUMP_LAYOUT, "lump-unknown-layout", BSP_NOTE, \
      "the layout of a lump is not known", \
      "The branch, or this version of the lump, has no table here. Its bytes are kept as they are.") \
    X(MESH_RANGE, "mesh-out-of-range", BSP_ERROR, \
      "the triangles of a mesh end after their lump", \
      "The mesh refers to more indices than there are. Its run is cut to those that exist.") \
    X(MODEL_COMPANION, "model-bad-companion", BSP_WARNING, \
      "a file that belongs to a model is missing, cannot be read, or is of another build", \
      "Some models are made of several files: vertices, strips, textures, animations, physics. What " \
      "needs the file is not there: a model without its vertices has no triangles. A file whose " \
      "checksum is not that of the model is used all the same; games refuse most of these.") \
    X(NOT_FINITE, "not-finite", BSP_WARNING, \
      "a number is infinite or NaN", \
      "A coordinate, normal or distance that is NaN or infinite poisons every calculation with it. " \
      "Some compilers leave memory they never set in fields that nothing uses.") \
    X(PAK_CRC, "pak-bad-crc", BSP_WARNING, \
      "a stored file of the pak does not match its CRC", \
      "The embedded zip names a CRC-32 that the bytes do not have: the file was damaged, or " \
      "replaced by a tool that did not update the checksum.") \
    X(PAK_STRUCTURE, "pak-bad-directory", BSP_WARNING, \
      "the directory of the pak is damaged", \
      "The embedded zip has no end record, or it names entries that are not there.") \
    X(PATCH_SIZE, "patch-bad-size", BSP_ERROR, \
      "a patch has impossible dimensions", \
      "Both dimensions of a patch are odd, at least 3, and their product is its count of control " \
      "points.") \
    X(REFERENCE_EMPTY, "reference-to-empty-lump", BSP_NOTE, \
      "an optional reference into a lump that is empty", \
      "The lump was emptied after the map was compiled (console builds leave out what they do not " \
      "use). Here the reference means none.") \
    X(SOURCE_BRUSH, "source-bad-brush", BSP_ERROR, \
      "a brush of a map document is not a solid", \
      "Its sides leave it open, leave nothing inside, or are too many. Editors and compilers drop " \
      "such a brush.") \
    X(SOURCE_SPARE, "source-spare-side", BSP_WARNING, \
      "a side of a brush of a map document bounds nothing", \
      "The other sides cut its plane off, or it lies in the plane of another side. Editors drop" \
      " the side; a " \
      "compiler may take the brush for damaged.") \
    X(SOURCE_CLASS, "source-undefined-class", BSP_WARNING, \
      "the editor does not know the class of an entity", \
      "The definitions that were given (.fgd, .def, .ent) do not define it. Editors show such an " \
      "entity as a box without help for its keys; some refuse it.") \
    X(SOURCE_KEY, "source-undefined-key", BSP_NOTE, \
      "the editor does not know a key of an entity", \
      "Neither its class nor a base of it has this property in the definitions that were given. " \
      "Editors keep the key and show it under its bare name.") \
    X(SOURCE_SHAPE, "source-wrong-shape", BSP_WARNING, \
      "an entity has brushes where the editor wants a point, or the reverse", \
      "The definitions that were given call the class a point, and it has brushes; or they call it " \
      "one of brushes, and it has none.") \
    X(STRING_UNENDED, "string-not-ended", BSP_NOTE, \
      "a name fills its field without a NUL", \
      "A program that takes it for a C string reads past the field.") \
    X(TEXTURE_PALETTE, "texture-no-palette", BSP_NOTE, \
      "no palette was found", \
      "The textures are 8-bit and their colours are in a file of the game (gfx/palette.lmp, " \
      "pics/colormap.pcx). Without it they are shown in shades of grey.") \
    X(TREE_SHAPE, "tree-shape", BSP_ERROR, \
      "a node or leaf is reached twice", \
      "Each node and leaf belongs to one place of one tree (leaf 0, the shared solid leaf, " \
      "excepted). " \
      "A cycle hangs an engine; a walk here stops at the second visit.") \
    X(UNREACHED, "tree-unreached", BSP_NOTE, \
      "nodes or leaves that no model reaches", \
      "They can never be found from a point. Some compilers leave such records.") \
    X(UNUSUAL, "value-unusual", BSP_NOTE, \
      "a value that no compiler writes", \
      "The field has a small set of known values, and this is none of them.") \
    X(VIS_ROW, "vis-bad-row", BSP_WARNING, \
      "a visibility row does not unpack to its length", \
      "The run-length data ends before, or runs past, the bits of all clusters.") \
    X(VIS_OFFSET, "vis-out-of-range", BSP_ERROR, \
      "a visibility row lies outside its lump", \
      "The row is read as 'everything is visible', as engines do without visibility data.")
// clang-format on

enum {
#define BSPI_ISSUE_ENUM(symbol, id, severity, summary, explanation) BSPI_ISSUE_##symbol,
    BSPI_ISSUE_KINDS(BSPI_ISSUE_ENUM)
#undef BSPI_ISSUE_ENUM
        BSPI_ISSUE_COUNT
};

/// Adds an issue, or only counts it when enough of its kind are kept. `issues` may be NULL.
void bspi_issue(bsp_issues *issues, int kind, bsp_place place, const char *format, ...)
    BSP_PRINTF(4, 5);

#endif
