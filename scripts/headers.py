# SPDX-License-Identifier: MIT
"""Reads the public headers: structs, enums, callbacks, functions, constants and their comments. A
parser for the plain C that they are written in, not for all of C: what it does not know is an error.

A type is a dictionary: {"kind": "scalar" | "struct" | "enum" | "opaque" | "callback", "name": ...},
{"kind": "pointer", "to": type}, {"kind": "array", "of": type, "length": n} or {"kind": "function",
"returns": type, "parameters": [...], "variadic": bool}; "const" is there where it is true. An array
that a parameter is declared as is a pointer with "length"."""
import re

SCALARS = ("void bool char int unsigned float double size_t int8_t uint8_t int16_t uint16_t int32_t "
           "uint32_t int64_t uint64_t").split()
TOKEN = re.compile(r'(?P<doc>///.*)|(?P<skip>//.*|\s+)|(?P<name>[A-Za-z_]\w*)|(?P<number>[\d.][\w.]*)'
                   r'|(?P<string>"[^"]*")|(?P<mark>\.\.\.|<<|>>|.)')
LIMITS = {"UINT32_MAX": 2**32 - 1, "UINT64_MAX": 2**64 - 1}


class Token:
    def __init__(self, kind, text, line, column):
        self.kind, self.text, self.line, self.column = kind, text, line, column


def expand(text, name, parameters, body):
    """Replaces each use of a macro with arguments. Arguments hold no parentheses."""
    def replace(match):
        arguments = [argument.strip() for argument in match[1].split(",")]
        assert len(arguments) == len(parameters), match[0]
        known = dict(zip(parameters, arguments))
        out = re.sub(r"\w+", lambda word: known.get(word[0], word[0]), body)
        return re.sub(r"\s*##\s*", "", out)
    return re.sub(rf"\b{name}\(([^()]*)\)", replace, text)


def macros(text, functions):
    """The text without directives, with macros with arguments expanded (those of `functions` and its
    own, which are added), and its constants as text. What stands between #if and #endif is for
    compilers, and left out; the lines stay where they are."""
    constants, kept, depth = {}, [], 0
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line, first = lines[number], number
        if line.lstrip().startswith("#"):
            while line.endswith("\\"):
                number += 1
                line = line[:-1] + lines[number]
            guard = first > 0 and re.match(r"#ifndef \w+_H$", line)
            define = re.match(r"#define (\w+)(\([^)]*\))?(.*)", re.sub(r"\s*//.*", "", line))
            if guard:
                depth -= 1  # all of the header stands in it
            if line.startswith("#if"):
                depth += 1
            elif line.startswith("#endif"):
                depth -= 1
            elif define and depth == 0 and define[2]:
                functions[define[1]] = ([p.strip() for p in define[2][1:-1].split(",")], define[3])
            elif define and depth == 0 and define[3].strip():
                constants[define[1]] = define[3].strip()
            kept += [""] * (number - first + 1)
        else:
            kept.append(line if depth == 0 else "")
        number += 1
    out = "\n".join(kept)
    for name, (parameters, body) in functions.items():
        out = expand(out, name, parameters, re.sub(r"\s+", " ", body))
    return re.sub(r"\bBSP_API\b|\bBSP_PRINTF\([^)]*\)", "", out), constants


def tokens(text):
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        for match in TOKEN.finditer(line):
            if match.lastgroup != "skip":
                out.append(Token(match.lastgroup, match[0], number, match.start()))
    return out


class Header:
    """One header, parsed into `api` (a dictionary that all headers fill)."""

    def __init__(self, name, text, api):
        self.name, self.api = name, api
        text, constants = macros(text, api["expanded"])
        self.blank = {n for n, line in enumerate(text.split("\n"), 1) if not line.strip()}
        self.tokens, self.at, self.group = tokens(text), 0, ("", 0)
        for key, value in constants.items():
            api["macros"][key] = {"text": value, "header": name}

    # --- tokens and comments --------------------------------------------------------------------

    def peek(self, skip=0):
        """The next token that is no comment."""
        at = self.at
        while at < len(self.tokens):
            if self.tokens[at].kind != "doc":
                if skip == 0:
                    return self.tokens[at]
                skip -= 1
            at += 1
        return Token("end", "", 0, 0)

    def next(self, wanted=None):
        while self.tokens[self.at].kind == "doc":
            self.take_doc()
        token = self.tokens[self.at]
        self.at += 1
        if wanted is not None and token.text != wanted:
            raise SyntaxError(f"{self.name}:{token.line}: {token.text}, not {wanted}")
        return token

    def take_doc(self):
        """Joins comments of whole lines that follow each other."""
        token = self.tokens[self.at]
        words = token.text.lstrip("/<").strip()
        if words.startswith("@file"):
            words = ""
        before, line = self.group
        self.group = (f"{before} {words}".strip() if line == token.line - 1 else words, token.line)
        self.at += 1

    def doc_before(self):
        """The comment before the next token: it speaks for what follows up to an empty line."""
        while self.at < len(self.tokens) and self.tokens[self.at].kind == "doc":
            self.take_doc()
        words, line = self.group
        here = self.peek().line
        return words if words and not any(n in self.blank for n in range(line, here)) else ""

    def doc_after(self):
        """The comment at the end of the line of the last token, and the lines that it goes on in."""
        line, words = self.tokens[self.at - 1].line, []
        column = None
        while self.at < len(self.tokens) and self.tokens[self.at].kind == "doc":
            token = self.tokens[self.at]
            first = column is None and token.line == line and token.text.startswith("///<")
            if not first and (column is None or token.line != line + 1 or token.column != column):
                break
            column, line = token.column, token.line
            words.append(token.text.lstrip("/<").strip())
            self.at += 1
        return " ".join(words)

    # --- types ----------------------------------------------------------------------------------

    def base(self):
        const, tag, words = False, False, []
        while self.peek().kind == "name":
            word = self.peek().text
            if word == "const":
                const = True
            elif word in ("struct", "enum") or not words:
                tag = tag or word == "struct"
                words = [word] if word not in ("struct", "enum") else words
            else:
                break
            self.next()
        if not words:
            raise SyntaxError(f"{self.name}:{self.peek().line}: no type")
        out = {"kind": "name", "name": words[0]}
        out.update({"const": True} if const else {}, **({"tag": True} if tag else {}))
        return out

    def declarator(self, type_):
        """Name and type of what is declared; the name may be empty."""
        while self.peek().text == "*":
            self.next()
            type_ = {"kind": "pointer", "to": type_}
            while self.peek().text == "const":
                self.next()
                type_["const"] = True
        if self.peek().text == "(" and self.peek(1).text == "*":
            self.next()
            mark, depth = self.at, 1
            while depth:
                depth += {"(": 1, ")": -1}.get(self.next().text, 0)
            outer = self.suffixes(type_)
            end, self.at = self.at, mark
            name, out = self.declarator(outer)
            self.next(")")
            self.at = end
            return name, out
        name = self.next().text if self.peek().kind == "name" else ""
        return name, self.suffixes(type_)

    def suffixes(self, type_):
        if self.peek().text == "(":
            parameters, variadic = self.parameters()
            return {"kind": "function", "returns": type_, "parameters": parameters,
                    "variadic": variadic}
        lengths = []
        while self.peek().text == "[":
            self.next()
            lengths.append(self.value("]"))
            self.next("]")
        for length in reversed(lengths):
            type_ = {"kind": "array", "of": type_, "length": length}
        return type_

    def parameters(self):
        self.next("(")
        out, variadic = [], False
        while self.peek().text != ")":
            if self.peek().text == "...":
                variadic = True
                self.next()
            else:
                name, type_ = self.declarator(self.base())
                if type_["kind"] == "array":
                    type_ = {"kind": "pointer", "to": type_["of"], "length": type_["length"]}
                out.append({"name": name, "type": type_})
            if self.peek().text == ",":
                self.next()
        self.next(")")
        if len(out) == 1 and out[0]["type"] == {"kind": "name", "name": "void"}:
            out = []
        return out, variadic

    def value(self, *ends):
        """The value of a constant expression."""
        words = []
        while self.peek().text not in ends:
            words.append(self.next().text)
        return evaluate(" ".join(words), self.api)

    # --- declarations ---------------------------------------------------------------------------

    def parse(self):
        while self.peek().kind != "end":
            doc = self.doc_before()
            alias = self.peek().text == "typedef"
            if alias:
                self.next()
            kind = self.peek().text
            if kind in ("struct", "enum") and self.peek(2).text == "{":
                self.body(kind, alias, doc)
                continue
            name, type_ = self.declarator(self.base())
            self.next(";")
            entry = {"doc": doc, "header": self.name}
            if not alias and type_["kind"] == "function":
                del type_["kind"]
                self.api["functions"][name] = dict(type_, **entry)
            elif alias and type_["kind"] == "name" and type_["name"] == name:
                self.api["opaque"][name] = entry
            elif alias and type_["kind"] in ("function", "pointer"):
                self.api["callbacks"][name] = dict(entry, type=type_)
            else:
                raise SyntaxError(f"{self.name}: what is {name}?")

    def body(self, kind, alias, doc):
        """A struct or an enum with its braces."""
        self.next()
        tag = self.next().text
        self.next("{")
        key, list_ = ("members", self.members()) if kind == "struct" else \
            ("values", self.enumerators())
        if alias:
            self.next(tag)
        self.next(";")
        self.api[kind + "s"][tag] = {"doc": doc, "header": self.name, key: list_}

    def members(self):
        out = []
        self.group = ("", 0)
        while self.peek().text != "}":
            before, line = self.doc_before(), self.peek().line
            own = self.group[1] == line - 1
            base, more = self.base(), []
            while True:
                name, type_ = self.declarator(base)
                more.append({"name": name, "type": type_})
                if self.next().text == ";":
                    break
            after = self.doc_after()
            doc = " ".join(filter(None, (before if own or not after else "", after)))
            # A pointer and its count stand on one line, which has one comment.
            for member in out:
                member["doc"] = doc if member["line"] == line else member["doc"]
            out += [dict(member, doc=doc, line=line) for member in more]
        self.next("}")
        self.group = ("", 0)
        for member in out:
            del member["line"]
        return out

    def enumerators(self):
        out, value = [], -1
        self.group = ("", 0)
        while self.peek().text != "}":
            before = self.doc_before()
            own = self.group[1] == self.peek().line - 1
            name = self.next().text
            value += 1
            if self.peek().text == "=":
                self.next()
                value = self.value(",", "}")
            if self.peek().text == ",":
                self.next()
            self.api["constants"][name] = value
            after = self.doc_after()
            doc = " ".join(filter(None, (before if own or not after else "", after)))
            out.append({"name": name, "value": value, "doc": doc})
        self.next("}")
        self.group = ("", 0)
        return out


def evaluate(text, api):
    """A constant expression of numbers, constants and operators."""
    def word(match):
        name = match[0]
        if name in LIMITS:
            return str(LIMITS[name])
        if name in api["constants"]:
            return str(api["constants"][name])
        if name in api["macros"]:
            return f"({evaluate(api['macros'][name]['text'], api)})"
        number = re.fullmatch(r"(0x[0-9A-Fa-f]+|[\d.]+?(?:e-?\d+)?)[uUlLfF]*", name)
        if not number:
            raise SyntaxError(f"{text}: {name} is not known")
        return number[1]
    plain = re.sub(r"[\w.]+", word, text)
    if not re.fullmatch(r"[0-9A-Fa-fx.e()+*/|&<> -]+", plain):
        raise SyntaxError(f"{text} is no constant")
    return eval(plain, {"__builtins__": {}})  # numbers and operators only


def resolve(type_, api):
    """Says for each name what it is."""
    if type_["kind"] == "name":
        name = type_["name"]
        for kind, key in (("struct", "structs"), ("enum", "enums"), ("opaque", "opaque"),
                          ("callback", "callbacks")):
            if name in api[key]:
                type_["kind"] = kind
        if name in SCALARS:
            type_["kind"] = "scalar"
        elif type_.pop("tag", False) and type_["kind"] == "name":  # a struct of the library's own
            type_.update(kind="opaque", name="struct " + name)
        if type_["kind"] == "name":
            raise SyntaxError(f"type {name} is not known")
    for key in ("to", "of", "returns"):
        if key in type_:
            resolve(type_[key], api)
    for parameter in type_.get("parameters", ()):
        resolve(parameter["type"], api)


def declare(type_, name=""):
    """A type as C writes it, declaring `name`."""
    kind = type_["kind"]
    if kind == "pointer":
        name = ("*const " if type_.get("const") else "*") + name
        return declare(type_["to"], f"({name})" if type_["to"]["kind"] in ("array", "function") else name)
    if kind == "array":
        return declare(type_["of"], f"{name}[{type_['length']}]")
    if kind == "function":
        parameters = [declare(p["type"], p["name"]) for p in type_["parameters"]]
        parameters += ["..."] if type_["variadic"] else []
        return declare(type_["returns"], f"{name}({', '.join(parameters) or 'void'})")
    return ("const " if type_.get("const") else "") + type_["name"] + (" " + name if name else "")


def read(folder):
    """All headers of a folder, those that others include first."""
    api = {"macros": {}, "constants": {}, "structs": {}, "enums": {}, "opaque": {}, "callbacks": {},
           "functions": {}, "expanded": {}}
    done = set()

    def visit(path):
        if path.name in done:
            return
        done.add(path.name)
        text = path.read_text()
        for name in re.findall(r'^#include "bspkit/(\w+\.h)"', text, re.M):
            visit(folder / name)
        Header(path.name, text, api).parse()

    for path in sorted(folder.glob("*.h")):
        visit(path)
    api["opaque"] = {k: v for k, v in api["opaque"].items() if k not in api["structs"]}
    for struct in api["structs"].values():
        for member in struct["members"]:
            resolve(member["type"], api)
    for callback in api["callbacks"].values():
        resolve(callback["type"], api)
    for function in api["functions"].values():
        resolve(function["returns"], api)
        for parameter in function["parameters"]:
            resolve(parameter["type"], api)
    for name, macro in api["macros"].items():
        macro["value"] = evaluate(macro["text"], api)
    return api
