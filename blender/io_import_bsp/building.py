# SPDX-License-Identifier: MIT
"""Objects of Blender out of a map that source.py has read."""
import math
import os
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import _generated as c
from . import native
from . import source as reading
from .materials import COLORS, GAMMA, LIGHT_UV, TRANSLUCENT, Finish, Materials, environment

METRES = 0.0254  # a game unit is an inch
PLAIN_SKY = (0.42, 0.52, 0.65)  # as displayed
KINDS = {c.BSP_PROP_ENTITY: "Entity models", c.BSP_PROP_STATIC: "Static props", c.BSP_PROP_DETAIL: "Detail props"}


class Options(NamedTuple):
    """What is imported."""

    scale: float = METRES
    games: tuple = ()
    beside: bool = True
    baked: bool = True
    props: bool = True
    entities: bool = True
    lamps: bool = True
    textures: bool = True
    sky: bool = True
    camera: bool = True
    standard: bool = True


class Report(NamedTuple):
    """What came of it."""

    objects: int
    triangles: int
    missing: list


def _flat(values, kind):
    return np.ascontiguousarray(values, kind).ravel()


def make_mesh(name, vertices, triangles, slots, scale, materials, light=None, colors=None):
    """A mesh out of arrays: `slots` has the material of each triangle, `light` the second coordinates."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", _flat(vertices["position"] * np.float32(scale), np.float32))
    corners = _flat(triangles, np.int32)
    mesh.loops.add(len(corners))
    mesh.loops.foreach_set("vertex_index", corners)
    mesh.polygons.add(len(triangles))
    mesh.polygons.foreach_set("loop_start", np.arange(0, len(corners), 3, dtype=np.int32))
    if bpy.app.version < (3, 6, 0):  # later versions take it from the next start
        mesh.polygons.foreach_set("loop_total", np.full(len(triangles), 3, np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(triangles), bool))
    for material in materials:
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", _flat(slots, np.int32))
    for layer, values in (("UVMap", vertices["uv"]), (LIGHT_UV, light)):
        if values is not None:
            place = values[corners].astype(np.float32)
            place[:, 1] = 1 - place[:, 1]
            mesh.uv_layers.new(name=layer).data.foreach_set("uv", place.ravel())
    if colors is not None:
        stored = mesh.color_attributes.new(COLORS, "FLOAT_COLOR", "POINT")
        stored.data.foreach_set("color", _flat(colors, np.float32))
    mesh.update()
    return mesh


def _linear(colors):
    out = colors.astype(np.float32) / 255
    out[:, :3] **= GAMMA
    return out


class Builder:
    """Builds one map in a scene."""

    def __init__(self, context, source, options):
        self.context, self.source, self.options = context, source, options
        self.materials = Materials(source, options.baked)
        self.root = bpy.data.collections.new(os.path.splitext(os.path.basename(source.path))[0])
        context.scene.collection.children.link(self.root)
        self._collections, self._meshes = {}, {}
        self.objects = self.triangles = 0
        self._made = {}  # by the number of the entity

    def collection(self, name):
        if name not in self._collections:
            self._collections[name] = bpy.data.collections.new(name)
            self.root.children.link(self._collections[name])
        return self._collections[name]

    def add(self, name, data, collection, matrix=None, entity=None):
        out = bpy.data.objects.new(name, data)
        if matrix is not None:
            out.matrix_world = self.matrix(matrix)
        self.collection(collection).objects.link(out)
        if entity is not None:
            self.keys(out, entity)
            self._made[entity.number] = out
        self.objects += 1
        return out

    def matrix(self, rows):
        out = Matrix([list(map(float, row)) for row in rows])
        out.translation *= self.options.scale
        return out

    @staticmethod
    def keys(out, entity):
        """The keys of an entity as properties; a repeated one has its number after it."""
        seen = {}
        for key, value in entity.pairs:
            seen[key] = seen.get(key, 0) + 1
            out[(key if seen[key] == 1 else f"{key}.{seen[key]}")[:60] or "-"] = value
        out["bsp_entity"] = entity.number

    # --- brush models ---

    def finish_of(self, group, look):
        """How a group is drawn, or None if it is not."""
        number = int(group["material"])
        known = number < len(self.source.materials)
        of = self.source.materials[number] if known else None
        if known and of.hidden:
            return None
        bits = int(group["bits"])
        blended = known and (of.alpha in (c.BSP_ALPHA_BLEND, c.BSP_ALPHA_ADD, c.BSP_ALPHA_FILTER) or of.opacity < 1)
        opacity = of.opacity if known else 1.0
        if blended or bits & (c.BSP_SURFACE_TRANSLUCENT | c.BSP_SURFACE_LIQUID):
            if opacity >= 1 and not (known and of.alpha == c.BSP_ALPHA_BLEND):
                flagged = self.source.surface_opacity(int(group["flags"]))
                opacity = flagged if flagged < 1 else TRANSLUCENT
        if look.mode != c.BSP_LOOK_NORMAL and look.opacity > 0:
            opacity *= look.opacity
        plain = tuple((value / 255) ** GAMMA for value in look.color) if look.plain else ()
        return Finish(number, int(group["light_page"]), bool(bits & c.BSP_SURFACE_VERTEX_LIT),
                      bool(known and of.mixed and bits & c.BSP_SURFACE_DISPLACEMENT), round(opacity, 3), look.mode,
                      bool(look.unlit), plain)

    def brush_mesh(self, name, groups, look):
        """One mesh of several groups of the map's mesh."""
        finishes = [(group, finish) for group in groups if (finish := self.finish_of(group, look)) is not None]
        if not finishes:
            return None
        slots, picks, rows, offset = {}, [], [], 0
        numbers = []
        for group, finish in finishes:
            first, count = int(group["first_vertex"]), int(group["num_vertices"])
            run = self.source.indices[int(group["first_index"]):][:int(group["num_indices"])]
            kept, _ = reading.triangles(run.astype(np.int64) - first + offset)
            picks.append(slice(first, first + count))
            rows.append(kept)
            numbers.append(np.full(len(kept), slots.setdefault(finish, len(slots))))
            offset += count
        vertices = np.concatenate([self.source.vertices[pick] for pick in picks])
        triangles = np.concatenate(rows)
        colored = any(finish.vertex_lit or finish.mixed for finish in slots)
        mesh = make_mesh(name, vertices, triangles, np.concatenate(numbers), self.options.scale,
                         [self.materials.of(finish) for finish in slots], vertices["light_uv"],
                         _linear(vertices["color"]) if colored else None)
        return mesh

    def brush_models(self):
        overlay = (self.source.groups["bits"] & c.BSP_SURFACE_OVERLAY) != 0
        for instance in self.source.instances:
            first, count = instance.first_group, instance.num_groups
            numbers = np.arange(first, first + count)
            entity = self._entity(instance.entity)
            if entity is not None and instance.model != 0 and not self.options.entities and not count:
                continue
            name = "world" if instance.model == 0 else entity.name if entity else f"model {instance.model}"
            matrix = reading.placed(instance.place)
            shown = bool(instance.shown)
            seen = "World" if instance.model == 0 else "Brush entities" if shown else "Hidden entities"
            self._instance(name, instance, numbers[~overlay[first:first + count]], matrix, seen, entity)
            if overlay[first:first + count].any():
                laid = numbers[overlay[first:first + count]]
                self._instance(f"overlays of {name}", instance, laid, matrix, "Overlays", None)

    def _instance(self, name, instance, numbers, matrix, collection, entity):
        look = instance.look
        key = (instance.model, collection == "Overlays", look.mode, look.opacity, look.unlit, look.plain,
               tuple(look.color))
        if key not in self._meshes:
            self._meshes[key] = self.brush_mesh(name, self.source.groups[numbers], look)
        mesh = self._meshes[key]
        if mesh is None:
            if self.options.entities and entity is not None:
                self._box(name, instance.model, matrix, entity)
            return
        out = self.add(name, mesh, collection, matrix, entity)
        self.triangles += len(mesh.polygons)
        out.hide_render = out.hide_viewport = not instance.shown

    def _box(self, name, model, matrix, entity):
        """An entity of brushes that have no faces: a trigger. An empty cube as large as they are."""
        low, high = self.source.box(model)
        at = matrix.copy()
        at[:3, 3] = matrix[:3, :3] @ ((low + high) / 2) + matrix[:3, 3]
        at[:3, :3] = at[:3, :3] * np.maximum((high - low) / 2 * self.options.scale, 1e-4)
        out = self.add(name, None, "Triggers", at, entity)
        out.empty_display_type = "CUBE"
        out.empty_display_size = 1

    def _entity(self, number):
        return self.source.entities[number] if number < len(self.source.entities) else None

    # --- props ---

    def prop_mesh(self, number, look):
        model = self.source.models[number]
        of = model.mesh.contents
        vertices, indices = native.array(of.vertices, of.num_vertices), native.array(of.indices, of.num_indices)
        groups, materials = native.array(of.groups, of.num_groups), native.array(model.materials, of.num_groups)
        slots, numbers, runs = {}, [], []
        for group, material in zip(groups, materials):
            first = int(group["first_index"])
            kept, _ = reading.triangles(indices[first:first + int(group["num_indices"])])
            known = int(material) < len(self.source.materials)
            seen = self.source.materials[int(material)] if known else None
            if known and seen.hidden:
                continue
            opacity = (seen.opacity if known else 1.0) * (look.opacity if look.mode != c.BSP_LOOK_NORMAL else 1.0)
            plain = tuple((value / 255) ** GAMMA for value in look.color) if look.plain else ()
            finish = Finish(int(material), opacity=round(opacity, 3), mode=look.mode, unlit=bool(look.unlit),
                            plain=plain, prop=True)
            numbers.append(np.full(len(kept), slots.setdefault(finish, len(slots))))
            runs.append(kept)
        if not runs:
            return None
        return make_mesh(native.text(model.name), vertices, np.concatenate(runs), np.concatenate(numbers),
                         self.options.scale, [self.materials.of(finish) for finish in slots])

    def props(self):
        for prop in self.source.props:
            look = prop.look
            key = ("prop", prop.model, look.mode, look.opacity, look.unlit, look.plain, tuple(look.color))
            if key not in self._meshes:
                self._meshes[key] = self.prop_mesh(prop.model, look)
            mesh = self._meshes[key]
            if mesh is None:
                continue
            entity = self._entity(prop.number) if prop.kind == c.BSP_PROP_ENTITY else None
            matrix = np.eye(4)
            matrix[:3] = prop.place
            out = self.add(entity.name if entity else mesh.name, mesh, KINDS.get(prop.kind, "Models"), matrix, entity)
            out.hide_render = out.hide_viewport = not prop.shown
            self.triangles += len(mesh.polygons)
            tint = (np.array(prop.color[:3]) / 255) ** GAMMA
            light = np.maximum(self.source.prop_light(prop), 0) ** GAMMA * tint
            for side, row in enumerate(light.tolist()):
                out[f"bsp_light_{side}"] = row

    # --- lamps, entities, sky, camera ---

    def lamps(self):
        """Lamps as strong as the light compilers take them; see bsp_lamp for what full white is."""
        kinds = {c.BSP_LAMP_POINT: "POINT", c.BSP_LAMP_SPOT: "SPOT", c.BSP_LAMP_SUN: "SUN"}
        scale = self.options.scale
        for lamp in self.source.lamps():
            entity = self._entity(lamp.entity)
            name = entity.name if entity else "sun"
            data = bpy.data.lights.new(name, kinds[lamp.kind])
            data.color = lamp.color
            if lamp.kind == c.BSP_LAMP_SUN:
                data.energy = lamp.strength
                data.angle = math.radians(0.5)
            else:
                data.energy = 4 * math.pi * lamp.strength * scale * scale
                data.shadow_soft_size = 4 * scale
            if lamp.kind == c.BSP_LAMP_SPOT:
                data.spot_size = 2 * lamp.cone[1]
                data.spot_blend = 1 - lamp.cone[0] / lamp.cone[1]
            matrix = np.eye(4)
            matrix[:3, 3] = lamp.origin
            if lamp.kind != c.BSP_LAMP_POINT:
                matrix[:3, :3] = Vector(lamp.direction).to_track_quat("-Z", "Y").to_matrix()
            self.add(name, data, "Lights", matrix, entity)

    def empties(self):
        for entity in self.source.entities:
            if entity.number in self._made or entity.get("classname") == "worldspawn":
                continue
            out = self.add(entity.name, None, "Entities", entity.matrix, entity)
            out.empty_display_type = "ARROWS"
            out.empty_display_size = 16 * self.options.scale

    def sky(self):
        """The sky as a world: the box, or one colour where the map has layers or its pictures are not there."""
        sides, layers = self.source.sky()
        name = f"sky of {self.root.name}"
        picture = environment(name, sides)
        world = bpy.data.worlds.new(name)
        world.use_nodes = True
        nodes, links = world.node_tree.nodes, world.node_tree.links
        color = nodes["Background"].inputs[0]
        if picture is not None:
            seen = nodes.new("ShaderNodeTexEnvironment")
            seen.image = picture
            links.new(seen.outputs[0], color)
        else:
            mean = layers[0].reshape(-1, 4).mean(0) / 255 if layers and layers[0] is not None else PLAIN_SKY
            color.default_value = (*(float(part) ** GAMMA for part in mean[:3]), 1)
        self.context.scene.world = world

    def camera(self):
        eye, angles = self.source.start()
        data = bpy.data.cameras.new("player")
        data.angle = math.radians(90)
        data.clip_start, data.clip_end = 2 * self.options.scale, 65536 * self.options.scale
        out = self.add("player", data, "Camera")
        pitch, yaw, roll = (math.radians(float(angle)) for angle in angles)
        out.rotation_euler = (math.pi / 2 - pitch, roll, yaw - math.pi / 2)
        out.location = [float(part) * self.options.scale for part in eye]
        if self.context.scene.camera is None or self.context.scene.camera.name.startswith("Camera"):
            self.context.scene.camera = out

    def build(self):
        self.brush_models()
        if self.options.props:
            self.props()
        if self.options.lamps:
            self.lamps()
        if self.options.entities:
            self.empties()
        if self.options.sky:
            self.sky()
        if self.options.camera:
            self.camera()
        if self.options.standard and hasattr(self.context.scene.view_settings, "view_transform"):
            self.context.scene.view_settings.view_transform = "Standard"
        missing = sorted({of.name for of in self.source.materials if of.texture is not None and not of.texture.found})
        return Report(self.objects, self.triangles, missing + self.source.missing_models)


def load(context, path, options=Options()):
    """Imports a map into the scene of `context`."""
    beside = reading.game_of(path) if options.beside else None
    games = [*options.games, *([beside] if beside is not None else [])]
    with reading.Source(path, games, options.props, options.textures) as source:
        return Builder(context, source, options).build()
