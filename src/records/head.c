// SPDX-License-Identifier: MIT
// The members of head and entries, by which fields of their layouts name them.
#include "records/head.h"

#include "formats/map_members.h"

static const bspi_member head_members[] = {
    {BSPI_MEMBER_head_version, BSP_U32, 1, offsetof(bspi_head, version), false},
    {BSPI_MEMBER_head_revision, BSP_U32, 1, offsetof(bspi_head, revision), true},
    {BSPI_MEMBER_head_checksum, BSP_U32, 1, offsetof(bspi_head, checksum), true},
    {BSPI_MEMBER_head_last_lump, BSP_U32, 1, offsetof(bspi_head, last_lump), false},
};
const bspi_struct bspi_head_struct = {sizeof(bspi_head), head_members, 4};

static const bspi_member entry_members[] = {
    {BSPI_MEMBER_entry_offset, BSP_U32, 1, offsetof(bspi_entry, offset), false},
    {BSPI_MEMBER_entry_size, BSP_U32, 1, offsetof(bspi_entry, size), false},
    {BSPI_MEMBER_entry_version, BSP_U32, 1, offsetof(bspi_entry, version), false},
    {BSPI_MEMBER_entry_fourcc, BSP_U32, 1, offsetof(bspi_entry, fourcc), false},
};
const bspi_struct bspi_entry_struct = {sizeof(bspi_entry), entry_members, 4};
