# SPDX-License-Identifier: MIT
"""Materials of Blender: a picture, the page of light, and the node group in which they meet."""
from typing import NamedTuple

import bpy
import numpy as np

from . import _generated as c
from .source import LIGHT_RANGE, NONE

LIGHT_UV = "Light"
COLORS = "Color"
SWITCH = "Baked light"
TRANSLUCENT = 0.6  # of liquids and translucent surfaces whose texture does not say
GAMMA = 2.2
_OLD = bpy.app.version < (4, 0, 0)


class Finish(NamedTuple):
    """What distinguishes materials."""

    material: int
    page: int = NONE
    vertex_lit: bool = False
    mixed: bool = False
    opacity: float = 1.0
    mode: int = c.BSP_LOOK_NORMAL
    unlit: bool = False
    plain: tuple = ()
    prop: bool = False


def _targa(pixels):
    """The bytes of a Targa file: Blender reads it when it shows the picture, not before."""
    height, width = pixels.shape[:2]
    head = bytes([0, 0, 2] + [0] * 9 + [width & 255, width >> 8, height & 255, height >> 8, 32, 8])
    return head + pixels[::-1, :, [2, 1, 0, 3]].tobytes()


def image(name, pixels):
    """A picture that the .blend file holds. Rows from the top, RGBA as displayed."""
    data = _targa(pixels)
    out = bpy.data.images.new(name, pixels.shape[1], pixels.shape[0], alpha=True)
    out.source = "FILE"
    out.pack(data=data, data_len=len(data))
    out.alpha_mode = "CHANNEL_PACKED"
    return out


def environment(name, sides, height=512):
    """A picture of the whole sky, as Blender's worlds have it, out of the six sides of a box."""
    found = [side for side in sides if side is not None]
    if not found:
        return None
    height = max(height, found[0].shape[0])
    yaw = np.pi - (np.arange(2 * height, dtype=np.float32) + 0.5) * (np.pi / height)
    pitch = np.pi / 2 - (np.arange(height, dtype=np.float32) + 0.5) * (np.pi / height)
    flat = np.cos(pitch)[:, None]
    x, y = flat * np.cos(yaw), flat * np.sin(yaw)
    z = np.broadcast_to(np.sin(pitch)[:, None], x.shape)
    size = np.stack([np.abs(x), np.abs(y), np.abs(z)])
    axis = size.argmax(0)
    most = size.max(0)
    out = np.zeros(x.shape + (4,), np.uint8)
    out[..., 3] = 255
    # Right and up of each side as it is seen from inside: see bsp_sky.
    right = [-y, y, x, -x, -y, -y]
    up = [z, z, z, z, -x, x]
    for number, side in enumerate(sides):
        along = (x, y, z)[number // 2]
        here = (axis == number // 2) & ((along < 0) == (number % 2 == 1))
        if side is None or not here.any():
            continue
        rows, columns = side.shape[:2]
        u = ((right[number][here] / most[here] + 1) / 2 * columns).astype(int).clip(0, columns - 1)
        v = ((1 - up[number][here] / most[here]) / 2 * rows).astype(int).clip(0, rows - 1)
        out[here] = side[v, u]
    out[..., 3] = 255
    return image(name, out)


# --- node groups ----------------------------------------------------------------------------------

def _socket(group, name, kind, inward, value=None):
    if _OLD:
        socket = (group.inputs if inward else group.outputs).new(kind, name)
    else:
        socket = group.interface.new_socket(name=name, in_out="INPUT" if inward else "OUTPUT", socket_type=kind)
    if value is not None:
        socket.default_value = value


class _Tree:
    """Nodes of a tree, added and linked by short calls."""

    def __init__(self, tree):
        self.tree = tree

    def add(self, kind, **members):
        node = self.tree.nodes.new(kind)
        for name, value in members.items():
            setattr(node, name, value)
        return node

    def link(self, source, target):
        self.tree.links.new(source, target)

    def vector(self, operation, *inputs):
        """A node of arithmetic with vectors; an input is a socket or a value."""
        return self._math("ShaderNodeVectorMath", operation, inputs)

    def number(self, operation, *inputs):
        return self._math("ShaderNodeMath", operation, inputs)

    def _math(self, kind, operation, inputs):
        node = self.add(kind, operation=operation)
        for socket, given in zip(node.inputs, inputs):
            if isinstance(given, bpy.types.NodeSocket):
                self.link(given, socket)
            else:
                socket.default_value = given
        return node.outputs[0]


def shade_group(baked):
    """The group that all materials share: Color times Light as the game shows it, or a plain surface for
    Blender's own lights. Its node "Baked light" (0 or 1) switches all of them."""
    name = "BSP light"
    if name in bpy.data.node_groups:
        group = bpy.data.node_groups[name]
        group.nodes[SWITCH].outputs[0].default_value = float(baked)
        return group
    group = bpy.data.node_groups.new(name, "ShaderNodeTree")
    _socket(group, "Color", "NodeSocketColor", True, (0.5, 0.5, 0.5, 1))
    _socket(group, "Light", "NodeSocketColor", True, (1, 1, 1, 1))
    _socket(group, "Alpha", "NodeSocketFloat", True, 1.0)
    _socket(group, "Shader", "NodeSocketShader", False)
    tree = _Tree(group)
    taken, given = tree.add("NodeGroupInput"), tree.add("NodeGroupOutput")
    switch = tree.add("ShaderNodeValue", name=SWITCH, label=SWITCH)
    switch.outputs[0].default_value = float(baked)
    glow = tree.add("ShaderNodeEmission")
    tree.link(tree.vector("MULTIPLY", taken.outputs["Color"], taken.outputs["Light"]), glow.inputs["Color"])
    surface = tree.add("ShaderNodeBsdfPrincipled")
    tree.link(taken.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = 1.0
    for dull in ("Specular", "Specular IOR Level"):
        if dull in surface.inputs:
            surface.inputs[dull].default_value = 0.0
    either = tree.add("ShaderNodeMixShader")
    tree.link(switch.outputs[0], either.inputs[0])
    tree.link(surface.outputs[0], either.inputs[1])
    tree.link(glow.outputs[0], either.inputs[2])
    covered = tree.add("ShaderNodeMixShader")
    tree.link(taken.outputs["Alpha"], covered.inputs[0])
    tree.link(tree.add("ShaderNodeBsdfTransparent").outputs[0], covered.inputs[1])
    tree.link(either.outputs[0], covered.inputs[2])
    tree.link(covered.outputs[0], given.inputs[0])
    return group


def prop_group():
    """The light on a prop: that of six sides, which each object has as properties, by the normal."""
    name = "BSP light of props"
    if name in bpy.data.node_groups:
        return bpy.data.node_groups[name]
    group = bpy.data.node_groups.new(name, "ShaderNodeTree")
    _socket(group, "Light", "NodeSocketColor", False)
    tree = _Tree(group)
    given = tree.add("NodeGroupOutput")
    normal = tree.add("ShaderNodeSeparateXYZ")
    tree.link(tree.add("ShaderNodeNewGeometry").outputs["Normal"], normal.inputs[0])
    total = None
    for axis in range(3):
        along = normal.outputs[axis]
        square = tree.number("MULTIPLY", along, along)
        ahead = tree.number("GREATER_THAN", along, 0.0)
        for side in range(2):
            share = tree.number("MULTIPLY", square, ahead if side == 0 else tree.number("SUBTRACT", 1.0, ahead))
            light = tree.add("ShaderNodeAttribute", attribute_type="OBJECT",
                             attribute_name=f"bsp_light_{2 * axis + side}")
            part = tree.vector("SCALE", light.outputs["Vector"])
            tree.link(share, part.node.inputs["Scale"])
            total = part if total is None else tree.vector("ADD", total, part)
    tree.link(total, given.inputs[0])
    return group


# --- materials ------------------------------------------------------------------------------------

class Materials:
    """The materials of one map, each made once."""

    def __init__(self, source, baked):
        self.source = source
        self.shade = shade_group(baked)
        self.pages = [image(f"light {n}", page) for n, page in enumerate(source.pages)]
        self._made, self._images = {}, {}

    def of(self, finish):
        if finish not in self._made:
            self._made[finish] = self._make(finish)
        return self._made[finish]

    def _picture(self, texture, name):
        if texture is None or not texture.found or texture.pixels is None:
            return None
        if id(texture) not in self._images:
            self._images[id(texture)] = image(name, texture.pixels)
        return self._images[id(texture)]

    def _make(self, finish):
        known = finish.material < len(self.source.materials)
        of = self.source.materials[finish.material] if known else None
        out = bpy.data.materials.new(of.name if known else "none")
        out.use_nodes = True
        out.node_tree.nodes.clear()
        tree = _Tree(out.node_tree)
        shade = tree.add("ShaderNodeGroup", node_tree=self.shade, location=(0, 0), width=180)
        alpha = self._color(tree, of, finish, shade)
        self._light(tree, of, finish, shade)
        clear = self._alpha(tree, of, finish, shade, alpha)
        surface = tree.add("ShaderNodeOutputMaterial", location=(500, 0))
        tree.link(self._over(tree, of, finish, shade), surface.inputs["Surface"])
        self._settings(out, of, clear)
        return out

    def _color(self, tree, of, finish, shade):
        """The colour; returns the socket of its alpha, or None."""
        picture = None if of is None else self._picture(of.texture, of.name)
        if finish.plain or picture is None:
            color = finish.plain or (of.color if of is not None and of.color else (0.4, 0.4, 0.4))
            shade.inputs["Color"].default_value = (*color, 1)
            return None
        first = self._texture(tree, picture, of, (-600, 200))
        color = first.outputs["Color"]
        second = self._picture(of.second, of.name + " 2") if finish.mixed else None
        if second is not None:
            other = self._texture(tree, second, of, (-600, -60))
            share = tree.add("ShaderNodeAttribute", attribute_name=COLORS, location=(-600, 420))
            mix = tree.add("ShaderNodeMixRGB", location=(-280, 200))
            tree.link(share.outputs["Alpha"], mix.inputs[0])
            tree.link(color, mix.inputs[1])
            tree.link(other.outputs["Color"], mix.inputs[2])
            color = mix.outputs[0]
        tree.link(color, shade.inputs["Color"])
        return first.outputs["Alpha"]

    @staticmethod
    def _texture(tree, picture, of, location):
        node = tree.add("ShaderNodeTexImage", image=picture, location=location)
        node.extension = "EXTEND" if of.clamp else "REPEAT"
        return node

    def _light(self, tree, of, finish, shade):
        if finish.unlit or (of is not None and of.unlit):
            return
        if finish.prop:
            light = tree.add("ShaderNodeGroup", node_tree=prop_group(), location=(-300, -200))
            tree.link(light.outputs[0], shade.inputs["Light"])
        elif finish.page < len(self.pages):
            place = tree.add("ShaderNodeUVMap", uv_map=LIGHT_UV, location=(-900, -320))
            page = tree.add("ShaderNodeTexImage", image=self.pages[finish.page], extension="EXTEND",
                            location=(-600, -320))
            tree.link(place.outputs[0], page.inputs[0])
            bright = tree.add("ShaderNodeVectorMath", operation="SCALE", location=(-280, -320))
            bright.inputs["Scale"].default_value = LIGHT_RANGE ** GAMMA
            tree.link(page.outputs["Color"], bright.inputs[0])
            tree.link(bright.outputs[0], shade.inputs["Light"])
        elif finish.vertex_lit:
            stored = tree.add("ShaderNodeAttribute", attribute_name=COLORS, location=(-280, -320))
            tree.link(stored.outputs["Color"], shade.inputs["Light"])

    @staticmethod
    def _alpha(tree, of, finish, shade, alpha):
        """How much of what is behind is covered. Returns the blend mode of Eevee."""
        mode = c.BSP_ALPHA_OPAQUE if of is None else of.alpha
        if mode == c.BSP_ALPHA_TEST and alpha is not None:
            there = tree.number("GREATER_THAN", alpha, max(of.alpha_cut - 1 / 512, 0))
            if finish.opacity < 1:
                there = tree.number("MULTIPLY", there, finish.opacity)
            tree.link(there, shade.inputs["Alpha"])
            return "CLIP" if finish.opacity >= 1 else "BLEND"
        if mode == c.BSP_ALPHA_BLEND and alpha is not None:
            tree.link(tree.number("MULTIPLY", alpha, finish.opacity), shade.inputs["Alpha"])
            return "BLEND"
        shade.inputs["Alpha"].default_value = finish.opacity
        adds = mode in (c.BSP_ALPHA_ADD, c.BSP_ALPHA_FILTER) or finish.mode == c.BSP_LOOK_ADD
        return "BLEND" if finish.opacity < 1 or adds else "OPAQUE"

    @staticmethod
    def _over(tree, of, finish, shade):
        """The shader: added to what is behind it, or multiplied with it, where the material does that."""
        mode = c.BSP_ALPHA_OPAQUE if of is None else of.alpha
        if mode == c.BSP_ALPHA_FILTER:
            clear = tree.add("ShaderNodeBsdfTransparent", location=(250, 0))
            for link in tree.tree.links:
                if link.to_socket == shade.inputs["Color"]:
                    tree.link(link.from_socket, clear.inputs[0])
            return clear.outputs[0]
        if mode == c.BSP_ALPHA_ADD or finish.mode == c.BSP_LOOK_ADD:
            total = tree.add("ShaderNodeAddShader", location=(300, 0))
            tree.link(shade.outputs[0], total.inputs[0])
            tree.link(tree.add("ShaderNodeBsdfTransparent", location=(100, -200)).outputs[0], total.inputs[1])
            return total.outputs[0]
        return shade.outputs[0]

    @staticmethod
    def _settings(out, of, blend):
        out.use_backface_culling = of is not None and not of.two_sided
        if hasattr(out, "blend_method"):
            out.blend_method = blend
        if hasattr(out, "surface_render_method"):  # 4.2 and later
            out.surface_render_method = "BLENDED" if blend == "BLEND" else "DITHERED"
        if bpy.app.version >= (3, 5, 0):
            out.cycles.emission_sampling = "NONE"  # the glow of baked light is no lamp
        else:
            out.cycles.sample_as_light = False
