# SPDX-License-Identifier: MIT
"""Runs in Blender: imports maps by the add-on that is installed, writes what came of them as JSON, and renders
a picture of each. blender ... --python inside.py -- OUT GAME... -- MAP..."""
import json
import pathlib
import sys
import time

import bpy
import mathutils

arguments = sys.argv[sys.argv.index("--") + 1:]
out = pathlib.Path(arguments[0])
games, maps = arguments[1:arguments.index("--")], arguments[arguments.index("--") + 1:]
SIZE = 160, 100


def facts(of):
    """What an object is."""
    found = {"name": of.name, "kind": of.type, "in": [one.name for one in of.users_collection],
             "keys": {key: value for key, value in of.items() if isinstance(value, str)},
             "entity": of.get("bsp_entity"), "at": list(of.matrix_world.translation), "hidden": of.hide_render}
    if of.type == "LIGHT":
        found.update(light=of.data.type, energy=of.data.energy,
                     along=list(of.matrix_world.to_3x3() @ mathutils.Vector((0, 0, -1))))
    if of.type == "MESH":
        mesh = of.data
        found.update(triangles=len(mesh.polygons), layers=[layer.name for layer in mesh.uv_layers],
                     materials=[one.name for one in mesh.materials],
                     sides=sorted({corner for polygon in mesh.polygons[:50] for corner in [polygon.loop_total]}))
    return found


def render(path, bounces=0):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.max_bounces, scene.cycles.use_denoising = 4, bounces, False
    scene.cycles.transparent_max_bounces = 8
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


report = []
for number, path in enumerate(maps):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    began = time.perf_counter()
    done = bpy.ops.import_scene.bsp(filepath=path, games=games[number] if number < len(games) else "")
    seconds = time.perf_counter() - began
    bpy.context.view_layer.update()
    report.append({"map": path, "done": sorted(done), "seconds": seconds,
                   "objects": [facts(of) for of in bpy.data.objects],
                   "images": {one.name: list(one.size) for one in bpy.data.images},
                   "groups": [one.name for one in bpy.data.node_groups]})
    render(out / f"{number}.png")
    if "source" in pathlib.Path(path).parts:  # the same by Blender's own lights
        bpy.data.node_groups["BSP light"].nodes["Baked light"].outputs[0].default_value = 0
        render(out / f"{number}-lamps.png", 2)
# A file that is dropped; the path of the import before is still known. From 4.1 on Blender's own operator of
# drops finds the add-on by what it says of such files; before there is none, and ours is called as it would be.
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
dropped = pathlib.Path(maps[0])
names = {"directory": str(dropped.parent), "files": [{"name": dropped.name}]}
if hasattr(bpy.types, "FileHandler"):
    window = bpy.context.window_manager.windows[0]
    area = next(one for one in window.screen.areas if one.type == "VIEW_3D")
    bpy.context.preferences.addons["io_import_bsp"].preferences.games = games[0]
    with bpy.context.temp_override(window=window, area=area):
        done = bpy.ops.wm.drop_import_file("INVOKE_DEFAULT", **names)
else:
    done = bpy.ops.import_scene.bsp("INVOKE_DEFAULT", **names, games=games[0])
report.append({"map": maps[0], "done": sorted(done), "objects": [facts(of) for of in bpy.data.objects]})
(out / "facts.json").write_text(json.dumps(report))
