# SPDX-License-Identifier: MIT
"""Writes bspkit/_generated.py: the constants and enumerations of the library, the arrays of a map as
properties with their comments, and the comments of functions, all out of the description of the
headers (scripts/bindings.py)."""
import json
import keyword
import pathlib
import textwrap

FLAGS = ("bsp_load_mask", "bsp_surface_bits", "bsp_vtf_flags")  # enumerations whose values are bits


def class_name(name):
    return "".join(word.capitalize() for word in name.removeprefix("bsp_").split("_"))


def shared_prefix(names):
    """What all names begin with, up to an underscore."""
    first = names[0]
    for end in range(len(first), 0, -1):
        if first[end - 1] == "_" and all(name.startswith(first[:end]) for name in names):
            return first[:end]
    return ""


def docstring(text, indent):
    lines = textwrap.wrap(text.replace("\\", "\\\\"), 96 - len(indent)) or ["(without a comment)"]
    return "\n".join([f'{indent}"""{lines[0]}', *(indent + line for line in lines[1:])]) + '"""\n'


def sentence(comment):
    """A comment of the headers as a sentence; those of several end in a full stop already."""
    return comment[0].upper() + comment[1:].removesuffix(".") + "."


def enumeration(name, of):
    values = of["values"]
    prefix = shared_prefix([value["name"] for value in values]) if len(values) > 1 else "BSP_"
    kind = "IntFlag" if name in FLAGS else "IntEnum"
    text = f"class {class_name(name)}({kind}):\n{docstring(of['doc'], '    ')}"
    for value in values:
        short = value["name"][len(prefix):]
        short = short + "_" if keyword.iskeyword(short) or short[0].isdigit() else short
        note = f"  #: {value['doc']}" if value["doc"] else ""
        text += f"    {short} = {value['value']}{note}\n"
    return text


def array(of, structs):
    """The property of an array, with what is said of the members of its elements."""
    element = of["element"]["name"]
    text = docstring(f"{sentence(of['doc'])} A read-only array of {element}.", " " * 8)[:-4] + "\n"
    for member in structs.get(element, {"members": []})["members"]:
        note = textwrap.wrap(f"{member['name']}: {member['doc']}", 84, subsequent_indent=" " * 4)
        text += "".join(f"\n            {line}" for line in note) if member["doc"] else ""
    text = text.rstrip() + '"""\n'
    return (f"    @property\n    def {of['name']}(self) -> NDArray[Any]:\n{text}"
            f"        return self._array({of['name']!r})\n")


def view(of):
    return (f"    @property\n    def {of['name']}(self) -> NDArray[np.uint8]:\n"
            f"{docstring(sentence(of['doc']) + ' Bytes.', ' ' * 8)}"
            f"        return self._view({of['name']!r})\n")


def texts(of):
    return (f"    @property\n    def {of['name']}(self) -> list[str]:\n"
            f"{docstring(sentence(of['doc']), ' ' * 8)}"
            f"        return self._texts({of['name']!r})\n")


# Structs whose members become properties. What has no count of its own has that of another member.
HOLDERS = ("bsp_scene", "bsp_model_mesh", "bsp_model_info", "bsp_physics", "bsp_portals", "bsp_vis",
           "bsp_relight")
COUNTED_AS = {"weights": "num_vertices", "vertex_numbers": "num_vertices", "choices": "num_body_parts", "list": "count",
              "leaf_clusters": "num_leaves"}


def named(array_name):
    """What the names of an array's elements are called."""
    return (array_name[:-1] if array_name.endswith("s") else array_name) + "_names"


def member_property(member, members, structs):
    """The property of a member: a number, a text, an array; nothing for what is private or counts."""
    name, type_ = member["name"], member["type"]
    kind = type_["kind"]
    doc = sentence(member["doc"] or name)
    if kind == "scalar" and name.removeprefix("num_") in members - {name}:
        return ""  # how many an array has
    if kind == "scalar":
        python = {"bool": "bool", "float": "float", "double": "float"}.get(type_["name"], "int")
        return one_property(name, python, doc, f"{python}(self._member({name!r}))")
    if kind == "enum":
        of = class_name(type_["name"])
        return one_property(name, of, doc, f"{of}(self._member({name!r}))")
    if kind == "struct" and type_["name"] == "bsp_text":
        return one_property(name, "str", doc, f"self._text({name!r})")
    if kind in ("struct", "array"):
        return one_property(name, "Any", doc, f"self._value({name!r})")
    count = COUNTED_AS.get(name, f"num_{name}")
    if kind != "pointer" or count not in members:
        return ""
    element = type_["to"]
    if element.get("name") == "bsp_pak_change":
        return ""  # files: _bake.py has them
    if element.get("name") == "bsp_text":
        return one_property(name, "list[str]", doc, f"self._texts({name!r}, {count!r})")
    out = one_property(name, "NDArray[Any]", doc, f"self._array({name!r}, {count!r})")
    within = structs.get(element.get("name"), {"members": []})["members"]
    if any(one["name"] == "name" and (one["type"].get("name") == "bsp_text" or one["type"]["kind"] == "pointer")
           for one in within):
        out += "\n" + one_property(named(name), "list[str]", f"The name of each of `{name}`.",
                                   f"self._names({name!r}, {count!r})")
    return out


def one_property(name, type_, doc, value):
    return (f"    @property\n    def {name}(self) -> {type_}:\n{docstring(doc, ' ' * 8)}"
            f"        return {value}\n")


def holder(name, structs):
    members = {member["name"] for member in structs[name]["members"]}
    properties = [member_property(member, members, structs) for member in structs[name]["members"]]
    return (f"class {class_name(name)}Members(Held):\n{docstring(structs[name]['doc'], '    ')}\n"
            + "\n".join(text for text in properties if text))


HELD = '''class Held:
    """What the members of a struct are read by."""

    def _member(self, name: str) -> Any:
        raise NotImplementedError

    def _text(self, name: str) -> str:
        raise NotImplementedError

    def _value(self, name: str) -> Any:
        raise NotImplementedError

    def _array(self, name: str, count: str) -> NDArray[Any]:
        raise NotImplementedError

    def _texts(self, name: str, count: str) -> list[str]:
        raise NotImplementedError

    def _names(self, name: str, count: str) -> list[str]:
        raise NotImplementedError
'''


def write(description, target):
    api = json.loads(pathlib.Path(description).read_text())
    parts = ['# SPDX-License-Identifier: MIT\n# Made by generate.py out of the C headers.\n'
             'from __future__ import annotations\n\n'
             'from enum import IntEnum, IntFlag\nfrom typing import Any\n\n'
             'import numpy as np\nfrom numpy.typing import NDArray\n']
    parts += [f"{name.removeprefix('BSP_')} = {macro['value']}\n" for name, macro in api["macros"].items()
              if isinstance(macro["value"], (int, float))]
    parts += ["\n\n" + enumeration(name, of) for name, of in api["enums"].items()]
    held = api["map"]
    arrays = list({of["name"]: of for of in held["arrays"]}.values())  # some have rows for two tables
    parts.append("\n\nclass MapArrays:\n    \"\"\"What a map holds, by the manifest of the library.\"\"\"\n\n"
                 "    def _array(self, name: str) -> NDArray[Any]:\n        raise NotImplementedError\n\n"
                 "    def _view(self, name: str) -> NDArray[np.uint8]:\n        raise NotImplementedError\n\n"
                 "    def _texts(self, name: str) -> list[str]:\n        raise NotImplementedError\n\n")
    parts.append("\n".join([array(of, api["structs"]) for of in arrays] + [view(of) for of in held["views"]] +
                           [texts(of) for of in held["names"]]))
    parts.append("\n\n" + HELD + "".join("\n\n" + holder(name, api["structs"]) for name in HOLDERS))
    names = [of["name"] for of in arrays]
    parts.append(f"\n\nARRAYS = {tuple(names)!r}\n")
    docs = {name: of["doc"] for name, of in api["functions"].items()}
    parts.append(f"FUNCTIONS: dict[str, str] = {json.dumps(docs, indent=0)}\n")
    pathlib.Path(target).write_text("".join(parts))
