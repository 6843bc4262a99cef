// SPDX-License-Identifier: MIT
// The records of Source's models (MDL 44 to 49, 52), vertices (VVD) and strips (VTX). Source: the
// sheet models, 9.1, 9.3 and 9.4.
#include "model/studio/source_layouts.h"

#include "formats/table.h"

enum { ID_BONES = 1, ID_TEXTURES, ID_ANIMS, ID_GROUP_VERTICES }; // targets of roles

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("id"), CHARS(4) },
    { NAME("version"), I32(1) },
    { NAME("checksum"), I32(1) },
    { NAME("name"), CHARS(64) },
    { NAME("length"), I32(1) },
    { NAME("eyeposition"), F32(3) },
    { NAME("illumposition"), F32(3) },
    { NAME("hull_min"), F32(3), ROLE(BOUNDS) },
    { NAME("hull_max"), F32(3), ROLE(BOUNDS) },
    { NAME("view_bbmin"), F32(3), ROLE(BOUNDS) },
    { NAME("view_bbmax"), F32(3), ROLE(BOUNDS) },
    { NAME("flags"), I32(1), ROLE(FLAGS) },
    { NAME("numbones"), I32(1) },
    { NAME("boneindex"), I32(1) },
    { NAME("numbonecontrollers"), I32(1) },
    { NAME("bonecontrollerindex"), I32(1) },
    { NAME("numhitboxsets"), I32(1) },
    { NAME("hitboxsetindex"), I32(1) },
    { NAME("numlocalanim"), I32(1) },
    { NAME("localanimindex"), I32(1) },
    { NAME("numlocalseq"), I32(1) },
    { NAME("localseqindex"), I32(1) },
    { NAME("activitylistversion"), I32(1) },
    { NAME("eventsindexed"), I32(1) },
    { NAME("numtextures"), I32(1) },
    { NAME("textureindex"), I32(1) },
    { NAME("numcdtextures"), I32(1) },
    { NAME("cdtextureindex"), I32(1) },
    { NAME("numskinref"), I32(1) },
    { NAME("numskinfamilies"), I32(1) },
    { NAME("skinindex"), I32(1) },
    { NAME("numbodyparts"), I32(1) },
    { NAME("bodypartindex"), I32(1) },
    { NAME("numlocalattachments"), I32(1) },
    { NAME("localattachmentindex"), I32(1) },
    { NAME("numlocalnodes"), I32(1) },
    { NAME("localnodeindex"), I32(1) },
    { NAME("localnodenameindex"), I32(1) },
    { NAME("numflexdesc"), I32(1) },
    { NAME("flexdescindex"), I32(1) },
    { NAME("numflexcontrollers"), I32(1) },
    { NAME("flexcontrollerindex"), I32(1) },
    { NAME("numflexrules"), I32(1) },
    { NAME("flexruleindex"), I32(1) },
    { NAME("numikchains"), I32(1) },
    { NAME("ikchainindex"), I32(1) },
    { NAME("nummouths"), I32(1) },
    { NAME("mouthindex"), I32(1) },
    { NAME("numlocalposeparameters"), I32(1) },
    { NAME("localposeparamindex"), I32(1) },
    { NAME("surfacepropindex"), I32(1) },
    { NAME("keyvalueindex"), I32(1) },
    { NAME("keyvaluesize"), I32(1) },
    { NAME("numlocalikautoplaylocks"), I32(1) },
    { NAME("localikautoplaylockindex"), I32(1) },
    { NAME("mass"), F32(1) },
    { NAME("contents"), I32(1), ROLE(CONTENTS) },
    { NAME("numincludemodels"), I32(1) },
    { NAME("includemodelindex"), I32(1) },
    { NAME("virtualModel"), I32(1) },
    { NAME("szanimblocknameindex"), I32(1) },
    { NAME("numanimblocks"), I32(1) },
    { NAME("animblockindex"), I32(1) },
    { NAME("animblockModel"), I32(1) },
    { NAME("bonetablebynameindex"), I32(1) },
    { NAME("pVertexBase"), I32(1) },
    { NAME("pIndexBase"), I32(1) },
    { NAME("constdirectionallightdot"), U8(1) },
    { NAME("rootLOD"), U8(1) },
    { NAME("numAllowedRootLODs"), U8(1) },
    { NAME("unused"), PAD(1) },
    { NAME("unused4"), I32(1) },
    { NAME("numflexcontrollerui"), I32(1) },
    { NAME("flexcontrolleruiindex"), I32(1) },
    { NAME("flVertAnimFixedPointScale"), F32(1) },
    { NAME("unused3"), I32(1) },
    { NAME("studiohdr2index"), I32(1) },
    { NAME("unused2"), I32(1) },
};
SHARED_LAYOUT(studiohdr_t, 408, head_fields);

static const bsp_field bone_fields[] = {
    { NAME("sznameindex"), I32(1) },
    { NAME("parent"), I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_BONES },
    { NAME("bonecontroller"), I32(6) },
    { NAME("pos"), F32(3) },
    { NAME("quat"), F32(4) },
    { NAME("rot"), F32(3) },
    { NAME("posscale"), F32(3) },
    { NAME("rotscale"), F32(3) },
    { NAME("poseToBone"), F32(12) },
    { NAME("qAlignment"), F32(4) },
    { NAME("flags"), I32(1), ROLE(FLAGS) },
    { NAME("proctype"), I32(1) },
    { NAME("procindex"), I32(1) },
    { NAME("physicsbone"), I32(1) },
    { NAME("surfacepropidx"), I32(1) },
    { NAME("contents"), I32(1), ROLE(CONTENTS) },
    { NAME("unused"), PAD(32) },
};
static LAYOUT(source_bone_t, 216, bone_fields);

static const bsp_field anim_fields[] = {
    { NAME("baseptr"), I32(1) },
    { NAME("sznameindex"), I32(1) },
    { NAME("fps"), F32(1) },
    { NAME("flags"), I32(1), ROLE(FLAGS) },
    { NAME("numframes"), I32(1) },
    { NAME("nummovements"), I32(1) },
    { NAME("movementindex"), I32(1) },
    { NAME("unused1"), PAD(24) },
    { NAME("animblock"), I32(1) },
    { NAME("animindex"), I32(1) },
    { NAME("numikrules"), I32(1) },
    { NAME("ikruleindex"), I32(1) },
    { NAME("animblockikruleindex"), I32(1) },
    { NAME("numlocalhierarchy"), I32(1) },
    { NAME("localhierarchyindex"), I32(1) },
    { NAME("sectionindex"), I32(1) },
    { NAME("sectionframes"), I32(1) },
    { NAME("zeroframespan"), I16(1) },
    { NAME("zeroframecount"), I16(1) },
    { NAME("zeroframeindex"), I32(1) },
    { NAME("zeroframestalltime"), I32(1) },
};
static LAYOUT(mstudioanimdesc_t, 100, anim_fields);

static const bsp_field sequence_fields[] = {
    { NAME("baseptr"), I32(1) },
    { NAME("szlabelindex"), I32(1) },
    { NAME("szactivitynameindex"), I32(1) },
    { NAME("flags"), I32(1), ROLE(FLAGS) },
    { NAME("activity"), I32(1) },
    { NAME("actweight"), I32(1) },
    { NAME("numevents"), I32(1) },
    { NAME("eventindex"), I32(1) },
    { NAME("bbmin"), F32(3), ROLE(BOUNDS) },
    { NAME("bbmax"), F32(3), ROLE(BOUNDS) },
    { NAME("numblends"), I32(1) },
    { NAME("animindexindex"), I32(1) },
    { NAME("movementindex"), I32(1) },
    { NAME("groupsize"), I32(2) },
    { NAME("rest"), PAD(136) },
};
static LAYOUT(source_seqdesc_t, 212, sequence_fields);

static const bsp_field texture_fields[] = {
    { NAME("sznameindex"), I32(1) },
    { NAME("flags"), I32(1), ROLE(FLAGS) },
    { NAME("used"), I32(1) },
    { NAME("unused1"), I32(1) },
    { NAME("runtime"), PAD(8) },
    { NAME("unused"), PAD(40) },
};
static LAYOUT(source_texture_t, 64, texture_fields);

static const bsp_field folder_fields[] = { { NAME(""), I32(1) } };
static LAYOUT(source_cdtexture_t, 4, folder_fields);

static const bsp_field skin_fields[] = {
    { NAME(""), I16(1), .role = BSP_ROLE_INDEX, .target = ID_TEXTURES },
};
static LAYOUT(source_skinref_t, 2, skin_fields);

static const bsp_field part_fields[] = {
    { NAME("sznameindex"), I32(1) },
    { NAME("nummodels"), I32(1) },
    { NAME("base"), I32(1) },
    { NAME("modelindex"), I32(1) },
};
static LAYOUT(source_bodyparts_t, 16, part_fields);

static const bsp_field model_fields[] = {
    { NAME("name"), CHARS(64) },
    { NAME("type"), I32(1) },
    { NAME("boundingradius"), F32(1) },
    { NAME("nummeshes"), I32(1) },
    { NAME("meshindex"), I32(1) },
    { NAME("numvertices"), I32(1) },
    { NAME("vertexindex"), I32(1) },
    { NAME("tangentsindex"), I32(1) },
    { NAME("numattachments"), I32(1) },
    { NAME("attachmentindex"), I32(1) },
    { NAME("numeyeballs"), I32(1) },
    { NAME("eyeballindex"), I32(1) },
    { NAME("runtime"), PAD(8) },
    { NAME("unused"), PAD(32) },
};
static LAYOUT(source_model_t, 148, model_fields);

static const bsp_field mesh_fields[] = {
    { NAME("material"), I32(1) },
    { NAME("modelindex"), I32(1) },
    { NAME("numvertices"), I32(1) },
    { NAME("vertexoffset"), I32(1) },
    { NAME("numflexes"), I32(1) },
    { NAME("flexindex"), I32(1) },
    { NAME("materialtype"), I32(1) },
    { NAME("materialparam"), I32(1) },
    { NAME("meshid"), I32(1) },
    { NAME("center"), F32(3) },
    { NAME("modelvertexdata"), I32(1) },
    { NAME("numLODVertexes"), I32(8) },
    { NAME("unused"), PAD(32) },
};
static LAYOUT(source_mesh_t, 116, mesh_fields);

static const bsp_field attachment_fields[] = {
    { NAME("sznameindex"), I32(1) },
    { NAME("flags"), U32(1), ROLE(FLAGS) },
    { NAME("localbone"), I32(1), .role = BSP_ROLE_INDEX, .target = ID_BONES },
    { NAME("local"), F32(12) },
    { NAME("unused"), PAD(32) },
};
static LAYOUT(source_attachment_t, 92, attachment_fields);

static const bsp_field set_fields[] = {
    { NAME("sznameindex"), I32(1) },
    { NAME("numhitboxes"), I32(1) },
    { NAME("hitboxindex"), I32(1) },
};
static LAYOUT(mstudiohitboxset_t, 12, set_fields);

static const bsp_field hitbox_fields[] = {
    { NAME("bone"), I32(1), .role = BSP_ROLE_INDEX, .target = ID_BONES },
    { NAME("group"), I32(1) },
    { NAME("bbmin"), F32(3), ROLE(BOUNDS) },
    { NAME("bbmax"), F32(3), ROLE(BOUNDS) },
    { NAME("szhitboxnameindex"), I32(1) },
    { NAME("unused"), PAD(32) },
};
static LAYOUT(source_bbox_t, 68, hitbox_fields);

static const bsp_field include_fields[] = {
    { NAME("szlabelindex"), I32(1) },
    { NAME("sznameindex"), I32(1) },
};
static LAYOUT(mstudiomodelgroup_t, 8, include_fields);

static const bsp_field block_fields[] = {
    { NAME("datastart"), I32(1) },
    { NAME("dataend"), I32(1) },
};
static LAYOUT(mstudioanimblock_t, 8, block_fields);

static const bsp_field ani_fields[] = {
    { NAME("id"), CHARS(4) },
    { NAME("version"), I32(1) },
    { NAME("checksum"), I32(1) },
    { NAME("name"), CHARS(64) },
    { NAME("length"), I32(1) },
};
static LAYOUT(source_ani_t, 80, ani_fields);

const bspi_model_row bspi_source_rows[BSPI_SRC_ROWS] = {
    { .name = "bones", .layout = &source_bone_t, .count = "numbones", .offset = "boneindex", .id = ID_BONES },
    { .name = "anims", .layout = &mstudioanimdesc_t, .count = "numlocalanim", .offset = "localanimindex", .id = ID_ANIMS },
    { .name = "sequences", .layout = &source_seqdesc_t, .count = "numlocalseq", .offset = "localseqindex" },
    { .name = "textures", .layout = &source_texture_t, .count = "numtextures", .offset = "textureindex", .id = ID_TEXTURES },
    { .name = "cdtextures", .layout = &source_cdtexture_t, .count = "numcdtextures", .offset = "cdtextureindex" },
    { .name = "skins", .layout = &source_skinref_t, .count = "numskinref", .times = "numskinfamilies", .offset = "skinindex" },
    { .name = "bodyparts", .layout = &source_bodyparts_t, .count = "numbodyparts", .offset = "bodypartindex" },
    { .name = "models", .layout = &source_model_t, .parent = BSPI_SRC_PARTS, .count = "nummodels", .offset = "modelindex", .from_record = true },
    { .name = "meshes", .layout = &source_mesh_t, .parent = BSPI_SRC_MODELS, .count = "nummeshes", .offset = "meshindex", .from_record = true },
    { .name = "attachments", .layout = &source_attachment_t, .count = "numlocalattachments", .offset = "localattachmentindex" },
    { .name = "hitboxsets", .layout = &mstudiohitboxset_t, .count = "numhitboxsets", .offset = "hitboxsetindex" },
    { .name = "hitboxes", .layout = &source_bbox_t, .parent = BSPI_SRC_HITBOX_SETS, .count = "numhitboxes", .offset = "hitboxindex", .from_record = true },
    { .name = "includemodels", .layout = &mstudiomodelgroup_t, .count = "numincludemodels", .offset = "includemodelindex" },
    { .name = "animblocks", .layout = &mstudioanimblock_t, .count = "numanimblocks", .offset = "animblockindex" },
};

// --- vertices -----------------------------------------------------------------------------------

static const bsp_field vvd_fields[] = {
    { NAME("id"), CHARS(4) },
    { NAME("version"), I32(1) },
    { NAME("checksum"), I32(1) },
    { NAME("numLODs"), I32(1) },
    { NAME("numLODVertexes"), I32(8) },
    { NAME("numFixups"), I32(1) },
    { NAME("fixupTableStart"), I32(1) },
    { NAME("vertexDataStart"), I32(1) },
    { NAME("tangentDataStart"), I32(1) },
};
static LAYOUT(vertexFileHeader_t, 64, vvd_fields);

static const bsp_field fixup_fields[] = {
    { NAME("lod"), I32(1) },
    { NAME("sourceVertexID"), I32(1) },
    { NAME("numVertexes"), I32(1) },
};
static LAYOUT(vertexFileFixup_t, 12, fixup_fields);

static const bsp_field vertex_fields[] = {
    { NAME("weight"), F32(3) },
    { NAME("bone"), U8(3) },
    { NAME("numbones"), U8(1) },
    { NAME("position"), F32(3) },
    { NAME("normal"), F32(3) },
    { NAME("texcoord"), F32(2) },
};
static LAYOUT(mstudiovertex_t, 48, vertex_fields);

static const bsp_field tangent_fields[] = { { NAME(""), F32(4) } };
static LAYOUT(source_tangent_t, 16, tangent_fields);

static const bspi_model_row vvd_rows[] = {
    { .name = "fixups", .layout = &vertexFileFixup_t, .count = "numFixups", .offset = "fixupTableStart" },
    { .name = "vertices", .layout = &mstudiovertex_t, .count = "numLODVertexes", .offset = "vertexDataStart" },
    { .name = "tangents", .layout = &source_tangent_t, .count = "numLODVertexes", .offset = "tangentDataStart" },
};

// --- strips -------------------------------------------------------------------------------------

static const bsp_field vtx_fields[] = {
    { NAME("version"), I32(1) },
    { NAME("vertCacheSize"), I32(1) },
    { NAME("maxBonesPerStrip"), U16(1) },
    { NAME("maxBonesPerTri"), U16(1) },
    { NAME("maxBonesPerVert"), I32(1) },
    { NAME("checkSum"), I32(1) },
    { NAME("numLODs"), I32(1) },
    { NAME("materialReplacementListOffset"), I32(1) },
    { NAME("numBodyParts"), I32(1) },
    { NAME("bodyPartOffset"), I32(1) },
};
static LAYOUT(FileHeader_t, 36, vtx_fields);

static const bsp_field vtx_part_fields[] = {
    { NAME("numModels"), I32(1) },
    { NAME("modelOffset"), I32(1) },
};
static LAYOUT(BodyPartHeader_t, 8, vtx_part_fields);

static const bsp_field vtx_model_fields[] = {
    { NAME("numLODs"), I32(1) },
    { NAME("lodOffset"), I32(1) },
};
static LAYOUT(ModelHeader_t, 8, vtx_model_fields);

static const bsp_field vtx_lod_fields[] = {
    { NAME("numMeshes"), I32(1) },
    { NAME("meshOffset"), I32(1) },
    { NAME("switchPoint"), F32(1) },
};
static LAYOUT(ModelLODHeader_t, 12, vtx_lod_fields);

static const bsp_field vtx_mesh_fields[] = {
    { NAME("numStripGroups"), I32(1) },
    { NAME("stripGroupHeaderOffset"), I32(1) },
    { NAME("flags"), U8(1), ROLE(FLAGS) },
};
static LAYOUT(MeshHeader_t, 9, vtx_mesh_fields);

static const bsp_field vtx_group_fields[] = {
    { NAME("numVerts"), I32(1) },
    { NAME("vertOffset"), I32(1) },
    { NAME("numIndices"), I32(1) },
    { NAME("indexOffset"), I32(1) },
    { NAME("numStrips"), I32(1) },
    { NAME("stripOffset"), I32(1) },
    { NAME("flags"), U8(1), ROLE(FLAGS) },
};
static LAYOUT(StripGroupHeader_t, 25, vtx_group_fields);

static const bsp_field vtx_wide_group_fields[] = {
    { NAME("numVerts"), I32(1) },
    { NAME("vertOffset"), I32(1) },
    { NAME("numIndices"), I32(1) },
    { NAME("indexOffset"), I32(1) },
    { NAME("numStrips"), I32(1) },
    { NAME("stripOffset"), I32(1) },
    { NAME("flags"), U8(1), ROLE(FLAGS) },
    { NAME("numTopologyIndices"), I32(1) },
    { NAME("topologyOffset"), I32(1) },
};
static LAYOUT(vtx_wide_stripgroup_t, 33, vtx_wide_group_fields);

static const bsp_field vtx_vertex_fields[] = {
    { NAME("boneWeightIndex"), U8(3) },
    { NAME("numBones"), U8(1) },
    { NAME("origMeshVertID"), U16(1) },
    { NAME("boneID"), I8(3) },
};
static LAYOUT(Vertex_t, 9, vtx_vertex_fields);

static const bsp_field vtx_index_fields[] = {
    { NAME(""), U16(1), .role = BSP_ROLE_INDEX, .target = ID_GROUP_VERTICES },
};
static LAYOUT(vtx_index_t, 2, vtx_index_fields);

static const bsp_field vtx_strip_fields[] = {
    { NAME("numIndices"), I32(1) },
    { NAME("indexOffset"), I32(1) },
    { NAME("numVerts"), I32(1) },
    { NAME("vertOffset"), I32(1) },
    { NAME("numBones"), I16(1) },
    { NAME("flags"), U8(1), ROLE(FLAGS) },
    { NAME("numBoneStateChanges"), I32(1) },
    { NAME("boneStateChangeOffset"), I32(1) },
};
static LAYOUT(StripHeader_t, 27, vtx_strip_fields);

static const bsp_field vtx_wide_strip_fields[] = {
    { NAME("numIndices"), I32(1) },
    { NAME("indexOffset"), I32(1) },
    { NAME("numVerts"), I32(1) },
    { NAME("vertOffset"), I32(1) },
    { NAME("numBones"), I16(1) },
    { NAME("flags"), U8(1), ROLE(FLAGS) },
    { NAME("numBoneStateChanges"), I32(1) },
    { NAME("boneStateChangeOffset"), I32(1) },
    { NAME("numTopologyIndices"), I32(1) },
    { NAME("topologyOffset"), I32(1) },
};
static LAYOUT(vtx_wide_strip_t, 35, vtx_wide_strip_fields);

static const bsp_field vtx_list_fields[] = {
    { NAME("numReplacements"), I32(1) },
    { NAME("replacementOffset"), I32(1) },
};
static LAYOUT(MaterialReplacementListHeader_t, 8, vtx_list_fields);

static const bsp_field vtx_replaced_fields[] = {
    { NAME("materialID"), I16(1) },
    { NAME("replacementMaterialNameOffset"), I32(1) },
};
static LAYOUT(MaterialReplacementHeader_t, 6, vtx_replaced_fields);

#define VTX_ROWS(group, strip) \
    { .name = "bodyparts", .layout = &BodyPartHeader_t, .count = "numBodyParts", .offset = "bodyPartOffset" }, \
    { .name = "models", .layout = &ModelHeader_t, .parent = BSPI_VTX_PARTS, .count = "numModels", .offset = "modelOffset", .from_record = true }, \
    { .name = "lods", .layout = &ModelLODHeader_t, .parent = BSPI_VTX_MODELS, .count = "numLODs", .offset = "lodOffset", .from_record = true }, \
    { .name = "meshes", .layout = &MeshHeader_t, .parent = BSPI_VTX_LODS, .count = "numMeshes", .offset = "meshOffset", .from_record = true }, \
    { .name = "stripgroups", .layout = &(group), .parent = BSPI_VTX_MESHES, .count = "numStripGroups", .offset = "stripGroupHeaderOffset", .from_record = true }, \
    { .name = "vertices", .layout = &Vertex_t, .parent = BSPI_VTX_GROUPS, .count = "numVerts", .offset = "vertOffset", .from_record = true, .id = ID_GROUP_VERTICES }, \
    { .name = "indices", .layout = &vtx_index_t, .parent = BSPI_VTX_GROUPS, .count = "numIndices", .offset = "indexOffset", .from_record = true }, \
    { .name = "strips", .layout = &(strip), .parent = BSPI_VTX_GROUPS, .count = "numStrips", .offset = "stripOffset", .from_record = true }, \
    { .name = "materiallists", .layout = &MaterialReplacementListHeader_t, .count = "numLODs", .offset = "materialReplacementListOffset" }, \
    { .name = "replacements", .layout = &MaterialReplacementHeader_t, .parent = BSPI_VTX_LISTS, .count = "numReplacements", .offset = "replacementOffset", .from_record = true },

static const bspi_model_row vtx_rows[] = { VTX_ROWS(StripGroupHeader_t, StripHeader_t) };
static const bspi_model_row vtx_wide_rows[] = { VTX_ROWS(vtx_wide_stripgroup_t, vtx_wide_strip_t) };

// clang-format on

// Strips have no magic: a version, and counts that real files have.
static bool accepts_vtx(bsp_bytes bytes) {
    bsp_table head = {&FileHeader_t, bytes.data, 1, false};
    if (bytes.size < FileHeader_t.size) {
        return false;
    }
    int64_t lods = bspi_model_int(&head, 0, "numLODs", 0);
    int64_t parts = bspi_model_int(&head, 0, "numBodyParts", 0);
    int64_t bones = bspi_model_int(&head, 0, "maxBonesPerVert", 0);
    return lods >= 1 && lods <= 8 && parts >= 0 && parts <= 256 && bones >= 0 && bones <= 4 &&
           bspi_model_int(&head, 0, "bodyPartOffset", 0) >= FileHeader_t.size;
}

/// A trial of one size of groups and strips: does all that they name lie in the file?
typedef struct vtx_trial {
    bsp_bytes bytes;
    const bspi_model_row *rows;
    uint64_t left; ///< records to look at: a file of which each byte is read often is no real one
} vtx_trial;

#define TRIAL_LEAST 1024u

static bool fits(vtx_trial *t, uint32_t row, size_t at);

// Tries the records of a row to which the record at `at` of the row above leads.
static bool row_fits(vtx_trial *t, uint32_t row, const bsp_table *parent, size_t at) {
    const bspi_model_row *r = &t->rows[row];
    int64_t count = bspi_model_int(parent, 0, r->count, 0);
    int64_t offset = bspi_model_int(parent, 0, r->offset, 0) + (r->from_record ? (int64_t)at : 0);
    if (count == 0) {
        return true;
    }
    if (count < 0 || offset < 0 || (uint64_t)offset > t->bytes.size ||
        (uint64_t)count > (t->bytes.size - (uint64_t)offset) / r->layout->size) {
        return false;
    }
    bool leads = row + 1 < BSPI_VTX_STRIPS && row + 1 <= BSPI_VTX_GROUPS;
    for (int64_t i = 0; leads && i < count; i++) {
        if (t->left == 0 || !fits(t, row, (size_t)offset + (size_t)i * r->layout->size)) {
            return false;
        }
        t->left--;
    }
    return true;
}

// Tries what the record at `at` of a row leads to.
static bool fits(vtx_trial *t, uint32_t row, size_t at) {
    bsp_table record = {t->rows[row].layout, t->bytes.data + at, 1, false};
    bool all = true;
    for (uint32_t i = row + 1; all && i < BSPI_VTX_STRIPS; i++) {
        all = t->rows[i].parent != row + 1 || row_fits(t, i, &record, at);
    }
    return all;
}

static bool whole(bsp_bytes bytes, const bspi_model_row *rows) {
    vtx_trial t = {bytes, rows, bytes.size / 8 + TRIAL_LEAST};
    bsp_table head = {&FileHeader_t, bytes.data, 1, false};
    return row_fits(&t, 0, &head, 0);
}

// Compilers of CS:GO (2013) and later write longer groups and strips under the same version.
static bool accepts_wide_vtx(bsp_bytes bytes) {
    return accepts_vtx(bytes) && !whole(bytes, vtx_rows) && whole(bytes, vtx_wide_rows);
}

const bspi_model_def bspi_model_source_ani = {
    .format = {.name = "source-ani",
               .title = "animations of a Source model",
               .ending = ".ani",
               .kind = BSP_MODEL_COMPANION},
    .magic = "IDAG",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 44,
    .last = 52,
    .head = &source_ani_t,
};

const bspi_model_def bspi_model_source_vvd = {
    .format = {.name = "source-vvd",
               .title = "vertices of a Source model",
               .ending = ".vvd",
               .kind = BSP_MODEL_COMPANION},
    .magic = "IDSV",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 4,
    .last = 4,
    .head = &vertexFileHeader_t,
    .rows = vvd_rows,
    .num_rows = LENGTH(vvd_rows),
};

const bspi_model_def bspi_model_source_wide_vtx = {
    .format = {.name = "source-vtx",
               .title = "strips of a Source model",
               .ending = ".vtx",
               .kind = BSP_MODEL_COMPANION},
    .version_at = 0,
    .version_size = 4,
    .version = 7,
    .last = 7,
    .accepts = accepts_wide_vtx,
    .head = &FileHeader_t,
    .rows = vtx_wide_rows,
    .num_rows = LENGTH(vtx_wide_rows),
};

const bspi_model_def bspi_model_source_vtx = {
    .format = {.name = "source-vtx",
               .title = "strips of a Source model",
               .ending = ".vtx",
               .kind = BSP_MODEL_COMPANION},
    .version_at = 0,
    .version_size = 4,
    .version = 7,
    .last = 7,
    .accepts = accepts_vtx,
    .head = &FileHeader_t,
    .rows = vtx_rows,
    .num_rows = LENGTH(vtx_rows),
};
