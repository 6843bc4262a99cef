# SPDX-License-Identifier: MIT
"""Imports BSP maps of the Quake and Source families, by the library bspkit that the add-on contains."""
bl_info = {
    "name": "BSP maps (Quake and Source families)",
    "author": "the authors of bspkit",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > BSP map",
    "description": "Imports compiled maps with their light, models, entities and sky",
    "category": "Import-Export",
}

import os
import time

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import building, native


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    games: StringProperty(name="Game folders", description=f"Folders of games, with {os.pathsep!r} between them: "
                          "where textures and models are looked for")

    def draw(self, _):
        self.layout.prop(self, "games")


def game_folders(context, own):
    held = context.preferences.addons.get(__package__)
    named = [own, held.preferences.games if held and held.preferences else ""]
    return tuple(os.path.abspath(bpy.path.abspath(part)) for text in named for part in text.split(os.pathsep) if part)


class IMPORT_SCENE_OT_bsp(bpy.types.Operator, ImportHelper):
    """Imports BSP maps of the Quake and Source families"""

    bl_idname = "import_scene.bsp"
    bl_label = "Import BSP map"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".bsp"
    filter_glob: StringProperty(default="*.bsp;*.bsp.gz", options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    scale: FloatProperty(name="Scale", default=building.METRES, min=1e-5, max=100, precision=4,
                         description="Length of a game unit: 0.0254 where a unit is an inch")
    light: EnumProperty(name="Light", default="BAKED", items=[
        ("BAKED", "Of the map", "Surfaces are as bright as the map's own light makes them"),
        ("NONE", "Of the scene", "Surfaces are lit by what the scene has"),
    ])
    props: BoolProperty(name="Models", default=True, description="Static props, and the models that entities show")
    lamps: BoolProperty(name="Lights", default=True, description="The lights of entities and suns as Blender's own: "
                        "they shine on surfaces whose light is not of the map")
    entities: BoolProperty(name="Entities", default=True, description="Other entities as empties with their keys")
    textures: BoolProperty(name="Textures", default=True)
    sky: BoolProperty(name="Sky", default=True, description="The sky of the map as the world of the scene")
    camera: BoolProperty(name="Camera", default=True, description="A camera where the first player stands")
    standard: BoolProperty(name="Colours as in the game", default=True,
                           description="Sets the view transform of the scene to Standard")
    games: StringProperty(name="Game folder", description="Where textures and models are looked for, besides the "
                          "folder that holds the map's folder maps, and those of the preferences")

    def paths(self):
        names = [file.name for file in self.files if file.name]
        return [os.path.join(self.directory, name) for name in names] if names else [self.filepath]

    def execute(self, context):
        options = building.Options(scale=self.scale, games=game_folders(context, self.games),
                                   baked=self.light == "BAKED", props=self.props, entities=self.entities,
                                   lamps=self.lamps, textures=self.textures, sky=self.sky, camera=self.camera,
                                   standard=self.standard)
        for path in self.paths():
            began = time.perf_counter()
            try:
                report = building.load(context, path, options)
            except native.Error as failure:
                self.report({"ERROR"}, str(failure))
                return {"CANCELLED"}
            if report.missing:
                self.report({"WARNING"}, f"{len(report.missing)} textures or models were not found: "
                            + ", ".join(report.missing[:8]))
            self.report({"INFO"}, f"{os.path.basename(path)}: {report.objects} objects, {report.triangles} triangles "
                        f"in {time.perf_counter() - began:.2f} s")
        return {"FINISHED"}

    def invoke(self, context, event):
        if self.files:  # dropped; the path is remembered from the last import, and says nothing
            return self.execute(context)
        return ImportHelper.invoke(self, context, event)


def _menu(self, _):
    self.layout.operator(IMPORT_SCENE_OT_bsp.bl_idname, text="BSP map (.bsp)")


CLASSES = [Preferences, IMPORT_SCENE_OT_bsp]
if hasattr(bpy.types, "FileHandler"):  # 4.1 and later

    class IMPORT_SCENE_FH_bsp(bpy.types.FileHandler):
        bl_idname = "IMPORT_SCENE_FH_bsp"
        bl_label = "BSP map"
        bl_import_operator = IMPORT_SCENE_OT_bsp.bl_idname
        bl_file_extensions = ".bsp"

        @classmethod
        def poll_drop(cls, context):
            return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}

    CLASSES.append(IMPORT_SCENE_FH_bsp)


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.TOPBAR_MT_file_import.append(_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(_menu)
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
