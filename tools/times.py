#!/usr/bin/env python3
"""The costs of builds and tests, for tools/test.

summary [N]       seconds of each part of the last run, and of its N slowest suites (10)
build COMMAND...  runs a build, then prints the compiler's seconds of a core by module
changed           reads file names and prints a regular expression of the suites that test them
"""
import collections, json, os, pathlib, re, subprocess, sys, time

TOP = pathlib.Path(__file__).resolve().parent.parent
RECORDS = TOP / ".build/test-times"


def table(title, rows):
    print(f"{'seconds':>8}  {title}")
    for name, seconds in rows:
        print(f"{seconds:8.1f}  {name}")
    print()


def summary(count):
    parts = [line.split(" ", 1) for line in (RECORDS / "parts").read_text().splitlines()]
    table("part", [(name, float(seconds)) for seconds, name in parts])
    table("suite", suites().most_common(count))


def suites():
    """Seconds by suite: the sum over its tests, which run one after the other."""
    seconds = collections.Counter()
    for file in RECORDS.glob("*.ndjson"):
        for line in file.open():
            event = json.loads(line)["payload"]
            sign = {"testStarted": -1, "testEnded": 1}.get(event.get("kind"))
            if sign and "/" in event.get("testID", ""):
                seconds[event["testID"].split("/")[0]] += sign * event["instant"]["absolute"]
    return seconds


def build(command):
    """Samples the processor time of all compiler processes, which is exact to a fifth of a second each."""
    running = subprocess.Popen(command)
    seen = {}
    while running.poll() is None:
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                arguments = (process / "cmdline").read_text().split("\0")
                if module := module_of(arguments):
                    fields = (process / "stat").read_text().rpartition(") ")[2].split()
                    seen[process.name, fields[19]] = module, int(fields[11]) + int(fields[12])
            except (OSError, UnicodeDecodeError):
                continue  # The process has ended.
        time.sleep(0.2)
    seconds = collections.Counter()
    for module, ticks in seen.values():
        seconds[module] += ticks / os.sysconf("SC_CLK_TCK")
    table("module", [("all", sum(seconds.values()))] + seconds.most_common(40))
    sys.exit(running.returncode)


def module_of(arguments):
    program = pathlib.PurePath(arguments[0]).name
    if program == "swift-frontend" and "-module-name" in arguments:
        return arguments[arguments.index("-module-name") + 1]
    if program.startswith("clang") and "-c" in arguments:
        package = re.search(r"/checkouts/([^/]+)/", " ".join(arguments))
        return f"C of {package[1]}" if package else "C of Cerca"
    return "linking" if re.fullmatch(r"ld.*|clang.*", program) else None


def changed(paths):
    """Suites in the files, and those of the same module and room as the files they test."""
    tests = {str(file.relative_to(TOP)): re.findall(r"\b(?:struct|class|enum) (\w+Tests)\b", file.read_text())
             for file in TOP.glob("Tests/*/**/*.swift")}
    names = set()
    for path in paths:
        names.update(*[suites for file, suites in tests.items() if concerns(pathlib.PurePath(path), file)])
    if names:
        print(rf"\.({'|'.join(sorted(names | {'HouseTests'}))})/")


def concerns(path, test):
    """Whether a test file tests a file that changed."""
    match path.parts:
        case ["Package.swift"] | ["Tests", "TestSupport", *_] | ["Sources", "Laws", *_]: return True
        case ["Tests", *_]: return test == str(path) or path.stem == "Support" and test.startswith(f"{path.parent}/")
        case ["Sources", module, name]: return test.startswith(f"Tests/{module}Tests/")
        case ["Sources", _, room, *_]: return f"/{room}/" in test or pathlib.PurePath(test).name.startswith(path.stem)
        case _: return False


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["summary"]: summary(10)
        case ["summary", count]: summary(int(count))
        case ["build", *command]: build(command)
        case ["changed"]: changed(sys.stdin.read().split())
        case _: sys.exit(__doc__)
