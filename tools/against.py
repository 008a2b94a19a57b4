"""Measures this program beside another one, in turns on the same machine: tools/bench against OTHER.

Both import the same files, start on what they imported and answer the same requests. Figures of CPU are the service's
alone; rates are what wrk sees beside it. Floors are SQLite with like tables, R*Tree and text index for imports, and
SwiftNIO alone for a constant answer.
"""

import argparse
import os
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNLIMITED = {f"CERCA_LIMITS_{whom}_RATE": "0" for whom in ("SERVICE", "ADDRESS", "PERSON")}
UNLIMITED["CERCA_LIMITS_WAIT_MS"] = "60000"
CONNECTIONS = 64


def cpu(process):
    """Seconds of processor that a running process took."""
    fields = open(f"/proc/{process.pid}/stat").read().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process):
    """MB that a process holds."""
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{process.pid}/status").read())[1]) / 1024


class Files:
    """CSV files of a town of random places and people."""

    def __init__(self, folder, places, people, seed=1):
        dice = random.Random(seed)
        words = ["".join(dice.choices("abcdefghijklmnoprstuvz", k=dice.randint(4, 9))) for _ in range(5000)]
        self.folder, self.counts = folder, {"people": people, "places": places}
        self.people = [(f"p{i}", dice.choice(words), dice.choice(words)) for i in range(people)]
        self.places = [(f"shop{i}", "store", f"{dice.choice(words)} {dice.choice(words)}", f"{dice.uniform(36, 43):.6f}",
                        f"{dice.uniform(-9, 3):.6f}", dice.choice(words)) for i in range(places)]
        friends = {(i, (i + dice.randint(1, 500)) % people) for i in range(people // 10) for _ in range(5)}
        friends = {tuple(sorted(pair)) for pair in friends if pair[0] != pair[1]}
        self.friends = [(f"p{a}", f"p{b}") for a, b in sorted(friends)]
        # Before the pings of tools/wire.lua.
        self.start = 1_767_398_400 - 86_400
        pings = [(f"p{i % people}", "phone", self.start + i // people * 600, round(36 + i % people * 7 / people, 6),
                  round(-9 + i // people * 0.02, 6), 10) for i in range(people * 2)]
        self.pings = pings
        for kind, head in [("people", "id,name,surname"), ("places", "id,kind,name,lat,lon,category"), ("friends", "a,b"),
                           ("pings", "person,device,t,lat,lon,accuracy_m")]:
            with open(self.path(kind), "w") as file:
                file.write(head + "\n")
                file.writelines(",".join(map(str, row)) + "\n" for row in getattr(self, kind))

    def path(self, kind):
        return f"{self.folder}/{kind}.csv"


class Program:
    """One of the programs, its data, and what was measured of it."""

    def __init__(self, name, path, folder, command="serve"):
        self.name, self.path, self.data, self.figures = name, path, f"{folder}/{name}", {}
        self.command = [path, command] + (["--data", self.data, "--port", "0"] if command == "serve" else [])
        self.environment = {**os.environ, **UNLIMITED, "CERCA_LOG_FORMAT": "text"}

    def add(self, what, value):
        self.figures.setdefault(what, []).append(value)

    def load(self, files):
        shutil.rmtree(self.data, ignore_errors=True)
        for kind in ["people", "places", "friends", "pings"]:
            began = time.monotonic()
            subprocess.run([self.path, "import", kind, files.path(kind), "--data", self.data], env=self.environment,
                           check=True, stdout=subprocess.DEVNULL)
            self.add(f"import of {kind}, rows/s", len(getattr(files, kind)) / (time.monotonic() - began))
        size = sum(entry.stat().st_size for entry in os.scandir(self.data) if entry.is_file())
        self.add("size of the data, MB", size / 1e6)

    def serve(self):
        began = time.monotonic()
        self.process = subprocess.Popen(self.command, env=self.environment, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"listening on http://127.0.0.1:(\d+)", line):
                self.port = int(found[1])
                break
        # Drains the remaining output, so that the service never blocks on the pipe.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.add("start, s", time.monotonic() - began)
        self.add("start, s of a core", cpu(self.process))

    def stop(self):
        self.add("memory, MB", memory(self.process))
        self.process.terminate()
        if self.process.wait() != 0:
            raise SystemExit(f"{self.name} stopped with {self.process.returncode}")

    def wrk(self, *arguments, connections=CONNECTIONS, seconds):
        return subprocess.Popen(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", f"{TOP}/tools/wire.lua",
             f"http://127.0.0.1:{self.port}", "--", *map(str, arguments)], stdout=subprocess.PIPE, text=True)

    def rate(self, what, run, each=1):
        """Waits for wrk, and returns requests a second."""
        before = cpu(self.process)
        output = run.communicate()[0]
        requests, seconds, _, failures, *_, refused = re.search(r"wire (.*)", output)[1].split()
        if int(failures) + int(refused) > 0:
            raise SystemExit(f"{self.name}, {what}: {failures} failures, {refused} refusals")
        count = int(requests) * each
        self.add(f"{what}, a second", count / float(seconds))
        self.add(f"{what}, us of a core", (cpu(self.process) - before) / count * 1e6)

    def ask(self, what, lines, seconds):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            self.rate(what, self.wrk("questions", file.name, seconds=seconds))


def questions(files):
    dice = random.Random(2)
    places = [f"lat={dice.uniform(36, 43):.5f}&lon={dice.uniform(-9, 3):.5f}" for _ in range(500)]
    people = [f"p{dice.randrange(len(files.people) // 10)}" for _ in range(500)]
    return {
        "constant answer": ["GET /livez"],
        "nearest 10": [f"GET /v1/places/nearest?{place}&limit=10" for place in places],
        "nearest 100": [f"GET /v1/places/nearest?{place}&limit=100" for place in places],
        "within 10 km": [f"GET /v1/places/nearest?{place}&limit=100&within_m=10000" for place in places],
        "nearest friends": [f"GET /v1/people/{person}/friends/nearest?limit=10" for person in people],
    }


def measure(program, files, seconds, only):
    program.load(files)
    program.serve()
    try:
        ask(program, files, seconds, only)
    finally:
        program.stop()
    shutil.rmtree(program.data)


def measure_bare(program, seconds):
    """Measures a constant answer of SwiftNIO alone."""
    program.serve()
    try:
        program.ask("constant answer", ["GET /livez"], seconds)
    finally:
        program.process.kill()
        program.process.wait()


def ask(program, files, seconds, only):
    for what, lines in questions(files).items():
        if only in what:
            program.ask(what, lines, seconds)
    people = min(len(files.people), 20000)
    # Each run starts at a later step of each person's path, so that every ping is stored.
    if only in "single pings":
        program.rate("single pings", program.wrk("pings", 1, people, 0, seconds=seconds))
    if only in "pings of batches":
        batches = program.wrk("pings", 100, people, 100, connections=8, seconds=seconds)
        program.rate("pings of batches", batches, each=100)
    if only:
        return
    beside = program.wrk("pings", 100, people, 2000, connections=4, seconds=seconds)
    program.ask("nearest 10 beside batches", questions(files)["nearest 10"], seconds)
    beside.communicate()
    alone, pressed = (program.figures[f"{what}, a second"][-1] for what in ("nearest 10", "nearest 10 beside batches"))
    program.add("nearest 10 beside batches, of alone", pressed / alone)


def floor(files, folder):
    """Rows a second of SQLite alone, with tables and indexes like ours but without columns that the files do not fill."""
    path = f"{folder}/floor.sqlite"
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript("""
        PRAGMA journal_mode = WAL;
        CREATE TABLE people (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER, name TEXT, surname TEXT,
            attributes TEXT CHECK (json_valid(attributes)), discoverable INTEGER);
        CREATE VIRTUAL TABLE people_text USING fts5(name, surname, content = '', detail = column, prefix = '1 2 3');
        CREATE TABLE places (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER, kind TEXT, name TEXT,
            category TEXT, tags TEXT CHECK (json_valid(tags)), attributes TEXT CHECK (json_valid(attributes)), position BLOB,
            created_ms INTEGER);
        CREATE VIRTUAL TABLE places_index USING rtree(number, xmin, xmax, ymin, ymax);
        CREATE VIRTUAL TABLE places_text USING fts5(name, address, category, tags, content = '', detail = column,
            prefix = '1 2 3');
        CREATE TABLE friendships (a INTEGER, b INTEGER, asked_by INTEGER, asked_ms INTEGER, since_ms INTEGER,
            PRIMARY KEY (a, b), CHECK (a < b)) WITHOUT ROWID;
        CREATE INDEX friendships_of_b ON friendships (b);
        """)

    def write(rows, *statements):
        began = time.monotonic()
        for start in range(0, len(rows), 1000):
            db.execute("BEGIN")
            for sql, take in statements:
                db.executemany(sql, map(take, rows[start:start + 1000]))
            db.execute("COMMIT")
        return len(rows) / (time.monotonic() - began)

    people = [(number, *row) for number, row in enumerate(files.people)]
    places = [(number, *row[:3], float(row[3]), float(row[4]), row[5]) for number, row in enumerate(files.places)]
    friends = [tuple(sorted(int(id[1:]) for id in pair)) for pair in files.friends]
    result = {
        "people": write(
            people,
            ("INSERT INTO people VALUES (?, ?, 1, ?, ?, '{}', 0)", lambda row: row),
            ("INSERT INTO people_text (rowid, name, surname) VALUES (?, ?, ?)", lambda row: (row[0], row[2], row[3]))),
        "places": write(
            places,
            ("INSERT INTO places VALUES (?, ?, 1, ?, ?, ?, '[]', '{}', zeroblob(60), 0)",
             lambda row: (row[0], row[1], row[2], row[3], row[6])),
            ("INSERT INTO places_index VALUES (?, ?, ?, ?, ?)", lambda row: (row[0], row[5], row[5], row[4], row[4])),
            ("INSERT INTO places_text (rowid, name, category) VALUES (?, ?, ?)", lambda row: (row[0], row[3], row[6]))),
        "friends": write(friends, ("INSERT INTO friendships VALUES (?1, ?2, ?1, 0, 0)", lambda row: row)),
    }
    db.close()
    os.remove(path)
    return result


def main():
    parser = argparse.ArgumentParser(prog="tools/bench against", description=__doc__.split("\n")[0])
    parser.add_argument("this", help=argparse.SUPPRESS)
    parser.add_argument("--bare", help=argparse.SUPPRESS)
    parser.add_argument("other", help="the other program, such as one built from an older commit")
    parser.add_argument("--places", type=int, default=20000)
    parser.add_argument("--people", type=int, default=40000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4, help="for how long each question is asked")
    parser.add_argument("--only", default="", help="only requests with this in their names")
    parser.add_argument("--folder", help="where the data is while it runs; a temporary folder by default")
    given = parser.parse_args()
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())[1]
    print(f"{given.places} places, {given.people} people, {given.rounds} rounds, {model}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        files = Files(folder, given.places, given.people)
        programs = [Program("other", given.other, folder), Program("this", given.this, folder)]
        bare, floors = Program("bare", given.bare, folder, "bare"), []
        for turn in range(given.rounds):
            for program in programs if turn % 2 == 0 else programs[::-1]:
                measure(program, files, given.seconds, given.only)
            measure_bare(bare, given.seconds)
            floors.append(floor(files, folder))
    medians = [{what: statistics.median(values) for what, values in program.figures.items()} for program in programs]
    print(f"{'':36} {'other':>10} {'this':>10} {'ratio':>7}   of the floor")
    for what, other in medians[0].items():
        this = medians[1][what]
        kind = re.match(r"import of (\w+)", what)
        share = kind and kind[1] in floors[0] and this / statistics.median(each[kind[1]] for each in floors)
        if what in bare.figures and what.startswith("constant"):
            share = this / statistics.median(bare.figures[what])
        print(f"{what:36} {other:10.4g} {this:10.4g} {this / other:7.2f}" + (f"   {share:.2f}" if share else ""))


if __name__ == "__main__":
    main()
