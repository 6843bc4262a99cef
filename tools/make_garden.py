#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the editor source of the second Source sample: a garden, with what stands in Source maps beyond
brushes and static props: detail props, ropes, particles, sounds and a projector, which name each other.

    make_garden.py [samples folder]

Only the Python standard library is used. Hammer opens the written file.
"""
import os
import sys

from make_maps import box
from make_vmf import MATERIALS, Writer, light, origin, prop

WALLS = [
    box("ground", -16, -16, -16, 272, 272, 0, "nodraw", top="grass"),
    box("sky", -16, -16, 160, 272, 272, 176, "sky"),
    box("south wall", -16, -16, 0, 272, 0, 160, "brick"),
    box("north wall", -16, 256, 0, 272, 272, 160, "brick"),
    box("west wall", -16, 0, 0, 0, 256, 160, "brick"),
    box("east wall", 256, 0, 0, 272, 256, 160, "brick"),
]
POSTS = [box("post of the rope, west", 60, 124, 0, 68, 132, 96, "crate"),
         box("post of the rope, east", 188, 124, 0, 196, 132, 96, "crate")]
# Tufts stand in rows that are not straight; every third is of the high kind.
TUFTS = [(24 + 26 * column + 7 * (row % 3), 20 + 34 * row + 5 * (column % 4)) for row in range(7) for column in range(8)]


def tuft(w, number, x, y):
    high = number % 3 == 0
    w.entity("tuft of grass", [
        ("classname", "prop_detail_sprite"), ("detailOrientation", number % 3), ("angles", f"0 {number * 37 % 360} 0"),
        ("position_ul", "-8 24" if high else "-8 12"), ("position_lr", "8 0"), ("tex_ul", "0 0" if high else "32 32"),
        ("tex_size", "32 64" if high else "32 32"), ("tex_total_size", "64 64"), origin(x, y, 0)])


def rope(w, name, after, place, **keys):
    w.entity("end of a rope", [("classname", "move_rope" if after else "keyframe_rope"), ("targetname", name)] +
             ([("NextKey", after)] if after else []) +
             [("RopeMaterial", "lobby/cable1"), ("Width", 2), ("Subdiv", 2), ("Type", 0), ("TextureScale", 1),
              ("Slack", keys.get("slack", 60)), origin(*place)])


def entities(w):
    w.entity("the player starts at the south wall", [("classname", "info_player_start"), ("angles", "0 90 0"),
                                                     origin(128, 24, 1)])
    w.entity("posts", [("classname", "func_detail")], POSTS)
    light(w, "lamp on the east post", (192, 128, 112), "255 224 176 200")
    w.entity("the sun", [("classname", "light_environment"), ("angles", "0 60 0"), ("pitch", -60),
                         ("_light", "255 248 224 200"), ("_ambient", "160 192 255 60"), ("_lightHDR", "-1 -1 -1 1"),
                         ("_lightscaleHDR", 1), ("_ambientHDR", "-1 -1 -1 1"), ("_AmbientScaleHDR", 1),
                         ("SunSpreadAngle", 0), origin(128, 128, 150)])
    prop(w, "urn at the wall", "models/lobby/urn.mdl", (232, 232, 0), "0 45 0", 0, 6)
    for place, angles in (((40, 200, 0), "0 0 0"), ((72, 216, 0), "0 60 0")):
        w.entity("urn as a detail", [("classname", "prop_detail"), ("model", "models/lobby/urn.mdl"), ("angles", angles),
                                     origin(*place)])
    for number, (x, y) in enumerate(TUFTS):
        tuft(w, number, x, y)
    rope(w, "line_west", "line_east", (64, 128, 92))
    rope(w, "line_east", None, (192, 128, 92))
    rope(w, "bell_rope", "bell_end", (128, 252, 150), slack=20)
    rope(w, "bell_end", None, (128, 200, 96))
    w.entity("smoke of a fire that is out", [
        ("classname", "env_smokestack"), ("targetname", "smoke"), ("InitialState", 1), ("SmokeMaterial", "particle/smoke"),
        ("BaseSpread", 8), ("JetLength", 64), origin(200, 60, 0)])
    w.entity("leaves that fall", [("classname", "info_particle_system"), ("targetname", "leaves"), ("effect_name", "garden_leaves"),
                                  ("start_active", 1), ("cpoint1", "smoke"), origin(128, 128, 140)])
    w.entity("wind", [("classname", "ambient_generic"), ("targetname", "wind"), ("message", "garden/wind.wav"), ("radius", 600),
                      ("health", 10), ("spawnflags", 1), origin(16, 128, 120)])
    w.entity("what a garden sounds like", [("classname", "env_soundscape"), ("soundscape", "garden.day"), ("radius", 300),
                                           ("position0", "wind"), origin(128, 128, 64)])
    w.entity("shadow of a tree that is not there", [
        ("classname", "env_projectedtexture"), ("texturename", "lobby/grate1"), ("lightfov", 60), ("farz", 300),
        ("angles", "60 0 0"), origin(32, 32, 150)])
    w.entity("whoever lights the fire", [("classname", "logic_relay"), ("targetname", "fire"), origin(200, 60, 16)], (),
             [("OnTrigger", "smoke,TurnOn,,0,-1"), ("OnTrigger", "wind,StopSound,,2,-1")])


def make(root):
    MATERIALS["grass"] = "LOBBY/LAWN1"
    w = Writer()
    w.block("versioninfo", [("editorversion", 400), ("editorbuild", 8000), ("mapversion", 1),
                            ("formatversion", 100), ("prefab", 0)])
    w.open("world")
    for key, value in (("id", w.next_id()), ("mapversion", 1), ("classname", "worldspawn"),
                       ("detailmaterial", "lobby/grass1"), ("detailvbsp", "detail.vbsp"), ("skyname", "lobby"),
                       ("message", "The garden: a sample map of bspkit")):
        w.key(key, value)
    for solid in WALLS:
        w.solid(solid)
    w.close()
    entities(w)
    with open(os.path.join(root, "source/garden.vmf"), "w", newline="\n") as f:
        f.write("\n".join(w.lines) + "\n")


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../samples"))
