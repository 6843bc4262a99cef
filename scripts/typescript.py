# SPDX-License-Identifier: MIT
"""Writes the public headers as TypeScript, for the WebAssembly build: read by bindings.py. An interface for
each struct, and beside it a table of its members with their offsets; constants; the arrays of the map;
and the functions as the module exports them."""
import re

# What a member of each type is in a table: a letter and its size; see web/lib/memory.ts.
LETTERS = {"bool": "?", "char": "b", "int": "i", "unsigned": "I", "float": "f", "double": "d", "size_t": "I",
           "int8_t": "b", "uint8_t": "B", "int16_t": "h", "uint16_t": "H", "int32_t": "i", "uint32_t": "I",
           "int64_t": "q", "uint64_t": "Q"}
OWN = {"bsp_text": ("t", "string"), "bsp_bytes": ("s", "Span")}


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def flat(type_):
    """The element of an array of arrays, and all lengths."""
    lengths = []
    while type_["kind"] == "array":
        lengths.append(type_["length"])
        type_ = type_["of"]
    return type_, lengths


def is_private(name, member):
    return name == "owner" or member["doc"].startswith("private")


def member_type(type_):
    """The letter or table of a member, and its TypeScript; the TypeScript of a pointer is None."""
    of, lengths = flat(type_)
    if of["kind"] == "scalar":
        if of["name"] == "char" and lengths:
            return "'c'", "string", lengths
        return f"'{LETTERS[of['name']]}'", "boolean" if of["name"] == "bool" else "number", lengths
    if of["kind"] == "enum":
        return "'I'", "number", lengths
    if of["kind"] == "struct":
        if of["name"] in OWN:
            letter, written = OWN[of["name"]]
            return f"'{letter}'", written, lengths
        return of["name"], camel(of["name"]), lengths
    if of["kind"] == "pointer" and of["to"].get("name") == "char":
        return "'z'", "string | null", lengths
    return "'p'", None, lengths


def comment(text, indent=""):
    return f"{indent}/** {text.replace('*/', '* /')} */\n" if text else ""


def write_struct(name, struct):
    rows, members = [], []
    for member in struct["members"]:
        if is_private(member["name"], member):
            continue
        table, written, lengths = member_type(member["type"])
        rows.append(f"[{member['name']!r}, {member['offset']}, {table}"
                    + (f", {lengths}" if lengths else "") + "]")
        if written is not None:
            depth = len(lengths) - (1 if table == "'c'" else 0)
            if depth and "|" in written:
                written = f"({written})"
            members.append(comment(member["doc"], "    ")
                           + f"    {member['name']}: {written}{'[]' * depth};\n")
    interface = f"{comment(struct['doc'])}export interface {camel(name)} {{\n{''.join(members)}}}\n"
    return (f"{interface}export const {name}: Layout<{camel(name)}> = "
            f"{{ size: {struct['size']}, members: [{', '.join(rows)}] }};\n")


def native_type(type_):
    """The type of a parameter or a result in JavaScript."""
    if type_["kind"] == "scalar":
        if type_["name"] in ("int64_t", "uint64_t"):
            return "bigint"
        return {"void": "void", "bool": "boolean | number"}.get(type_["name"], "number")
    return "number"


def write_functions(api):
    out = ["/** The functions that the module exports. Pointers and structs are addresses; a struct that is\n"
           " *  returned is written to the address that comes first. */\nexport interface Native {"]
    for name, function in api["functions"].items():
        if function["variadic"]:
            continue
        words = [f"{p['name']}: {native_type(p['type'])}" for p in function["parameters"]]
        # `in` and the like are words of the language.
        words = [re.sub(r"^(in|function|default|new):", r"\1_:", word) for word in words]
        returns = native_type(function["returns"])
        if function["returns"]["kind"] == "struct":
            words.insert(0, "returned: number")
            returns = "void"
        returns = "number" if returns == "boolean | number" else returns
        out.append(f"    _{name}({', '.join(words)}): {returns};")
    return "\n".join(out) + "\n}\n"


def write_map(api, map_):
    arrays, types = [], []
    # An array that several rows of the manifest fill is there once.
    for array in {array["name"]: array for array in map_.arrays + map_.names}.values():
        element = array["element"]
        table, written, _ = member_type(element)
        types.append(comment(array["doc"], "    ") + f"    {array['name']}: {written};\n")
        arrays.append(f"    {array['name']}: {{ at: {array['offset']}, count: {array['count_offset']}, "
                      f"size: {array['element_size']}, of: {table} }},\n")
    views = [f"    {view['name']}: {view['offset']},\n" for view in map_.views]
    return (f"/** What the arrays of an open map hold. */\nexport interface MapArrays {{\n{''.join(types)}}}\n"
            "export type MapArrayName = keyof MapArrays;\n"
            "/** Where the map has its arrays, and of what. */\n"
            "export const mapArrays: { [K in MapArrayName]: MapArray } = {\n"
            f"{''.join(arrays)}}};\n"
            f"/** Where the map has runs of bytes. */\nexport const mapViews = {{\n{''.join(views)}}} as const;\n")


def write(api, map_, order):
    """All of the module. `order` names the structs, each after those that it holds."""
    out = ["// SPDX-License-Identifier: MIT\n"
           "// Made by scripts/bindings.py out of the public headers and the manifest of the map.\n"
           "import type { Layout, MapArray, Span } from \"./memory.js\";\n"]
    for name, macro in api["macros"].items():
        if isinstance(macro["value"], int):
            value = f"{macro['value']}n" if macro["value"] >= 2**53 else str(macro["value"])
            out.append(f"export const {name} = {value};\n")
    for name, enum in api["enums"].items():
        out += [f"{comment(v['doc'])}export const {v['name']} = {v['value']};\n" for v in enum["values"]]
    out += [write_struct(name, api["structs"][name]) for name in order if name not in OWN]
    out += [write_map(api, map_), write_functions(api)]
    return "".join(out)
