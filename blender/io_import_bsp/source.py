# SPDX-License-Identifier: MIT
"""A map as the add-on needs it: its scene, read by the library, as arrays. Nothing here needs Blender."""
import ctypes
import os
import pathlib

import numpy as np

from . import _generated as c
from . import native

NONE = c.BSP_NONE
LIGHT_RANGE = 2.0  # the factor that 255 on a light page stands for
SKY_SIDES = 6
_AXES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32)


class Texture:
    """The picture of a material: rows from the top, RGBA; None without one."""

    def __init__(self, texture):
        self.pixels = native.pixels(texture.image)
        self.found = bool(texture.found)
        self.file = texture.source.decode("utf-8", "replace")


class Material:
    """What the scene says of a material, and its pictures if it is used."""

    def __init__(self, of):
        self.name = native.text(of.name) or "none"
        self.found, self.mixed, self.clamp = bool(of.found), bool(of.mixed), bool(of.clamp)
        self.color = tuple(of.color) if of.colored else None
        self.alpha, self.alpha_cut, self.opacity = of.alpha, of.alpha_cut, of.opacity
        self.two_sided, self.unlit = bool(of.two_sided), bool(of.unlit)
        self.hidden = bool(of.no_draw or of.fog)
        self.shift = tuple(of.shift)
        self.size = max(of.width, 1), max(of.height, 1)
        self.texture = self.second = None


class Entity:
    """An entity: its keys in the order of the file, repeated ones too, and where it stands."""

    def __init__(self, number, pairs, matrix):
        self.number, self.pairs, self.matrix = number, pairs, matrix

    def get(self, key, otherwise=""):
        return next((value for own, value in self.pairs if own.lower() == key), otherwise)

    @property
    def name(self):
        return self.get("targetname") or self.get("classname") or "entity"


def game_of(path):
    """The game folder of a map: the one that its folder "maps" is in."""
    folder = pathlib.Path(path).resolve().parent
    while folder.parent != folder and folder.name.lower() != "maps":
        folder = folder.parent
    return folder.parent if folder.name.lower() == "maps" else None


class Source:
    """An open map with its scene. The arrays are those of the library: valid until close()."""

    def __init__(self, path, games=(), props=True, textures=True):
        self.path = os.fspath(path)
        self._close = []
        try:
            self._open(games)
            self._build(props, textures)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        while self._close:
            name, pointer = self._close.pop()
            getattr(native.loaded(), name)(pointer)

    def _own(self, pointer, free):
        self._close.append((free, pointer))
        return pointer

    def _open(self, games):
        file = native.call("bsp_file_open", os.fsencode(self.path), None)
        self.file = self._own(file, "bsp_file_close")
        self.map = self._own(native.call("bsp_map_load", self.file, None), "bsp_map_free")
        search = self._own(native.call("bsp_search_new", None), "bsp_search_free")
        for folder in games:
            native.call("bsp_search_add_game", search, os.fsencode(folder))
        self._textures = self._own(native.call("bsp_textures_open", search, self.map, None), "bsp_textures_close")

    def _build(self, props, wanted):
        textures, seconds = {}, {}

        def take(_, number, __, texture, second, ___):
            textures[number] = Texture(texture.contents)
            if second.contents.image.pixels:
                seconds[number] = Texture(second.contents)
            return True

        receiver = c.bsp_scene_pictures(take)
        begin = native.options(c.bsp_scene_state)  # with the light styles that shine as the map begins
        chosen = native.options(c.bsp_scene_options, file=self.file, textures=self._textures,
                                light_range=LIGHT_RANGE, props=props, state=ctypes.pointer(begin))
        if wanted:
            chosen.pictures = receiver
        self.scene = self._own(native.call("bsp_scene_build", self.map, ctypes.byref(chosen)), "bsp_scene_free")
        scene = self.scene.contents
        self.materials = [Material(scene.materials[n]) for n in range(scene.num_materials)]
        for number, texture in textures.items():
            self.materials[number].texture = texture
            self.materials[number].second = seconds.get(number)
        mesh = scene.mesh.contents
        self.vertices = native.array(mesh.vertices, mesh.num_vertices)
        self.indices = native.array(mesh.indices, mesh.num_indices)
        self.groups = native.array(mesh.groups, mesh.num_groups)
        self.faces = native.array(mesh.faces, mesh.num_faces)
        self.instances = [scene.instances[n] for n in range(scene.num_instances)]
        self.props = [scene.props[n] for n in range(scene.num_props)]
        self.models = [scene.models[n] for n in range(scene.num_models)]
        self.missing_models = [native.text(scene.missing[n].name) for n in range(scene.num_missing)]
        self.entities = self._entities()

    @property
    def pages(self):
        """The pages of light: rows from the top, RGBA."""
        light = self.scene.contents.lightmap
        if not light:
            return []
        of = [light.contents.pages[number] for number in range(light.contents.num_pages)]
        return [native.array(page.rgba, page.width * page.height * 4).reshape(page.height, page.width, 4)
                for page in of]

    def _entities(self):
        of = self.map.contents.entities
        out = []
        for number in range(of.contents.count if of else 0):
            entity = of.contents.list[number]
            pairs = [(native.text(entity.pairs[n].key), native.text(entity.pairs[n].value))
                     for n in range(entity.num_pairs)]
            out.append(Entity(number, pairs, placed(native.loaded().bsp_entity_placement(self.map, entity))))
        return out

    def box(self, model):
        """The low and the high corner of a brush model."""
        of = self.map.contents.models[model]
        return np.array(of.mins), np.array(of.maxs)

    def surface_opacity(self, flags):
        return native.loaded().bsp_surface_opacity(self.map, flags)

    def prop_light(self, prop):
        """The light on a prop from six sides, as displayed: rows for +X, -X, +Y, -Y, +Z and -Z."""
        out = np.empty((6, 3), np.float32)
        for row, axis in zip(out, _AXES):
            native.loaded().bsp_scene_prop_light(self.scene, prop, axis.ctypes.data_as(c.POINTER(c.c_float)),
                                                  row.ctypes.data_as(c.POINTER(c.c_float)))
        return out

    def sky(self):
        """The pictures of the sky towards +X, -X, +Y, -Y, +Z and -Z, None for one that is missing; and those of
        its layers."""
        sky = c.bsp_sky()
        native.call("bsp_textures_find_sky", self._textures, ctypes.byref(sky))
        try:
            return [native.pixels(side) for side in sky.sides], [
                native.pixels(sky.layers[n].image) for n in range(sky.num_layers)]
        finally:
            native.loaded().bsp_sky_free(ctypes.byref(sky))

    def lamps(self):
        """What shines by the map's entities and shaders: copies of bsp_lamp."""
        found = native.call("bsp_lamps_find", self.map, self._textures)
        try:
            out = []
            for number in range(found.contents.count):
                out.append(c.bsp_lamp.from_buffer_copy(found.contents.list[number]))
            return out
        finally:
            native.loaded().bsp_lamps_free(found)

    def start(self):
        """Where the first player stands: the eye, and pitch, yaw and roll in degrees."""
        view = c.bsp_view()
        native.loaded().bsp_view_start(self.map, ctypes.byref(view))
        return np.array(getattr(view, "from")), np.array(view.angles)


def placed(place):
    """The matrix of a bsp_placement: where the library puts the origin and the ends of three unit vectors."""
    points = (c.c_float * 3 * 4)((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    for point in points:
        native.loaded().bsp_placement_point(ctypes.byref(place), point, point)
    at = np.array(points, np.float64)
    matrix = np.eye(4)
    matrix[:3, 3] = at[0]
    matrix[:3, :3] = (at[1:] - at[0]).T
    return matrix


def triangles(indices):
    """Rows of three, without those that name a vertex twice: Blender takes these for damage."""
    rows = indices.reshape(-1, 3)
    whole = (rows[:, 0] != rows[:, 1]) & (rows[:, 1] != rows[:, 2]) & (rows[:, 2] != rows[:, 0])
    return rows[whole], whole
