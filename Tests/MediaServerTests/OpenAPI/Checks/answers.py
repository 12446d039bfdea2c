"""Compares the OpenAPI document with itself and with answers of a server.

answers.py DOCUMENT            the document is valid, and so are its examples
answers.py DOCUMENT ANSWERS    each answer (one JSON object per line) is one that the document describes

For clients every object of the document is open: keys may be added. Here objects are closed, so that a key which
nobody described is found. Prints one line for each difference, and exits with 1 if there is one.
"""

import json
import re
import sys

import jsonschema
import openapi_spec_validator


def closed(schema):
    """A copy of a schema whose objects have no other keys than those that are described."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        copy.setdefault("additionalProperties", False)
    return copy


class Document:
    def __init__(self, path):
        with open(path) as file:
            self.json = json.load(file)
        self.components = {"schemas": closed(self.json["components"]["schemas"])}
        self.problems = []

    def resolve(self, value):
        while "$ref" in value:
            target = self.json
            for name in value["$ref"].removeprefix("#/").split("/"):
                target = target[name]
            value = target
        return value

    def check(self, value, schema, where):
        whole = {"components": self.components, "allOf": [schema]}
        validator = jsonschema.Draft202012Validator(whole)
        for error in validator.iter_errors(value):
            error = jsonschema.exceptions.best_match([error])
            path = "/".join(str(part) for part in error.absolute_path)
            self.problems.append(f"{where}: {path}: {error.message[:300]}")

    def check_document(self):
        openapi_spec_validator.validate(self.json)
        for name, schema in self.json["components"]["schemas"].items():
            for example in self.examples_of_schema(schema):
                self.check(example, {"$ref": f"#/components/schemas/{name}"}, f"example of {name}")
        for name, parameter in self.json["components"]["parameters"].items():
            if "example" in parameter:
                self.check(parameter["example"], parameter["schema"], f"example of the parameter {name}")
        for where, media in self.media_types():
            for example in self.examples(media):
                self.check(example, media["schema"], f"example of {where}")

    @staticmethod
    def examples_of_schema(schema):
        return schema.get("examples", [])

    def examples(self, media):
        values = [media["example"]] if "example" in media else []
        return values + [self.resolve(value)["value"] for value in media.get("examples", {}).values()]

    def media_types(self):
        for name, response in self.json["components"]["responses"].items():
            for kind, media in response.get("content", {}).items():
                yield f"{name} {kind}", media
        for path, item in self.json["paths"].items():
            for method, operation in item.items():
                if method == "parameters":
                    continue
                parts = [operation.get("requestBody", {})] + list(operation["responses"].values())
                for part in parts:
                    for kind, media in self.resolve(part).get("content", {}).items():
                        yield f"{method} {path} {kind}", media

    def item(self, path):
        for template, item in self.json["paths"].items():
            if re.fullmatch(re.sub(r"\\{[^/]+?\\}", "[^/]+", re.escape(template)), path):
                return template, item
        return None, None

    def check_answer(self, answer):
        method, path = answer["method"].lower(), answer["target"].split("?")[0]
        where = f"{answer['method']} {answer['target']} {answer['status']}"
        template, item = self.item(path)
        if item is None:
            self.problems.append(f"{where}: no such path")
            return
        # Every GET has a HEAD, as the document says at its beginning.
        operation = item.get(method) or (item.get("get") if method == "head" else None)
        if operation is None:
            allowed = {name.upper() for name in item if name != "parameters"}
            if "GET" in allowed:
                allowed.add("HEAD")
            fields = {name.lower(): value for name, value in answer["fields"].items()}
            if answer["status"] != 405:
                self.problems.append(f"{where}: {template} has no such method")
            elif set(fields.get("allow", "").split(", ")) != allowed:
                self.problems.append(f"{where}: Allow is {fields.get('allow')}, not {sorted(allowed)}")
            return
        response = operation["responses"].get(str(answer["status"]))
        if response is None:
            self.problems.append(f"{where}: {template} does not have this status")
            return
        response = self.resolve(response)
        fields = {name.lower(): value for name, value in answer["fields"].items()}
        for name, header in response.get("headers", {}).items():
            if name.lower() in fields:
                schema = self.resolve(header)["schema"]
                value = fields[name.lower()]
                if schema.get("type") == "integer" and re.fullmatch("[0-9]+", value):
                    value = int(value)
                self.check(value, schema, f"{where}: {name}")
        if method == "head" or answer["bytes"] == 0:
            return
        kind = fields.get("content-type", "none").split(";")[0]
        content = response.get("content", {})
        media = content.get(kind) or content.get("*/*")
        if media is None:
            self.problems.append(f"{where}: {template} does not have the type {kind}")
        elif "body" in answer:
            self.check(answer["body"], media["schema"], where)


def main(path, answers=None):
    document = Document(path)
    if answers is None:
        document.check_document()
    else:
        with open(answers) as file:
            for line in file:
                document.check_answer(json.loads(line))
    print("\n".join(document.problems), end="\n" if document.problems else "")
    return 1 if document.problems else 0


sys.exit(main(*sys.argv[1:]))
