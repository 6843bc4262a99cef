# SPDX-License-Identifier: MIT
"""Three tasks that chapter 11 of the guide shows beside bsp_tool and srctools: three_tasks.py MAP OUT.bsp"""
import sys

import bspkit


def lights(path):
    """Where the lights of a map stand."""
    with bspkit.open(path) as file:
        return [entity.origin for entity in file.entities.where("classname=light*")]


def triangles(path):
    """The triangles of the world's faces: an array of n, 3, 3."""
    with bspkit.open(path) as file:
        return file.map.mesh(hidden=True, sky=True, num_models=1).corners


def add_file(path, target, name, data):
    """A copy of a map of Source with one more file in its pak."""
    with bspkit.open(path).edit(to=target) as edit:
        edit.pak[name] = data


def main(path, target):
    print(f"{len(lights(path))} lights, {len(triangles(path))} triangles")
    add_file(path, target, "materials/readme.txt", b"hello")
    print(bspkit.diff(path, target))


if __name__ == "__main__":
    main(*sys.argv[1:])
