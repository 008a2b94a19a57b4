"""Runs the commands of docs/analysis.md, and compares their output with what it shows."""

import os
import re
import subprocess
import sys
import tempfile

from service import TOP

PROGRAMS = {"": ["bash", "-ec"], "python": [sys.executable, "-c"], "r": ["Rscript", "-e"]}


def blocks():
    """The commands of the page, each with its language and output; a last line `...` stands for any rest."""
    with open(f"{TOP}/docs/analysis.md", encoding="utf-8") as file:
        page = file.read()
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        if language:
            printed = re.findall(r"\)\s*# (.*)$", block, re.MULTILINE)
            assert printed, block
            yield language, block, printed
            continue
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = step.rstrip("\n").split("\n")
            # A command goes on while a quotation is open.
            end = next(end for end in range(1, len(lines) + 1) if "\n".join(lines[:end]).count('"') % 2 == 0)
            yield "", "\n".join(lines[:end]), lines[end:]


def analysis(world):
    """The commands of docs/analysis.md print what it shows."""
    folder = tempfile.mkdtemp(dir=world.folder)
    os.mkdir(f"{folder}/my-data")
    os.link(world.backup, f"{folder}/my-data/cerca.sqlite")
    environment = {**os.environ, "PATH": f"{os.path.dirname(world.service.program)}:{os.environ['PATH']}"}
    count = 0
    for language, command, expected in blocks():
        run = subprocess.run([*PROGRAMS[language], command], cwd=folder, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, f"{command}\n{run.stderr}"
        printed = [line.rstrip() for line in run.stdout.splitlines()]
        if expected[-1:] == ["..."]:
            assert len(printed) > len(expected), f"{command}\nprinted only {printed}"
            expected, printed = expected[:-1], printed[:len(expected) - 1]
        assert printed == expected, f"{command}\nprinted {printed}\nnot {expected}"
        count += 1
    assert count >= 12, count
    return f"{count} commands"
