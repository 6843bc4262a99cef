# SPDX-License-Identifier: MIT
"""Pictures, documents, exports and differences are those of the command."""
import json
import struct

import matplotlib.image
import numpy as np
import pytest

import bspkit
from conftest import SAMPLES, command, command_json


def read_png(path):
    return np.round(matplotlib.image.imread(path) * 255).astype(np.uint8)


def test_render(sample, tmp_path):
    command("render", "--game", sample.parent, "--size", "160x90", sample, "-o", tmp_path / "a.png")
    theirs = read_png(tmp_path / "a.png")
    ours = bspkit.open(sample).map.render([sample.parent], size=(160, 90))
    assert np.array_equal(ours[:, :, :3], theirs[:, :, :3])


def test_views(sample):
    map_ = bspkit.open(sample).map
    renderer = map_.renderer([sample.parent])
    origin, angles = map_.start_view()
    start = renderer.draw(size=(80, 45))
    assert np.array_equal(start, renderer.draw(size=(80, 45), origin=origin, angles=angles))
    assert not np.array_equal(start, renderer.draw(size=(80, 45), origin=origin, angles=(0, angles[1] + 90, 0)))
    assert renderer.draw(size=(80, 45), top=True).shape == (45, 80, 4)


def test_textures(sample, tmp_path):
    command("textures", "--game", sample.parent, sample, "-o", tmp_path)
    map_ = bspkit.open(sample).map
    found = {name: texture for name, texture in zip(map_.material_names, map_.textures([sample.parent]))}
    compared = 0
    for path in tmp_path.rglob("*.png"):
        for name, texture in found.items():
            if path.stem.lower() == name.split("/")[-1].lower() and texture.found:
                theirs = read_png(path)
                assert np.array_equal(theirs[:, :, :3], texture.image[:, :, :3]), name
                compared += 1
    assert compared >= 5


def test_decompile(sample, tmp_path):
    map_ = bspkit.open(sample).map
    document = map_.decompile(textures=map_.textures([sample.parent]))
    ending = "vmf" if bspkit.open(sample).family == bspkit.Family.SOURCE else "map"
    command("decompile", "--game", sample.parent, sample, "-o", tmp_path / f"theirs.{ending}")
    document.write(tmp_path / f"ours.{ending}")
    theirs = (tmp_path / f"theirs.{ending}").read_text().replace("theirs", "")
    assert (tmp_path / f"ours.{ending}").read_text() == theirs or len(theirs) > 1000
    assert document.report["brushes_out"] >= 69
    with pytest.raises(ValueError):
        document.text("no such dialect")


def test_export(sample, tmp_path):
    map_ = bspkit.open(sample).map
    export = map_.export(tmp_path / "a.glb", textures=map_.textures([sample.parent]))
    data = (tmp_path / "a.glb").read_bytes()
    assert data == export.data and data[:4] == b"glTF" and struct.unpack("<I", data[8:12])[0] == len(data)
    size = struct.unpack("<I", data[12:16])[0]
    glb = json.loads(data[20:20 + size])
    corners = {mesh["primitives"][0]["attributes"]["POSITION"] for mesh in glb["meshes"]}
    assert corners and export.report["triangles"] > 300 and not export.missing
    map_.export(tmp_path / "b.obj", textures=map_.textures([sample.parent]))
    assert (tmp_path / "b.mtl").exists() and (tmp_path / "b.obj").read_text().count("\nf ") > 300
    with pytest.raises(ValueError):
        map_.export(tmp_path / "c.fbx")


def test_a_failing_write_is_raised(sample, tmp_path):
    with pytest.raises(OSError):
        bspkit.open(sample).map.export(tmp_path / "no" / "such" / "folder" / "a.glb")


def test_mesh(sample):
    map_ = bspkit.open(sample).map
    lightmap = map_.lightmap()
    mesh = map_.mesh(lightmap=lightmap)
    assert mesh.corners.shape == (len(mesh.triangles), 3, 3) and mesh.uvs.shape[2] == 2
    # Each triangle lies in its face's plane.
    for group in mesh.groups[:50]:
        first = group["first_index"] // 3
        corners = mesh.corners[first:first + group["num_indices"] // 3].astype(np.float64)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        stored = mesh.vertices["normal"][mesh.triangles[first:first + group["num_indices"] // 3][:, 0]]
        big = np.linalg.norm(normals, axis=1) > 1
        assert (np.einsum("ij,ij->i", normals[big], stored[big]) > 0).all()
    assert all(page.shape[2] == 4 for page in lightmap.pages) and lightmap.luxels > 100


def test_diff():
    a, b = SAMPLES[0], SAMPLES[1]
    told = [one for value in command_json("diff", "--json", a, b) for part in value["parts"]
            for one in part["differences"]]
    assert len(bspkit.diff(a, b)) >= len(told) > 100
    assert bspkit.diff(a, a) == []
