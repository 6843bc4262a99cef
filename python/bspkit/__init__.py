# SPDX-License-Identifier: MIT
"""Opens any BSP map of the Quake and Source families.

    import bspkit

    with bspkit.open("maps/start.bsp") as file:
        print(file.branch, len(file.entities), file.records("faces")["texinfo"].max())
        print(file.map.trace([0, 0, 64], [512, 0, 64])["fraction"])
"""
from ._bake import Leak, Portals, Relight, Stale, Vis
from ._core import (NONE, AccessError, ArgumentError, Budget, Error, FormatError, LimitError, NotFoundError, Place)
from ._diffs import Difference, diff
from ._edits import Edit, NewIssue, Refused, new_pak
from ._entities import Entities, Entity
from ._files import File, Lump, Pak, open, open_bytes
from ._generated import (Alpha, Code, DifferenceKind, Dirt, ExportLight, ExportLights, Family, LightCompiler,
                         LightSource, LumpKind, PortalsForm, PropShadows, Severity, StaleState, SurfaceBits)
from ._issues import Issue
from ._maps import Map
from ._meshes import BrushMesh, Lightmap, Mesh
from ._models import Model, ModelInfo, ModelMesh, model
from ._pictures import Renderer
from ._products import Document, Export
from ._scenes import Physics, Scene, SceneModel, Solids
from ._textures import Search, Texture, Textures

from ._native import ffi as _ffi, lib as _lib

__version__ = _ffi.string(_lib.bsp_version()).decode()

__all__ = [
    "AccessError", "Alpha", "ArgumentError", "BrushMesh", "Budget", "Code", "diff", "Difference", "DifferenceKind",
    "Dirt", "Document", "Edit", "Entities", "Entity", "Error", "Export", "ExportLight", "ExportLights", "Family",
    "File", "FormatError", "Issue", "Leak", "LightCompiler", "Lightmap", "LightSource", "LimitError", "Lump",
    "LumpKind", "Map", "Mesh", "Model", "model", "ModelInfo", "ModelMesh", "new_pak", "NewIssue", "NONE",
    "NotFoundError", "open", "open_bytes", "Pak", "Physics", "Place", "Portals", "PortalsForm", "PropShadows", "Refused",
    "Relight", "Renderer", "Scene", "SceneModel", "Search", "Severity", "Solids", "Stale", "StaleState", "SurfaceBits",
    "Texture", "Textures", "Vis",
]
