"""Requests and their answers, as `tools/replay --write` records them in data/replay/answers.txt.

As a program it makes the examples of /openapi.json of them (tools/reference): of each operation that a name such as
`GET /v1/people/{id}` on a line of the input says, the longest answer that is short enough, and its request.
"""

import json
import os
import sys

PATH = f"{os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}/data/replay/answers.txt"
LONGEST = 900


class Recorded:
    """A request and its answer, as `tools/replay --write` records them."""

    def __init__(self, lines):
        asked = [line[2:] for line in lines if line.startswith(">")]
        answered = [line[2:] for line in lines if line.startswith("<")]
        self.caller, self.method, self.path = asked[0].split(" ", 2)
        self.headers, self.body = self.parts(asked[1:])
        self.status = answered[0]
        self.answer_headers, self.answer = self.parts(answered[1:])

    @staticmethod
    def parts(lines):
        end = lines.index("") if "" in lines else len(lines)
        # Only the beginning of a long response is recorded, possibly cut within its headers.
        headers = dict(line.split(": ", 1) for line in lines[:end] if ": " in line)
        body = lines[end + 1:] or [line for line in lines[-1:] if line.startswith("… ")]
        return headers, "\n".join(body)

    @staticmethod
    def all(path):
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file.read().split("\n") if line[:1] in (">", "<")]
        groups, previous = [], "<"
        for line in lines:
            if line[0] == ">" and previous == "<":
                groups.append([])
            groups[-1].append(line)
            previous = line[0]
        return [Recorded(group) for group in groups]

    @property
    def example(self):
        """The JSON of a good request and its answer; None for what is no example."""
        if not self.status.startswith("2") or len(self.body) + len(self.answer) > LONGEST or "…" in self.answer:
            return None
        try:
            body, answer = (json.loads(text) if text else None for text in (self.body, self.answer))
        except ValueError:
            return None
        if not body and not answer:
            return None
        media_type = self.answer_headers.get("content-type", "").split(";")[0]
        return {"status": self.status, "request": body, "type": media_type, "answer": answer}


def examples(names):
    """An example of each operation that has one, by its name."""
    found = {}
    for one in Recorded.all(PATH):
        path = one.path.split("?")[0].split("/")
        fitting = [name for name in names if fits(name.split(" ")[0], name.split(" ")[1].split("/"), one.method, path)]
        example = one.example
        if fitting and example:
            # A literal path segment takes precedence over a parameter.
            name = min(fitting, key=lambda name: [part.startswith("{") for part in name.split("/")])
            if name not in found or len(json.dumps(example)) > len(json.dumps(found[name])):
                found[name] = example
    return found


def fits(method, own, asked, path):
    return method == asked and len(own) == len(path) and all(a == b or a.startswith("{") for a, b in zip(own, path))


if __name__ == "__main__":
    json.dump(examples(sys.stdin.read().splitlines()), sys.stdout, ensure_ascii=False, indent=1)
    print()
