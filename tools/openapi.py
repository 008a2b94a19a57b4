"""Reads what /openapi.json says, and checks messages by it."""

import json
import re

import jsonschema
from openapi_spec_validator import validate


class Document:
    """An OpenAPI document, which is valid."""

    def __init__(self, text):
        self.document = json.loads(text)
        validate(self.document)
        self.paths = [(path.split("/"), operations) for path, operations in self.document["paths"].items()]
        self.schemas = {}

    @property
    def names(self):
        return [f"{method.upper()} {'/'.join(path)}" for path, operations in self.paths for method in operations]

    def operation(self, method, path):
        """The operation that a request asks for; None for none. A word goes before a name for anything."""
        parts = path.split("?")[0].split("/")
        fitting = [(own, operations) for own, operations in self.paths
                   if (len(own) == len(parts) or own[-1] == "{rest}" and len(own) < len(parts))
                   and all(a == b or a.startswith("{") for a, b in zip(own, parts))]
        if not fitting:
            return None
        own, operations = min(fitting, key=lambda one: [part.startswith("{") for part in one[0]])
        return operations.get("get" if method == "HEAD" else method.lower())

    def validator(self, schema):
        """What checks values, strictly: an answer may have no members that are not described."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self.schemas:
            whole = {**strict(schema), "components": strict(self.document["components"])}
            self.schemas[key] = jsonschema.Draft202012Validator(
                whole, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
        return self.schemas[key]

    def faults(self, method, path, status, media_type, body):
        """What of an answer is not as the document says."""
        operation = self.operation(method, path)
        if operation is None:
            return [] if status in ("404", "405") else [f"{method} {path} is not described"]
        response = operation["responses"].get(status)
        if response is None:
            return [f"{method} {path}: status {status} is not described: {body[:300]}"]
        if method == "HEAD" or not body and "content" not in response:
            return []
        content = response.get("content", {}).get(media_type)
        if content is None:
            return [f"{method} {path}: {status} with {media_type} is not described"]
        # The record contains only the beginning of a long response.
        if not media_type.endswith("json") or media_type.endswith("x-ndjson") or re.search(r"bytes, SHA-256 \w+$", body):
            return []
        # Random texts and numbers are not recorded.
        value = json.loads(body.replace('"…"', '"drawn"').replace(':…', ':1'))
        return [f"{method} {path}: {status} {error.json_path}: {error.message[:300]}"
                for error in self.validator(content["schema"]).iter_errors(value)]


def strict(schema):
    """The schema, in which objects have no members but those that are named."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    own = {name: strict(value) for name, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema and "additionalProperties" not in schema:
        own["additionalProperties"] = False
    return own
