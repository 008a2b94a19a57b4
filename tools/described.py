"""Writes the parts of the clients that follow from /openapi.json, which it reads from the standard input, and the list
of the Swift client's functions, which follows from their comments:

    cerca openapi | python3 tools/described.py           compares them
    cerca openapi | python3 tools/described.py --write   writes them
"""

import json
import keyword
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON = f"{TOP}/clients/python/src/cerca_client/_described.py"
TYPES = f"{TOP}/Sources/PageFiles/web/client.d.ts"
MODULE = f"{TOP}/Sources/PageFiles/web/client.js"
SWIFT = f"{TOP}/docs/swift-client.md"
FUNCTIONS = f"{TOP}/Sources/CercaClient/Questions"
MARK = "// Made of /openapi.json by tools/described.py:\n"
# Requests that change nothing, or nothing twice, because pings have their times.
HARMLESS = ["POST /v1/pings", "POST /v1/query", "POST /v1/events/tickets"]


class Operation:
    """An operation with the schemas of its parameters, its body and its answer."""

    def __init__(self, method, path, described):
        self.method, self.path = method.upper(), path
        self.parameters = [one for one in described.get("parameters", []) if one["in"] in ("path", "query")]
        self.has_key = any(one["name"] == "Idempotency-Key" for one in described.get("parameters", []))
        taken = described.get("requestBody", {}).get("content", {})
        self.is_upload = "/imports/" in path or bool(taken) and "application/json" not in taken
        self.body = None if self.is_upload else taken.get("application/json", {}).get("schema")
        answers = [answer.get("content", {}) for status, answer in sorted(described["responses"].items())
                   if status.startswith("2")]
        self.answers = [content["application/json"]["schema"] for content in answers if "application/json" in content]
        self.is_text = not self.answers and any(answers)
        self.is_download = "/exports/" in path

    @property
    def name(self):
        return f"{self.method} {self.path}"

    @property
    def function(self):
        return "upload" if self.is_upload else "download" if self.is_download else self.method.lower()


class Language:
    """The types of one of the languages, whose subclasses have the words."""

    def __init__(self, document):
        self.operations = [Operation(method, path, described) for path, methods in sorted(document["paths"].items())
                           for method, described in methods.items()]
        self.schemas = document["components"]["schemas"]
        # The named schemas that were referred to; pages are of one generic type.
        self.used = {"Event", "Explanation", "FieldError", "Fit", "Ping", "PingReport"}

    def type(self, schema):
        if "$ref" in schema:
            name = schema["$ref"].split("/")[-1]
            item = self.page_item(self.schemas[name])
            if item is not None:
                return self.page(self.type(item))
            self.used.add(name)
            return name
        if "enum" in schema or "const" in schema:
            words = schema.get("enum", [schema.get("const")])
            return self.words([json.dumps(word) if word is not None else self.simple["null"] for word in words])
        choices = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf", [])[:1]
        if choices and "type" not in schema:
            return self.union([self.type(one) for one in choices])
        types = schema.get("type", [])
        if isinstance(types, list):
            return self.union([self.type({**schema, "type": one}) for one in types]) if types else self.anything
        if types == "array":
            return self.list(self.type(schema.get("items", {})))
        if types == "object":
            return self.object(schema)
        return self.simple[types]

    def union(self, types):
        return self.anything if self.anything in types else " | ".join(dict.fromkeys(types))

    def members(self, schema):
        """The name, the type and the presence of each member."""
        required = schema.get("required", [])
        return [(name, self.type(one), name in required) for name, one in sorted(schema["properties"].items())]

    @staticmethod
    def page_item(schema):
        """The schema of a page's items; None for another schema."""
        own = schema.get("properties", {})
        return own["items"]["items"] if "cursor" in own and "items" in own else None

    def documents(self):
        """The named schemas that were referred to, also by each other."""
        written = {}
        while self.used - written.keys():
            for name in self.used - written.keys():
                written[name] = self.document(name, self.schemas[name])
        return [text for _, text in sorted(written.items())]

    def answer(self, operation):
        return self.union([self.type(one) for one in operation.answers]) if operation.answers else (
            self.text if operation.is_text else self.nothing)


class Python(Language):
    anything, text, nothing = "Any", "str", "None"
    simple = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
    head = '''"""The endpoints and documents of the service: made of /openapi.json by tools/described.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, Unpack, overload

if TYPE_CHECKING:
    from ._clients import AsyncItems, Items

Item = TypeVar("Item")

Page = TypedDict("Page", {
    "items": "list[Item]",
    "cursor": NotRequired[str],
    "truncated": NotRequired[bool],
    "count": NotRequired[int],
    "done": NotRequired[bool],
    "for": "NotRequired[Fit]",
    "explain": "NotRequired[Explanation]",
})
'''

    def words(self, words):
        return f"Literal[{', '.join(words)}]"

    def list(self, item):
        return f"list[{item}]"

    def object(self, schema):
        value = schema.get("additionalProperties")
        return "dict[str, Any]" if "properties" in schema or not value else f"dict[str, {self.type(value)}]"

    def typed(self, name, members):
        """A TypedDict."""
        wrapped = [(own, type if is_required else f"NotRequired[{type}]") for own, type, is_required in members]
        if any(keyword.iskeyword(own) for own, _ in wrapped):
            lines = [f'    "{own}": {type!r},' for own, type in wrapped]
            return f'\n{name} = TypedDict("{name}", {{\n' + "\n".join(lines) + "\n})\n"
        return f"\nclass {name}(TypedDict):\n" + "\n".join(f"    {own}: {type}" for own, type in wrapped) + "\n"

    def document(self, name, schema):
        if "properties" in schema:
            return self.typed(name, self.members(schema))
        return f"\n{name}: TypeAlias = {self.type(schema)!r}\n"

    def page(self, item):
        return f"Page[{item}]"

    @staticmethod
    def spelled(name):
        """A parameter as Python can write it."""
        own = name.replace(".", "_")
        return own + "_" if keyword.iskeyword(own) else own

    def given(self, parameter):
        schema = parameter["schema"]
        if schema.get("type") == "object":
            return "Mapping[str, Any]"
        if schema.get("type") == "array":
            item = "str" if parameter["name"] == "fields" else self.type(schema["items"])
            return f"{item} | Sequence[{item}]"
        types = self.type(schema)
        times = "date-time" in json.dumps(schema)
        return types.replace("str", "str | datetime", 1) if times else types if "coordinates" not in json.dumps(
            schema) else "str | Mapping[str, Any]"

    def query(self, operation):
        """The name of the parameters' type and its text."""
        members = [(self.spelled(one["name"]), self.given(one), one.get("required", False))
                   for one in operation.parameters]
        name = "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z]+", operation.path.removeprefix("/v1")))
        return f"{name}{operation.method.title()}", members

    def functions(self, name, prefix, items):
        """A class with an overload of each operation."""
        yield f'\n\nclass {name}:\n    """The endpoints, by their paths."""\n'
        for method in ("get", "post", "put", "patch", "delete", "items"):
            for one in self.operations:
                answer = self.answer(one)
                if one.function != ("get" if method == "items" else method):
                    continue
                if method == "items":
                    if not answer.startswith("Page["):
                        continue
                    answer = answer.replace("Page", items, 1)
                body = f", body: {self.type(one.body)}" if one.body is not None else ""
                parameters = f", /, **parameters: Unpack[{self.names[one.name]}]" if one.parameters else ", /"
                start = "def" if method == "items" else f"{prefix}def"
                yield (f'    @overload\n    {start} {method}(self, path: Literal["{one.path}"]{body}{parameters}) -> '
                       f'{answer}: ...\n')
            if method == "items":
                yield ("\n    def items(self, path: str, /, **parameters: Any) -> Any:\n"
                       '        """Returns the items of a list, page by page as they are needed."""\n'
                       "        return self._items(path, parameters)\n")
                continue
            body = ", body: Any = None" if method in ("post", "put", "patch") else ""
            wait, passed = ("await " if prefix else ""), ("body" if body else "None")
            yield (f"\n    {prefix}def {method}(self, path: str{body}, /, **parameters: Any) -> Any:\n"
                   f'        """Sends a {method.upper()} and returns the JSON of the answer."""\n'
                   f'        return {wait}self._json("{method.upper()}", path, {passed}, parameters)\n')
        yield (f"\n    {prefix}def _json(self, method: str, path: str, body: object, parameters: Mapping[str, Any]) "
               "-> Any:\n        raise NotImplementedError\n"
               "\n    def _items(self, path: str, parameters: Mapping[str, Any]) -> Any:\n"
               "        raise NotImplementedError\n")

    def whole(self):
        names, joined = {}, set()
        self.names, queries = {}, {}
        for one in self.operations:
            name, members = self.query(one)
            if not members:
                continue
            text = self.typed("", members)
            self.names[one.name] = queries.setdefault(text, name)
            for parameter in one.parameters:
                own = parameter["name"] + (".*" if parameter["schema"].get("type") == "object" else "")
                if own != self.spelled(parameter["name"]):
                    names[self.spelled(parameter["name"])] = own
                if parameter["schema"].get("type") == "array" and parameter.get("explode") is False:
                    joined.add(own)
        yield self.head
        yield f"\n# Parameters whose name differs from the service's.\nSPELLED = {lines(names)}\n"
        yield f"\n# Parameters whose values are separated by commas.\nJOINED = {sorted(joined)!r}\n".replace("'", '"')
        yield ("\n# The requests of POST that may be sent again, with the header that makes that safe.\n"
               f"REPEATABLE = {lines(repeatable(self.operations))}\n\n")
        functions = [*self.functions("Described", "", "Items"), *self.functions("AsyncDescribed", "async ", "AsyncItems")]
        yield from self.documents()
        for text, name in queries.items():
            yield text.replace("class (", f"class {name}(").replace(' = TypedDict("",', f'{name} = TypedDict("{name}",')
        yield from functions


class TypeScript(Language):
    anything, text, nothing = "any", "string", "undefined"
    simple = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

    def words(self, words):
        return " | ".join(words)

    def list(self, item):
        return f"({item})[]" if " " in item else f"{item}[]"

    def object(self, schema):
        if "properties" not in schema:
            return f"Record<string, {self.type(schema.get('additionalProperties') or {})}>"
        return "{ " + "; ".join(self.member(*one) for one in self.members(schema)) + " }"

    @staticmethod
    def member(name, type, is_required):
        return f"{name if name.isidentifier() else json.dumps(name)}{'' if is_required else '?'}: {type}"

    def given(self, parameter):
        schema = parameter["schema"]
        if schema.get("type") == "object":
            return "Record<string, Value | Value[]>"
        if schema.get("type") == "array":
            item = "string" if parameter["name"] == "fields" else self.type(schema["items"])
            return f"{item} | {self.list(item)}"
        written = json.dumps(schema)
        return self.type(schema) + (" | Date" if "date-time" in written else " | object" if "coordinates" in written else "")

    def whole(self):
        endpoints = list(self.endpoints())
        yield from self.documents()
        yield from endpoints

    def document(self, name, schema):
        if "properties" in schema:
            return f"\nexport interface {name} {{\n" + "".join(
                f"  {self.member(*one)};\n" for one in self.members(schema)) + "}\n"
        return f"\nexport type {name} = {self.type(schema)};\n"

    def page(self, item):
        return f"Page<{item}>"

    def endpoints(self):
        yield "\n/** The parameters, the body and the answer of each endpoint. */\nexport interface Endpoints {\n"
        for one in self.operations:
            members = [self.member(p["name"], self.given(p), p.get("required", False)) for p in one.parameters]
            body = self.type(one.body) if one.body is not None else "BodyInit" if one.is_upload else "undefined"
            yield (f'  "{one.name}": {{\n    parameters: {{ {"; ".join(members)} }};\n    body: {body};\n'
                   f"    answer: {self.answer(one)};\n  }};\n")
        yield "}\n"


def repeatable(operations):
    return {one.name: "idempotency-key" if one.has_key else "" for one in operations
            if one.has_key or one.name in HARMLESS}


def lines(values):
    """A dictionary in Python, one line each."""
    return "{\n" + "".join(f"    {json.dumps(name)}: {json.dumps(value)},\n" for name, value in sorted(values.items())) + "}"


def functions():
    """The table of the Swift client's functions, each with the first sentence of its comment."""
    rows = []
    for name in sorted(os.listdir(FUNCTIONS)):
        with open(f"{FUNCTIONS}/{name}", encoding="utf-8") as file:
            declared = re.findall(r"((?: +///.*\n)+)(?: +@\w+\n)? +public func (\w+)", file.read())
        for comment, function in declared:
            words = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())
            rows.append(f"| `{function}` | {re.split(r'[.](?: |$)', words)[0]} |\n")
    return "| function | what it does |\n|---|---|\n" + "".join(rows)


def described(document):
    """The text of each file, as the description wants it."""
    python, typescript = Python(document), TypeScript(document)
    with open(TYPES, encoding="utf-8") as file:
        head = file.read().split(MARK)[0]
    with open(MODULE, encoding="utf-8") as file:
        module = re.sub(r"const keyed = .*\n", lambda _: "const keyed = " + json.dumps(sorted(
            one.path for one in python.operations if one.has_key)) + ";\n", file.read())
    with open(SWIFT, encoding="utf-8") as file:
        page = re.sub(
            r"(?s)(<!-- functions -->\n).*?(<!-- end -->\n)", lambda ends: ends[1] + functions() + ends[2], file.read())
    return {PYTHON: "".join(python.whole()), TYPES: head + MARK + "".join(typescript.whole()), MODULE: module,
            SWIFT: page}


def main():
    differing = []
    for path, text in described(json.load(sys.stdin)).items():
        with open(path, encoding="utf-8") as file:
            is_same = file.read() == text
        if not is_same and "--write" in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not is_same:
            differing.append(os.path.relpath(path, TOP))
    if differing:
        sys.exit(f"not as the program and its sources say: {', '.join(differing)}; run tools/python-client --write")


if __name__ == "__main__":
    main()
