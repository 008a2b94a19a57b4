"""Checks the Python and the JavaScript client against the real service: see tools/python-client, which runs this."""

import argparse
import asyncio
import io
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing
from contextlib import closing

import cerca_client
from cerca_client import AsyncCerca, Cerca, CercaError, Retries, _described, to_geodataframe

from analysis import analysis
from service import TOP, Service
from wire import Wire

# The seconds after which a check has failed; all take less than ten.
LONGEST = 120
WEB = f"{TOP}/Sources/PageFiles/web"


def expect(holds, found):
    assert holds, found


def refused(call, *arguments, error=CercaError, **named):
    """The error of a call, which must fail."""
    try:
        call(*arguments, **named)
    except error as found:
        return found
    raise AssertionError(f"{arguments} was not refused")


def run(*command, **options):
    """The output of a command, which must succeed."""
    ended = subprocess.run(command, capture_output=True, text=True, **options)
    expect(ended.returncode == 0, ended.stdout + ended.stderr)
    return ended.stdout


def complete(world):
    """Each endpoint of the description can be called in both languages."""
    document = json.loads(world.service.run("openapi"))
    names = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    with open(f"{WEB}/client.d.ts", encoding="utf-8") as file:
        typescript = set(re.findall(r'^  "([A-Z]+ /[^"]*)": \{$', file.read(), re.MULTILINE))
    expect(names == typescript, names ^ typescript)
    for described in (_described.Described, _described.AsyncDescribed):
        python = set()
        for method in ("get", "post", "put", "patch", "delete"):
            for one in typing.get_overloads(getattr(described, method)):
                path = re.search("Literal..(.*).]", one.__annotations__["path"])[1]
                python.add(f"{method.upper()} {path}")
        # Files have functions of their own.
        python |= {name for name in names if re.search("/(imports|exports)/", name)}
        expect(names == python, names ^ python)
    return f"{len(names)} endpoints"


def types(world):
    """mypy and tsc find nothing in the clients, nor in the examples, and refuse wrong calls."""
    with open(f"{world.folder}/page.py", "w", encoding="utf-8") as file:
        file.write(example("python"))
    run("mypy", "--strict", "--config-file", f"{TOP}/clients/python/pyproject.toml", "--cache-dir", f"{TOP}/.build/mypy",
        f"{TOP}/clients/python/src/cerca_client", f"{TOP}/tools/client_types.py", f"{world.folder}/page.py")
    for name in ("client.js", "client.d.ts"):
        shutil.copy(f"{WEB}/{name}", world.folder)
    shutil.copy(f"{TOP}/tools/client_types.ts", world.folder)
    with open(f"{world.folder}/page.mts", "w", encoding="utf-8") as file:
        file.write("declare const process: { env: Record<string, string | undefined> };\n"
                   + example("javascript").replace("./client.mjs", "./client.js"))
    run("tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom",
        "--moduleResolution", "node", "client_types.ts", "page.mts", cwd=world.folder)
    return "2 languages"


def pages(world):
    """Iterators return all items of all pages, with asyncio too."""
    expected = json.loads(f"[{','.join(world.service.run('export', 'places', '--url', world.service.url).splitlines())}]")
    expect(len(expected) > 1000, len(expected))
    ids = [place["id"] for place in world.cerca.items("/v1/places", limit=100)]
    expect(sorted(ids) == sorted(place["id"] for place in expected), "every place once")

    async def read():
        async with AsyncCerca(world.service.url, token=world.token) as cerca:
            return [place["id"] async for place in cerca.items("/v1/places", limit=100)]

    expect(asyncio.run(read()) == ids, "the same order")
    table = to_geodataframe(world.cerca.items("/v1/places", category="shoes"))
    expect(len(table) == 300 and table.geometry.notna().all() and table.crs.to_epsg() == 4326, table)
    empty = to_geodataframe([{"id": "a"}, {"id": "b", "lat": 1.0, "lon": 2.0}])
    expect([point and (point.x, point.y) for point in empty.geometry] == [None, (2.0, 1.0)], empty)
    return f"{len(ids)} places"


def files(world):
    """An export is downloaded in pieces, and imported again."""
    export = b"".join(world.cerca.download("/v1/exports/{kind}", kind="places", accept="text/csv"))
    report = world.cerca.upload("/v1/imports/{kind}", iter([export[:999], export[999:]]), "text/csv", kind="places")
    expect(report["rows"] == len(export.strip().splitlines()) - 1 and not report["refused_count"], report)
    error = refused(world.cerca.upload, "/v1/imports/{kind}", b"id\n", "image/png", kind="places")
    expect(error.code == "unsupported_media_type", error)
    return f"{report['rows']} rows"


def retries(world):
    """Repeatable requests are sent again within bounds, and others are not."""
    def at(fault, **options):
        return Cerca(f"{world.wire.url}/{fault}", token=world.token, **options)

    place = {"kind": "bar", "name": "Once"}
    made = at("lost.a").post("/v1/places", place)
    keys = [request["idempotency-key"] for request in world.wire.seen["lost.a"]]
    expect(len(keys) == 2 and keys[0] == keys[1] and len(keys[0]) == 32, keys)
    expect([one["id"] for one in world.cerca.items("/v1/places", kind="bar", q="once")] == [made["id"]], "one place")
    report, = at("lost.b").send_batches([{"person": "ana", "lat": 39.9, "lon": -0.4}])
    expect(report["verdicts"] == ["duplicate"], report)
    error = refused(at("lost.c").post, "/v1/people/{id}/devices", {"id": "phone"}, id="ana")
    expect(error.status is None and error.is_transient and len(world.wire.seen["lost.c"]) == 1, error)
    error = refused(at("lost.d").request, "PUT", "/v1/people/{id}", {}, headers={"If-None-Match": "*"}, id="zoe")
    expect(error.status is None and len(world.wire.seen["lost.d"]) == 1, error)
    begun = time.monotonic()
    at("busy-1.a").get("/v1/places/{id}", id=made["id"])
    expect(1 <= time.monotonic() - begun < 5, "Retry-After is respected")
    begun = time.monotonic()
    error = refused(at("busy-31.a").get, "/v1/places/{id}", id=made["id"])
    expect(error.retry_after == 31 and time.monotonic() - begun < 1, error)
    nothing = Cerca("http://127.0.0.1:1", retries=Retries(first=0.01))
    expect("No complete answer was received" in str(refused(nothing.get, "/livez")), "nothing listens")

    async def lost():
        async with AsyncCerca(f"{world.wire.url}/lost.e", token=world.token) as cerca:
            return await cerca.get("/v1/places/{id}", id=made["id"])

    expect(asyncio.run(lost())["id"] == made["id"] and len(world.wire.seen["lost.e"]) == 2, "asyncio too")
    return "8 faults"


def events(world):
    """Events continue where the stream broke, none lost and none twice."""
    start = world.cerca.get("/v1/events", limit=1000).get("cursor")
    names = [f"event-{number}" for number in range(3)]
    stream = Cerca(f"{world.wire.url}/cut.a", token=world.token).events(type="place.created", after=start)
    messages, found = iter(stream), []
    for name in names:
        world.cerca.put("/v1/places/{id}", {"kind": "bar", "name": name}, id=name)
        found.append(next(messages).data["place"])
    expect(found == names, found)
    seen = [request.get("last-event-id") for request in world.wire.seen["cut.a"]]
    expect(seen[0] == start and len(seen) >= 2 and seen[1] not in (None, start), seen)

    async def first():
        async with AsyncCerca(f"{world.wire.url}/cut.b", token=world.token) as cerca:
            found = []
            async for message in cerca.events(type=["place.created"], after=start):
                found.append(message.data["place"])
                if len(found) == len(names):
                    return found

    expect(asyncio.run(first()) == names, "asyncio too")
    followed = iter(world.cerca.follow("/v1/places", kind="bar", q="event"))
    types = [next(followed).type for _ in range(4)]
    expect(types == ["reset", "put", "put", "put"], types)
    return f"{len(seen)} streams"


def secrets(world):
    """The token reaches no other origin, no plain connection to another machine, no log, and no error."""
    log = io.StringIO()
    logging.basicConfig(level=logging.DEBUG, stream=log, force=True)
    cerca = Cerca(f"{world.wire.url}/moved.a", token=world.token)
    error = refused(cerca.get, "/v1/places", q="secret-word")
    expect(error.status == 307 and world.wire.elsewhere == [], error)
    wrong = refused(world.cerca.get, "/v1/people/{id}", id="no-such-person")
    lost = refused(Cerca("http://127.0.0.1:1", token=world.token, retries=Retries(1)).get, "/v1/places", q="secret-word")
    shown = [f"{one!r} {one} {vars(one)} {one.__cause__} {one.__context__}" for one in (error, wrong, lost)]
    for text in [repr(cerca), str(vars(cerca)), log.getvalue(), *shown]:
        expect(world.token not in text and "secret-word" not in text.replace(log.getvalue(), ""), text[:2000])
    expect("127.0.0.1" in log.getvalue(), "the log was written")
    logging.basicConfig(level=logging.WARNING, force=True)
    for url in ("http://cerca.example", "http://128.0.0.1", "http://localhost.example"):
        expect("plain http" in str(refused(Cerca, url, token="secret", error=ValueError)), url)
    for url in ("https://user:word@cerca.example", "ftp://cerca.example", "cerca.example", "https://cerca.example?a=b"):
        expect("word" not in str(refused(Cerca, url, error=ValueError)), url)
    for url in ("http://[::1]:1", "http://localhost", "https://cerca.example"):
        Cerca(url, token="secret")
    Cerca("http://cerca.example", token="secret", cleartext=True)
    bad = refused(Cerca(world.service.url, token="secret\nword").get, "/livez", error=ValueError)
    expect("secret" not in str(bad), bad)
    for id in ("", ".", ".."):
        refused(world.cerca.delete, "/v1/people/{id}", id=id, error=ValueError)
    expect(len(re.findall("=", cerca_client._calls._target("/v1/{id}", {"id": "a/b?c=d", "q": "e&f=g"}))) == 1, "quoted")
    return "3 errors"


def javascript(world):
    """The same of the JavaScript client, in node."""
    shutil.copy(f"{TOP}/tools/clients.mjs", world.folder)
    world.save_module(world.folder)
    said = run("node", "clients.mjs", world.service.url, world.wire.url, world.token, cwd=world.folder)
    expect(world.wire.elsewhere == [], world.wire.elsewhere)
    return said.strip()


def example(language):
    """The example of docs/clients.md in a language."""
    with open(f"{TOP}/docs/clients.md", encoding="utf-8") as file:
        return "\n".join(re.findall(rf"```{language}\n(.*?)```", file.read(), re.DOTALL))


def tutorial(world):
    """The commands and examples of docs/clients.md run, and print what their comments say."""
    with open(f"{TOP}/docs/clients.md", encoding="utf-8") as file:
        commands = re.findall(r"^\$ (.*)$", file.read(), re.MULTILINE)
    count = 0
    for language, program, comment in [("python", "python page", "#"), ("javascript", "node page.mjs", "//")]:
        folder = tempfile.mkdtemp(dir=world.folder)
        keys = {"CERCA_KEY_FILE": f"{folder}/keys.json"}
        world.service.run("token", "--new-key", keys["CERCA_KEY_FILE"])
        os.mkdir(f"{folder}/data")
        with closing(Service(world.service.program, folder, keys)) as service:
            code, *typed = [text.replace("http://127.0.0.1:8080", service.url) for text in [example(language), *commands]]
            if not world.is_served:
                shutil.copy(f"{WEB}/client.js", f"{folder}/client.mjs")
                typed = [line for line in typed if not line.startswith("curl")]
            with open(f"{folder}/{program.split()[1]}", "w", encoding="utf-8") as file:
                file.write(code)
            expected = re.findall(rf"(?:print|console\.log)\(.*\);?\s*{comment} (.*)$", code, re.MULTILINE)
            expect(len(expected) >= 7, expected)
            path = f"{os.path.dirname(world.service.program)}:{os.environ['PATH']}"
            printed = run("bash", "-ec", "\n".join([*typed, program]), cwd=folder, env={**os.environ, "PATH": path})
            expect(printed.splitlines() == expected, f"{language} printed\n{printed}instead of\n{expected}")
            count += len(expected)
    return f"{count} answers"


class World:
    """The service with the sample data, and a broken connection to it."""

    def __init__(self, service, folder, is_served):
        self.service, self.folder = service, folder
        self.token = service.run("token", "--sub", "backend", "--scope", "service")
        service.environment["CERCA_TOKEN"] = self.token
        self.backup = f"{folder}/backup.sqlite"
        service.run("backup", self.backup, "--data", service.data)
        self.cerca = Cerca(service.url, token=self.token)
        self.wire = Wire(service.url)
        self.is_served = is_served

    def save_module(self, folder):
        """Saves the JavaScript client as node names it."""
        for name, saved in [("client.js", "client.mjs"), ("client.d.ts", "client.d.ts")]:
            shutil.copy(f"{WEB}/{name}", f"{folder}/{saved}")
            with open(f"{WEB}/{name}", "rb") as file:
                expect(not self.is_served or self.service.request("GET", f"/{name}") == file.read(), f"/{name} is the file")


def end(*_):
    raise AssertionError(f"no end after {LONGEST} s")


def main():
    signal.signal(signal.SIGALRM, end)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=f"{TOP}/.build/release/cerca")
    parser.add_argument("--only", metavar="CHECK", help="one check")
    parser.add_argument("--web", action="store_true", help="reads /client.js from the sources, so that it needs no build")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        settings = {"CERCA_KEY_FILE": f"{folder}/keys.json"}
        subprocess.run([program, "token", "--new-key", settings["CERCA_KEY_FILE"]], check=True, capture_output=True)
        with closing(Service(program, folder, settings)) as service:
            world = World(service, folder, not options.web)
            with closing(world.wire):
                checks = [complete, types, pages, files, retries, events, secrets, javascript, tutorial, analysis]
                for check in [one for one in checks if options.only in (None, one.__name__)]:
                    begun = time.monotonic()
                    # A stream that does not continue would wait forever.
                    signal.alarm(LONGEST)
                    said = check(world)
                    signal.alarm(0)
                    print(f"{check.__name__}: {check.__doc__} ({said}, {time.monotonic() - begun:.1f} s)", flush=True)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"{error}")
