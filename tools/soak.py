"""Runs a service under a crowd, imports, backups and random kills, and compares what it has with what it acknowledged.

Each walker sends the next positions of its own people in the order of time, and sends what was not acknowledged again until it is.
So at any moment a person has the positions 0 to n, each once, and perhaps some of the one request that is under way.
"""
import argparse, calendar, collections, http.client, json, os, random, re, shutil, signal, socket, statistics
import subprocess, sys, tempfile, threading, time

PEOPLE, PLACES, WALKERS, START, STEP = 200, 300, 4, 1_600_000_000, 10


class Soak:
    def __init__(self, options):
        self.program, self.random = options.program, random.Random(options.seed)
        self.seconds = options.hours * 3600 + options.minutes * 60
        self.stop_limit, self.answer_limit = options.stop_limit, options.answer_limit
        self.longest_life = options.longest_life or self.seconds / 4
        self.folder = tempfile.mkdtemp(prefix="cerca-soak-")
        self.data, self.log = self.folder + "/data", self.folder + "/log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.begun = collections.Counter()  # sent positions by person
        self.done = collections.Counter()  # acknowledged positions by person
        self.counts = collections.Counter()
        self.faults, self.samples, self.slowest = [], [], 0.0
        self.times = {False: [], True: []}  # durations of writes of positions, by whether a backup ran
        self.over, self.down = threading.Event(), threading.Event()
        self.process, self.started = None, 0.0

    def fault(self, text):
        self.faults.append(text)
        print("BROKEN:", text, flush=True)

    # The service

    def start(self):
        every = max(2, min(300, int(self.seconds / 20)))
        environment = os.environ | {
            "CERCA_BACKUP_EVERY": f"{every}s", "CERCA_BACKUP_KEEP": "3", "CERCA_LIMITS_ADDRESS_RATE": "0"}
        seen = os.path.getsize(self.log) if os.path.exists(self.log) else 0
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--data", self.data, "--port", str(self.port)], stderr=log,
                stdout=subprocess.DEVNULL, env=environment)
        while True:
            with open(self.log, "rb") as log:
                log.seek(seen)
                if b"listening on" in log.read():
                    break
            if self.process.poll() is not None:
                raise SystemExit(f"the service did not start: see {self.log}")
            time.sleep(0.05)
        self.started = time.monotonic()
        self.counts["starts"] += 1
        self.down.clear()

    def ask(self, connection, method, path, body=None, kind="application/json"):
        headers = {"content-type": kind} if body is not None else {}
        asked = time.monotonic()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        self.slowest = max(self.slowest, time.monotonic() - asked)
        return answer.status, content

    def client(self, work):
        """Does something with a connection again and again, with a new one after the service was down."""
        while not self.over.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.answer_limit)
            try:
                while not self.over.is_set():
                    work(connection)
            except (OSError, http.client.HTTPException):
                # A kill or a stop; any other cause shows as a running service that does not answer.
                if not self.down.is_set():
                    self.counts["connections broken while up"] += 1
                time.sleep(0.1)
            finally:
                connection.close()

    # The clients

    def walker(self, number):
        people = range(number, PEOPLE, WALKERS)
        chance = random.Random(number)
        pending = []

        def step(connection):
            if not pending:
                person = chance.choice(people)
                count = chance.randint(1, 10)
                pending.append((person, self.begun[person], count))
                self.begun[person] += count
            person, first, count = pending[0]
            pings = [
                {"person": f"p{person}", "t": START + n * STEP, "lat": round(39 + abs(n % 100 - 50) * 1e-4, 6),
                    "lon": round(person * 1e-3, 6)} for n in range(first, first + count)]
            asked, is_backup = time.monotonic(), self.is_backup()
            status, content = self.ask(connection, "POST", "/v1/pings", json.dumps(pings))
            self.times[is_backup or self.is_backup()].append(time.monotonic() - asked)
            if status == 503:
                self.counts["refused for load"] += 1
                return time.sleep(0.2)
            verdicts = json.loads(content).get("verdicts", []) if status == 200 else []
            if len(verdicts) != count or not set(verdicts) <= {"stored", "duplicate"}:
                self.fault(f"positions {first} to {first + count} of p{person}: {status} {content[:300]}")
                self.over.set()
            self.counts["sent again and known"] += verdicts.count("duplicate")
            self.done[person] = first + count
            pending.clear()
            time.sleep(0.01)

        self.client(step)

    def is_backup(self):
        """Whether a backup is being written, or was when the service was killed."""
        try:
            return any(name.endswith(".partial") for name in os.listdir(self.data + "/backups"))
        except FileNotFoundError:
            return False

    def importer(self):
        rows = "\n".join(
            json.dumps({"id": f"place{n}", "kind": "store", "name": f"Store {n}", "lat": 39 + n * 1e-4, "lon": n * 1e-3})
            for n in range(PLACES))

        def step(connection):
            status, content = self.ask(connection, "POST", "/v1/imports/places", rows, "application/x-ndjson")
            if status == 200:
                self.counts["imports"] += 1
                self.expect(json.loads(content)["refused_count"] == 0, f"import: {content[:300]}")
            elif status != 503:
                self.fault(f"import: {status} {content[:300]}")
            self.over.wait(2)

        self.client(step)

    def reader(self):
        chance = random.Random(99)

        def step(connection):
            person = chance.randrange(PEOPLE)
            path = chance.choice(
                [f"/v1/people/p{person}/history?limit=100", f"/v1/people/p{person}?fields=id", "/v1/places/nearest?lat=39&lon=0",
                    "/v1/nearby?lat=39&lon=0.1&within_m=2000&at=2020-09-13T13:00:00Z", "/livez", "/readyz"])
            status, content = self.ask(connection, "GET", path)
            self.counts["questions"] += 1
            if status not in (200, 503):
                self.fault(f"{path}: {status} {content[:300]}")
            time.sleep(0.02)

        self.client(step)

    def expect(self, holds, text):
        if not holds:
            self.fault(text)

    # The invariants

    def run_program(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True)

    def check(self, data, when):
        result = self.run_program("check", "--data", data)
        self.expect(result.returncode == 0, f"check {when}: {result.stdout}{result.stderr}")
        return result.stdout

    def stored(self, data):
        """The numbers of the positions of each person in a folder, in their order."""
        path = self.folder + "/pings.ndjson"
        with open(path, "wb") as out:
            code = subprocess.run([self.program, "export", "pings", "--data", data], stdout=out).returncode
        self.expect(code == 0, f"export ended with {code}")
        people = collections.defaultdict(list)
        with open(path) as rows:
            for row in rows:
                ping = json.loads(row)
                moment = time.strptime(ping["t"].split(".")[0].rstrip("Z"), "%Y-%m-%dT%H:%M:%S")
                people[int(ping["person"][1:])].append((calendar.timegm(moment) - START) // STEP)
        return people

    def compare(self, data, when, least, most):
        """Each person has all positions below `least`, none from `most` on, and each once."""
        people, total = self.stored(data), 0
        for person in range(PEOPLE):
            numbers = people[person]
            total += len(numbers)
            self.expect(len(numbers) == len(set(numbers)), f"{when}: p{person} has a position twice")
            missing = set(range(least[person])) - set(numbers)
            self.expect(not missing, f"{when}: p{person} lacks {len(missing)} acknowledged positions")
            self.expect(not numbers or max(numbers) < most[person], f"{when}: p{person} has what was never sent")
        return total

    def watch(self):
        while not self.over.wait(2):
            process, age = self.process, time.monotonic() - self.started
            if self.down.is_set() or age < 10:
                continue
            try:
                with open(f"/proc/{process.pid}/status") as status:
                    memory = int(re.search(r"RssAnon:\s+(\d+)", status.read()).group(1)) / 1024
                self.samples.append((time.monotonic(), memory, len(os.listdir(f"/proc/{process.pid}/fd"))))
            except (OSError, AttributeError):
                pass

    def level(self, begin):
        """After the first ten minutes, or a third of a shorter run, memory and descriptors go no higher."""
        warm = begin + min(600, self.seconds / 3)
        rest = [sample for sample in self.samples if sample[0] >= warm]
        middle = (warm + time.monotonic()) / 2
        early, late = [s for s in rest if s[0] < middle], [s for s in rest if s[0] >= middle]
        if not early or not late:
            return print("memory and descriptors: too few samples to say")
        for name, column, slack in [("MiB of memory", 1, 32), ("descriptors", 2, 20)]:
            before, after = (statistics.quantiles([s[column] for s in part] * 2, n=20)[18] for part in (early, late))
            print(f"{name}: {before:.0f}, later {after:.0f} (of 20 samples the second highest)")
            self.expect(after <= before * 1.25 + slack, f"{name} grew from {before:.0f} to {after:.0f}")

    # The run

    def interrupt(self):
        kind = self.random.choice(["kill", "kill", "stop"])
        self.down.set()
        self.counts[kind + "s"] += 1
        self.process.send_signal(signal.SIGKILL if kind == "kill" else signal.SIGTERM)
        asked = time.monotonic()
        code = self.process.wait(self.stop_limit + 120)
        if kind == "stop":
            self.expect(code == 0, f"a stop ended with {code}")
            self.expect(
                time.monotonic() - asked < self.stop_limit, f"a stop took {time.monotonic() - asked:.0f} s")
        # Acknowledged data must be in the file; requests in progress may be.
        least, most = self.done.copy(), self.begun.copy()
        self.check(self.data, f"after {kind} {self.counts[kind + 's']}")
        if self.random.random() < 0.25:
            self.compare(self.data, f"after {kind} {self.counts[kind + 's']}", least, most)

    def run(self):
        self.start()
        people = "\n".join(
            json.dumps({"id": f"p{n}", "throttle": {"distance_m": 0, "interval_s": 0}}) for n in range(PEOPLE))
        status, content = self.ask(
            http.client.HTTPConnection("127.0.0.1", self.port), "POST", "/v1/imports/people", people,
            "application/x-ndjson")
        self.expect(status == 200, f"people: {content[:300]}")
        threads = [threading.Thread(target=self.walker, args=(n,), daemon=True) for n in range(WALKERS)]
        threads += [threading.Thread(target=work, daemon=True) for work in (self.importer, self.reader, self.watch)]
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        end = begin + self.seconds
        while time.monotonic() < end and not self.faults:
            # Some runs are short, some long enough to reveal growth of memory.
            life = self.longest_life * self.random.choice([0.08, 0.2, 0.4, 1])
            self.over.wait(max(1, min(life, end - time.monotonic())))
            if self.process.poll() is not None:
                self.fault(f"the service ended by itself with {self.process.returncode}")
            elif time.monotonic() < end:
                self.interrupt()
                self.start()
        self.over.set()
        for thread in threads:
            thread.join(self.answer_limit + 10)
        self.finish(begin)

    def backups(self):
        """The names of the finished backups, the oldest first."""
        names = os.listdir(self.data + "/backups") if os.path.exists(self.data + "/backups") else []
        return sorted(name for name in names if re.fullmatch(r"cerca-.*\.sqlite", name))

    def finish(self, begin):
        # In a short run on a slow machine the kills may have prevented all backups.
        while not self.faults and self.process.poll() is None and not self.backups():
            time.sleep(0.1)
        if self.process.poll() is None:
            self.process.terminate()
            self.expect(self.process.wait(self.stop_limit + 120) == 0, "the last stop did not end with 0")
        said = self.check(self.data, "at the end")
        total = self.compare(self.data, "at the end", self.done, self.begun)
        counted = re.search(r"(\d+) people, (\d+) places, (\d+) pings, .* (\d+) pings in the log", said)
        numbers = [int(number) for number in counted.groups()] if counted else []
        self.expect(numbers[:1] == [PEOPLE] and sum(numbers[2:]) == total, f"counts differ: {total} positions, {said}")
        self.expect(not self.counts["imports"] or numbers[1:2] == [PLACES], f"there are not {PLACES} places: {said}")
        # A kill may leave a partial backup, which the next backup removes, and one more than the configured number.
        backups = self.backups()
        for name in backups:
            restored = f"{self.folder}/{name}.restored"
            result = self.run_program("restore", f"{self.data}/backups/{name}", "--data", restored)
            self.expect(result.returncode == 0, f"backup {name}: {result.stdout}{result.stderr}")
            self.compare(restored, f"backup {name}", collections.Counter(), self.begun)
        self.expect(1 <= len(backups) <= 4, f"there are {len(backups)} backups")
        self.level(begin)
        for is_backup, times in self.times.items():
            if len(times) > 100:
                cuts = statistics.quantiles(times, n=100)
                print(
                    f"positions {'during backups' if is_backup else 'otherwise'}: p50 {cuts[49] * 1000:.1f} ms, "
                    f"p99 {cuts[98] * 1000:.1f} ms, of {len(times)} requests")
        print(f"{total} positions, {sum(self.done.values())} acknowledged; slowest answer {self.slowest * 1000:.0f} ms;")
        print(", ".join(f"{count} {name}" for name, count in sorted(self.counts.items())) + f", {len(backups)} backups kept")
        print(f"verdict: {'all held' if not self.faults else f'{len(self.faults)} faults'} in {time.monotonic() - begin:.0f} s")


def main():
    parser = argparse.ArgumentParser(prog="tools/soak")
    parser.add_argument("--program", required=True)
    parser.add_argument("--hours", type=float, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest-life", type=float, help="seconds from a start to a kill, at most; a quarter of the run")
    parser.add_argument("--stop-limit", type=float, default=10, help="seconds that a stop may take")
    parser.add_argument("--answer-limit", type=float, default=60, help="seconds that an answer may take")
    options = parser.parse_args()
    if options.hours + options.minutes <= 0:
        parser.error("--hours or --minutes is needed")
    soak = Soak(options)
    try:
        soak.run()
    finally:
        if soak.process and soak.process.poll() is None:
            soak.process.kill()
    if soak.faults:
        print(f"data and log are in {soak.folder}")
        sys.exit(1)
    shutil.rmtree(soak.folder)


main()
