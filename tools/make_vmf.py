#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the editor source of the Source sample: the lobby of make_maps.py as a .vmf.

    make_vmf.py [samples folder]

What only Source has is added: a displacement, static props, an overlay, a cubemap, connections
between entities. Only the Python standard library is used. Hammer opens the written file.
"""
import math
import os
import sys

from make_maps import (BASIN_SLIME, BUTTON, DOOR, GLASS, GRATE, HALL_BUTTON, HINT, SPINNER, TRIGGER,
                       box, details, face_axes, number, shell)

MATERIALS = {"brick": "LOBBY/BRICK1", "floor": "LOBBY/FLOOR1", "ceil": "LOBBY/CEIL1",
             "trim": "LOBBY/TRIM1", "stone": "LOBBY/STONE1", "step": "LOBBY/STEP1",
             "crate": "LOBBY/CRATE1", "door": "LOBBY/DOOR1", "water": "LOBBY/WATER1",
             "slime": "LOBBY/SLIME1", "grate": "LOBBY/GRATE1", "glass": "LOBBY/GLASS1",
             "button": "LOBBY/BUTTON0", "lamp": "LOBBY/LAMP0", "hill": "LOBBY/HILL1",
             "sky": "TOOLS/TOOLSSKYBOX", "clip": "TOOLS/TOOLSCLIP",
             "trigger": "TOOLS/TOOLSTRIGGER", "hint": "TOOLS/TOOLSHINT",
             "skip": "TOOLS/TOOLSSKIP", "origin": "TOOLS/TOOLSORIGIN",
             "nodraw": "TOOLS/TOOLSNODRAW"}

COLOURS = {"sky": "0 128 255", "water": "64 128 192", "slime": "96 160 32", "clip": "200 60 160"}


class Writer:
    def __init__(self):
        self.lines, self.depth, self.ids = [], 0, 0
        self.sides = {}  # (note of a solid, normal) -> id of its side

    def next_id(self):
        self.ids += 1
        return self.ids

    def open(self, name):
        tabs = "\t" * self.depth
        self.lines += [tabs + name, tabs + "{"]
        self.depth += 1

    def close(self):
        self.depth -= 1
        self.lines.append("\t" * self.depth + "}")

    def key(self, key, value):
        self.lines.append("\t" * self.depth + f'"{key}" "{value}"')

    def block(self, name, pairs):
        self.open(name)
        for key, value in pairs:
            self.key(key, value)
        self.close()

    # -----------------------------------------------------------------------------------------

    def side(self, solid, n, points, material, disp):
        self.open("side")
        number_of_side = self.next_id()
        self.sides[(solid.note, n)] = number_of_side
        self.key("id", number_of_side)
        self.key("plane", " ".join("(%d %d %d)" % p for p in points))
        self.key("material", MATERIALS[material])
        x, y, turn, sx, sy = solid.align
        s, t = face_axes(n)
        c, d = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        u = tuple(p * c + q * d for p, q in zip(s, t))
        v = tuple(q * c - p * d for p, q in zip(s, t))
        for key, axis, shift, scale in (("uaxis", u, x, sx), ("vaxis", v, y, sy)):
            axis = " ".join(number(k) for k in axis)
            self.key(key, f"[{axis} {number(shift)}] {number(scale)}")
        self.key("rotation", number(turn))
        self.key("lightmapscale", 16)
        self.key("smoothing_groups", 1 if "column" in solid.note and n[2] == 0 else 0)
        if disp is not None and n == (0, 0, 1):
            disp(self)
        self.close()

    def solid(self, solid, disp=None):
        self.open("solid")
        self.key("id", self.next_id())
        for n, points, material in solid.sides():
            self.side(solid, n, points, material, disp)
        self.block("editor", [("color", COLOURS.get(solid.material, "0 180 160")),
                              ("comments", solid.note), ("visgroupshown", 1),
                              ("visgroupautoshown", 1)])
        self.close()

    def entity(self, note, pairs, solids=(), connections=()):
        self.open("entity")
        self.key("id", self.next_id())
        for key, value in pairs:
            self.key(key, value)
        if connections:
            self.block("connections", connections)
        for solid in solids:
            self.solid(solid)
        self.block("editor", [("color", "220 30 220"), ("comments", note), ("visgroupshown", 1),
                              ("visgroupautoshown", 1)])
        self.close()


# ---------------------------------------------------------------------------------------------
# The hill: a displacement of power 3, flat along its rim.

HILL = box("hill in the hall", 624, -64, -80, 720, 16, -64, "nodraw", top="hill")


def hill(w):
    count = 9

    def height(row, column):
        x, y = row / (count - 1), column / (count - 1)
        bump = 16 * x * (1 - x) * y * (1 - y)
        return round(40 * bump * (0.75 + 0.25 * math.cos(3 * x + 2 * y)), 3)

    def rows(name, value):
        w.open(name)
        for row in range(count):
            w.key(f"row{row}", " ".join(value(row, column) for column in range(count)))
        w.close()

    w.open("dispinfo")
    for key, value in (("power", 3), ("startposition", "[624 -64 -64]"), ("flags", 0),
                       ("elevation", 0), ("subdiv", 0)):
        w.key(key, value)
    rows("normals", lambda r, c: "0 0 1" if height(r, c) else "0 0 0")
    rows("distances", lambda r, c: number(height(r, c)))
    rows("offsets", lambda r, c: "0 0 0")
    rows("offset_normals", lambda r, c: "0 0 1")
    rows("alphas", lambda r, c: number(round(6 * height(r, c))))
    w.open("triangle_tags")
    for row in range(count - 1):
        w.key(f"row{row}", " ".join(["9"] * 2 * (count - 1)))
    w.close()
    w.block("allowed_verts", [("10", " ".join(["-1"] * 10))])
    w.close()


# ---------------------------------------------------------------------------------------------
# Entities.

def origin(x, y, z):
    return ("origin", f"{x} {y} {z}")


def light(w, note, place, colour, *more):
    w.entity(note, [("classname", "light")] + list(more) +
             [("_light", colour), ("_lightHDR", "-1 -1 -1 1"), ("_lightscaleHDR", 1),
              ("_constant_attn", 0), ("_linear_attn", 0), ("_quadratic_attn", 1), origin(*place)])


def world(w):
    w.open("world")
    for key, value in (("id", w.next_id()), ("mapversion", 1), ("classname", "worldspawn"),
                       ("detailmaterial", "detail/detailsprites"), ("detailvbsp", "detail.vbsp"),
                       ("maxpropscreenwidth", -1), ("skyname", "lobby"),
                       ("message", "The lobby: a sample map of bspkit")):
        w.key(key, value)
    for _, solids in shell():
        for solid in solids:
            w.solid(solid)
    w.solid(BASIN_SLIME)
    w.solid(HINT)
    w.solid(HILL, hill)
    w.close()


def brush_entities(w):
    w.entity("columns and crate: solid, but they cut no rooms apart",
             [("classname", "func_detail")], details())
    w.entity("grate across the skylight, and glass screen: seen through",
             [("classname", "func_detail")], [GRATE, GLASS])
    w.entity("door of the corridor: slides up, opened by the button or by the trigger",
             [("classname", "func_door"), ("targetname", "corridor_door"), ("movedir", "-90 0 0"),
              ("speed", 100), ("wait", 4), ("lip", 8), ("spawnflags", 1024),
              origin(336, 128, 48)], [DOOR])
    w.entity("the button in the lobby opens the door",
             [("classname", "func_button"), ("movedir", "0 0 0"), ("lip", 4), ("wait", 2),
              ("spawnflags", 1025), origin(252, 120, 56)], [BUTTON],
             [("OnPressed", "corridor_door,Open,,0,-1")])
    w.entity("the button in the hall switches the light over the pool",
             [("classname", "func_button"), ("movedir", "0 180 0"), ("lip", 4), ("wait", 2),
              ("spawnflags", 1025), origin(436, -8, -8)], [HALL_BUTTON],
             [("OnPressed", "pool_light,Toggle,,0,-1"), ("OnPressed", "pool_light,Toggle,,5,-1")])
    w.entity("whoever comes from the hall opens the door",
             [("classname", "trigger_multiple"), ("spawnflags", 1), ("wait", 4),
              ("StartDisabled", 0), origin(336, 72, 48)], [TRIGGER],
             [("OnStartTouch", "corridor_door,Open,,0,-1")])
    w.entity("beam that turns about its pivot",
             [("classname", "func_rotating"), ("spawnflags", 1), ("maxspeed", 40),
              ("fanfriction", 20), ("angles", "0 0 0"), origin(128, 128, 140)], SPINNER)


def lights(w):
    light(w, "light in the lobby: steady, warm", (128, 192, 112), "255 224 176 220")
    light(w, "light in the corridor: flickers", (336, 192, 72), "208 224 255 150", ("style", 10))
    light(w, "light at the stair: steady", (400, 64, 72), "255 240 208 150")
    light(w, "light over the pool: switched by the button in the hall", (640, 96, 64),
          "144 208 255 260", ("targetname", "pool_light"))
    w.entity("lamp that points down into the pool",
             [("classname", "light_spot"), ("angles", "-90 0 0"), ("pitch", -90),
              ("_inner_cone", 20), ("_cone", 40), ("_exponent", 1), ("_constant_attn", 0),
              ("_linear_attn", 0), ("_quadratic_attn", 1), ("_light", "255 255 224 300"),
              ("_lightHDR", "-1 -1 -1 1"), ("_lightscaleHDR", 1), origin(688, 160, 128)])
    w.entity("the sun, through the skylight",
             [("classname", "light_environment"), ("angles", "0 60 0"), ("pitch", -70),
              ("_light", "255 248 224 200"), ("_ambient", "160 192 255 60"),
              ("_lightHDR", "-1 -1 -1 1"), ("_lightscaleHDR", 1),
              ("_ambientHDR", "-1 -1 -1 1"), ("_AmbientScaleHDR", 1), ("SunSpreadAngle", 0),
              origin(608, 96, 192)])


def prop(w, note, model, place, angles, skin, solid):
    w.entity(note, [("classname", "prop_static"), ("model", model), ("angles", angles),
                    ("skin", skin), ("solid", solid), ("fademindist", -1), ("fademaxdist", 0),
                    ("fadescale", 1), ("lightmapresolutionx", 32), ("lightmapresolutiony", 32),
                    ("disableshadows", 0), origin(*place)])


def point_entities(w):
    w.entity("the player starts in the lobby, looking north",
             [("classname", "info_player_start"), ("angles", "0 90 0"), origin(128, 32, 1)])
    w.entity("start of a multi-player game, in the hall",
             [("classname", "info_player_deathmatch"), ("angles", "0 45 0"),
              origin(464, -32, -63)])
    lights(w)
    w.entity("what the metal of the lobby mirrors",
             [("classname", "env_cubemap"), ("cubemapsize", 4), origin(128, 112, 80)])
    sides = [w.sides[(note, (0, 0, 1))] for note in ("floor, east of the basin",
                                                     "floor, south of the basin")]
    w.entity("arrow on the lobby's floor, over the joint of two brushes",
             [("classname", "info_overlay"), ("material", "lobby/sign1"),
              ("sides", " ".join(str(s) for s in sides)), ("RenderOrder", 0),
              ("StartU", 0), ("EndU", 1), ("StartV", 0), ("EndV", 1),
              ("BasisOrigin", "104 112 0"), ("BasisU", "1 0 0"), ("BasisV", "0 1 0"),
              ("BasisNormal", "0 0 1"), ("uv0", "-24 -24 0"), ("uv1", "-24 24 0"),
              ("uv2", "24 24 0"), ("uv3", "24 -24 0"), ("fademindist", -1), ("fademaxdist", 0),
              origin(104, 112, 0)])
    prop(w, "urn in the lobby", "models/lobby/urn.mdl", (232, 232, 0), "0 45 0", 0, 6)
    prop(w, "urn beside the pool, of another skin", "models/lobby/urn.mdl", (736, 16, -64),
         "0 90 0", 1, 6)
    w.entity("health beside the pool",
             [("classname", "item_healthkit"), ("angles", "0 0 0"), origin(600, -16, -60)])


def make(root):
    w = Writer()
    w.block("versioninfo", [("editorversion", 400), ("editorbuild", 8000), ("mapversion", 1),
                            ("formatversion", 100), ("prefab", 0)])
    w.block("visgroups", [])
    w.block("viewsettings", [("bSnapToGrid", 1), ("bShowGrid", 1), ("bShowLogicalGrid", 0),
                             ("nGridSpacing", 16), ("bShow3DGrid", 0)])
    world(w)
    brush_entities(w)
    point_entities(w)
    w.open("cameras")
    w.key("activecamera", 0)
    w.block("camera", [("position", "[32 32 128]"), ("look", "[128 128 64]")])
    w.close()
    w.block("cordon", [("mins", "(-1024 -1024 -1024)"), ("maxs", "(1024 1024 1024)"),
                       ("active", 0)])
    path = os.path.join(root, "source/lobby.vmf")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="\n") as f:
        f.write("\n".join(w.lines) + "\n")


def main():
    make(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../samples"))


if __name__ == "__main__":
    main()
