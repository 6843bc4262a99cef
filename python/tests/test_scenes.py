# SPDX-License-Identifier: MIT
"""Scenes, models and solids give what the command prints and exports."""
import json
import struct

import numpy as np
import pytest

import bspkit
from conftest import ROOT, SHARED, command, command_json
from test_space import lines, points

MODELS = sorted(path for path in (ROOT / "samples" / "models").rglob("*")
                if path.suffix in (".mdl", ".md2", ".md3", ".mdr", ".dkm", ".spr"))
SOURCE = ROOT / "samples" / "source" / "lobby.bsp"


def scene_of(path, **choices):
    return bspkit.open(path).map.scene([path.parent], **choices)


def exported(path, target):
    """The document of the map as a glTF."""
    command("export", path, "-o", target, "-g", path.parent, "-l", "uv")
    data = target.read_bytes()
    return json.loads(data[20:20 + struct.unpack("<I", data[12:16])[0]])


def test_instances(sample, tmp_path):
    """Instances stand where the export has their nodes, and have as many triangles, but for faces of fog."""
    scene = scene_of(sample)
    document = exported(sample, tmp_path / "out.glb")
    count = 0
    for instance, matrix in zip(scene.instances, scene.transforms):
        if instance["entity"] == bspkit.NONE or not instance["num_groups"]:
            continue
        node = document["nodes"][instance["entity"]]
        x, y, z = node.get("translation", (0, 0, 0))
        assert np.allclose(matrix[:3, 3] / 39.37, (x, -z, y), atol=1e-4)
        assert np.allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-5)
        groups = scene.mesh.groups[instance["first_group"]:][:instance["num_groups"]]
        groups = groups[~scene.materials["fog"][groups["material"]].astype(bool)]
        parts = document["meshes"][node["mesh"]]["primitives"]
        assert groups["num_indices"].sum() == sum(document["accessors"][part["indices"]]["count"] for part in parts)
        assert bool(instance["shown"])
        count += 1
    assert count >= 3
    assert len(scene.material_names) == len(scene.materials) >= len(scene.map.materials)
    assert len(scene.of_entity) == len(bspkit.open(sample).entities)


def test_props(tmp_path):
    scene = scene_of(SOURCE)
    nodes = exported(SOURCE, tmp_path / "out.glb")["nodes"]
    wanted = next(node for node in nodes if node.get("name") == "static_props")["children"]
    statics = scene.props[scene.props["kind"] == 1]
    assert len(statics) == len(wanted) > 0
    for prop, matrix, number in zip(statics, scene.prop_transforms, wanted):
        x, y, z = nodes[number]["translation"]
        assert np.allclose(matrix[:3, 3] / 39.37, (x, -z, y), atol=1e-4)
        model = scene.models[prop["model"]]
        assert model.name == nodes[number]["extras"]["model"] == model.info.name
        assert len(model.materials) == len(model.mesh.groups) > 0
    light = scene.prop_light(0, [[1, 0, 0], [0, 0, 1]])
    assert light.shape == (2, 3) and (light >= 0).all() and light.any()
    with pytest.raises(IndexError):
        scene.prop_light(len(scene.props), [0, 0, 1])


def test_missing_models():
    """Without the game's folder the models are named, and not there."""
    scene = bspkit.open(SOURCE).map.scene()
    assert scene.missing_names and not len(scene.props)
    assert len(scene_of(SOURCE).missing_names) == 0


def test_moments():
    """A key in the place of the map's own, and a style."""
    path = ROOT / "samples" / "quake" / "lobby.bsp"
    file = bspkit.open(path)
    door = next(number for number, entity in enumerate(file.entities) if entity.get("classname") == "func_door")
    moved = file.map.scene(keys={(door, "origin"): "8 16 24"})
    still = file.map.scene()
    at = moved.of_entity[door]
    assert tuple(moved.transforms[at][:3, 3] - still.transforms[at][:3, 3]) == (8, 16, 24)
    dark = file.map.scene(styles={0: 0.0})
    assert dark.lightmap.pages[0][..., :3].astype(int).sum() < still.lightmap.pages[0][..., :3].astype(int).sum()
    assert file.map.scene(full_bright=True).lightmap is None
    alone = file.map.scene(props_alone=True)
    assert alone.mesh is None and len(alone.instances) == 0


def test_pictures(sample):
    scene = scene_of(sample, pictures=True)
    textures = bspkit.open(sample).map.textures([sample.parent])
    used = np.flatnonzero(scene.materials["used"])
    assert sorted(scene.textures) == list(used) and len(used) > 3
    for number in used[used < len(textures)]:
        assert np.array_equal(scene.textures[number].image, textures[int(number)].image)


def test_solids():
    """A box that an entity shows stops what falls on it; elsewhere traces are those of the command."""
    crate = ROOT / "samples" / "models" / "source"
    map_ = bspkit.open(SOURCE).map
    entity, at = 9, np.array([336, 192, 72], np.float32)  # a light
    made = {"classname": "prop_dynamic", "model": "models/props/crate.mdl", "solid": "6"}
    scene = map_.scene([crate], keys={(entity, key): value for key, value in made.items()})
    prop = next(number for number, of in enumerate(scene.props) if of["kind"] == 0 and of["number"] == entity)
    hulls = scene.models[scene.props[prop]["model"]].mesh
    solids = scene.solids()
    assert len(solids) == 1 and len(hulls.hulls) > 0
    top = at[2] + hulls.hull_points[:, 2].max()
    hit = solids.trace(at + [0, 0, 30], at - [0, 0, 20], mask=0x2000000 | 1)[0]
    assert hit["prop"] == prop and hit["trace"]["entity"] == entity
    assert top <= hit["trace"]["end"][2] <= top + 1 / 16
    assert list(map_.trace(at + [0, 0, 30], at - [0, 0, 20])["fraction"]) == [1]
    plain = scene_of(SOURCE).solids()
    starts, ends = points(300), points(300, 2)
    told = command("query", "trace", "--props", "-g", SOURCE.parent, SOURCE, data=lines(np.hstack([starts, ends])))
    assert [np.float32(line.split()[0]) for line in told.split(b"\n")[:-1]] == list(
        plain.trace(starts, ends)["trace"]["fraction"])
    told = command("query", "sight", "--props", "-g", SOURCE.parent, SOURCE, data=lines(np.hstack([starts, ends])))
    assert [line == b"1" for line in told.split(b"\n")[:-1]] == list(plain.sight(starts, ends))


@pytest.mark.parametrize("path", MODELS, ids=[str(path.relative_to(ROOT / "samples" / "models")) for path in MODELS])
def test_models(path):
    model = bspkit.model(path)
    told = command_json("info", "--json", path)[0]
    info = model.info
    assert info.format == told["format"] and info.num_triangles == told["triangles"]
    assert info.num_vertices == told["vertices"] and info.num_bones == told["bones"]
    assert len(info.sequences) == told["sequences"] == len(info.sequence_names)
    assert len(info.materials) == told["materials"] == len(info.material_names)
    mesh = model.mesh()
    assert len(mesh.bones) == len(mesh.bone_names) == info.num_bones
    assert mesh.corners.shape == (len(mesh.indices) // 3, 3, 3) and np.isfinite(mesh.corners).all()
    if len(mesh.vertices):
        assert np.allclose(mesh.vertices["position"].min(0), mesh.mins, atol=1e-4)
        assert np.allclose(np.linalg.norm(mesh.vertices["normal"], axis=1), 1, atol=1e-3)
    if len(mesh.bones):
        assert len(mesh.weights) == len(mesh.vertices) and np.allclose(mesh.weights["weight"].sum(1), 1, atol=1e-3)
    for material, row in enumerate(info.materials):
        if row["embedded"]:
            assert model.image(material).shape[2] == 4
    with pytest.raises(IndexError):
        model.image(len(info.materials))


def test_pose():
    """Another sequence moves the vertices, and the arrays stay alive without their model."""
    path = next(path for path in MODELS if bspkit.model(path).info.num_frames > 1)
    first, later = bspkit.model(path).mesh().vertices, bspkit.model(path).mesh(frame=1).vertices
    assert not np.array_equal(first["position"], later["position"])


def test_search_model():
    search = bspkit.Search([SOURCE.parent])
    name = next(name for name in search if name.endswith(".mdl"))
    assert search.model(name).info.name == name
    with pytest.raises(bspkit.NotFoundError):
        search.model("models/none.mdl")


def test_physics():
    """What the command prints of a map of Portal 2; a map of Quake has none."""
    found = sorted((SHARED / "named").glob("aperturerise*.bsp"))
    assert len(bspkit.open(ROOT / "samples" / "quake" / "lobby.bsp").map.physics_shapes().solids) == 0
    if not found:
        pytest.skip("the shared maps are not there")
    shapes = bspkit.open(found[0]).map.physics_shapes()
    told = command_json("query", "physics", found[0])[0]
    assert len(shapes.solids) == len(told["solids"]) > 5
    assert shapes.surface_props[1:] == told["surface_props"]  # number 0 is empty
    for solid, name, one in zip(shapes.solids, shapes.surface_prop_names, told["solids"]):
        assert (solid["owner"], solid["contents"], solid["num_pieces"]) == (one["owner"], one["contents"], one["pieces"])
        assert name == one["surface_prop"]
        pieces = shapes.pieces[solid["first_piece"]:][:solid["num_pieces"]]
        assert pieces["num_indices"].sum() == 3 * one["triangles"]
        own = np.concatenate([shapes.points[of["first_point"]:][:of["num_points"]] for of in pieces])
        assert np.allclose(own.min(0), one["mins"], atol=1e-3) and np.allclose(own.max(0), one["maxs"], atol=1e-3)
