# SPDX-License-Identifier: MIT
"""Writes the public headers as a module for Python's ctypes, for programs that bring a Python of their own:
read by bindings.py. A class for each struct with the members and comments that the header has, the
constants, and the types of all functions, which `declare` gives to a library that was loaded."""
import textwrap

SCALARS = {"bool": "c_bool", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "float": "c_float",
           "double": "c_double", "size_t": "c_size_t",
           **{f"{sign}int{8 * size}_t": f"c_{sign}int{8 * size}" for sign in ("", "u") for size in (1, 2, 4, 8)}}


def is_run(struct):
    """Characters that have a length, and so no NUL: ctypes must not read them as C strings."""
    return {"data", "size"} <= {member["name"] for member in struct["members"]}


def written(type_, run=False):
    """The type in ctypes. `run`: characters are an address."""
    kind = type_["kind"]
    if kind == "scalar":
        return SCALARS.get(type_["name"], "None")
    if kind == "enum":
        return "c_int"
    if kind == "array":
        return f"{written(type_['of'])} * {type_['length']}"
    if kind == "function":
        types = [type_["returns"], *(parameter["type"] for parameter in type_["parameters"])]
        return f"CFUNCTYPE({', '.join(written(one) for one in types)})"
    if kind != "pointer":
        return type_["name"]
    to = type_["to"]
    if to["kind"] == "scalar" and to["name"] in ("void", "char"):
        return "c_char_p" if to["name"] == "char" and not run else "c_void_p"
    if to.get("name", "").startswith("struct "):
        return "c_void_p"  # a struct that the headers do not define
    return written(to) if to["kind"] == "function" else f"POINTER({written(to)})"


def documented(text, indent="    "):
    if not text:
        return ""
    lines = textwrap.wrap(text.replace("\\", "\\\\"), 100 - len(indent))
    return "\n".join([f'{indent}"""{lines[0]}', *(indent + line for line in lines[1:])]) + '"""\n'


def write_struct(name, struct):
    out = [f"{name}._fields_ = ["]
    for member in struct["members"]:
        note = f"  # {member['doc']}" if member["doc"] else ""
        out.append(f"    ({member['name']!r}, {written(member['type'], is_run(struct))}),{note}")
    return "\n".join(out) + "\n]\n"


def write_function(name, function):
    if function.get("variadic"):
        return ""
    takes = ", ".join(written(parameter["type"]) for parameter in function["parameters"])
    return (f"    library.{name}.argtypes = [{takes}]\n"
            f"    library.{name}.restype = {written(function['returns'])}\n")


def write(api, ordered):
    """The module. `ordered` lists the structs, each after those that it holds."""
    out = ['# SPDX-License-Identifier: MIT\n"""Made by scripts/bindings.py out of the public headers of bspkit."""\n'
           "from ctypes import *  # noqa: F403\n\n"]
    version = tuple(api["macros"][f"BSP_VERSION_{part}"]["value"] for part in ("MAJOR", "MINOR", "PATCH"))
    out.append(f"VERSION = {version}\n")
    out += [f"{name} = {macro['value']}\n" for name, macro in api["macros"].items()
            if isinstance(macro["value"], (int, float))]
    for enum in api["enums"].values():
        out += [f"{value['name']} = {value['value']}" + (f"  # {value['doc']}" if value["doc"] else "") + "\n"
                for value in enum["values"]]
    for name in [*api["opaque"], *ordered]:
        doc = documented(api["structs"].get(name, {"doc": ""})["doc"])
        out.append(f"\n\nclass {name}(Structure):\n{doc or '    pass' + chr(10)}")
    out.append("\n\n")
    for name, callback in api["callbacks"].items():
        out.append(f"{name} = {written(callback['type']['to'])}\n")
    out += [write_struct(name, api["structs"][name]) for name in ordered]
    out.append("\n\ndef declare(library):\n" + documented("Gives all functions of a loaded library their types."))
    out += [write_function(name, function) for name, function in api["functions"].items()]
    return "".join(out)
