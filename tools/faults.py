"""What breaks, under load, and what has to hold then: see tools/cluster."""
import collections, http.client, json, math, os, random, shutil, signal, sqlite3, struct, subprocess, tempfile, threading, time

from linear import Operation, document, friendship, is_linearizable, likes
from nodes import TOP, Cluster, Machines, Secured, ask, connect, digest


class Load:
    """Writers of positions and of documents, and readers, through the balancer; what was told is remembered."""
    PEOPLE, START, STEP = 24, 1_600_000_000, 10

    def __init__(self, cluster, writers=12, readers=12):
        self.cluster, self.over = cluster, threading.Event()
        self.done = collections.Counter()  # acknowledged positions by person
        self.begun = collections.Counter()  # sent positions by person
        self.counts, self.slow, self.reads, self.gaps = collections.Counter(), [], [], []
        self.faults, self.lock, self.last = [], threading.Lock(), time.monotonic()
        self.threads = [threading.Thread(target=self.write, args=(number, writers)) for number in range(writers)]
        self.threads += [threading.Thread(target=self.read, args=(number,)) for number in range(readers)]

    def prepare(self):
        freely = {"distance_m": 0, "interval_s": 0}
        asked = [("PUT", f"/v1/people/w{number}", {"id": f"w{number}", "throttle": freely})
                 for number in range(self.PEOPLE)]
        # Values that a program may write in different orders or forms: a document, a set of accused points, a negative
        # zero.
        pings = [{"person": "jumper", "t": self.START + second, "lat": 39.5 + 20 * (second > 0), "lon": -0.4, "speed_mps": -0.0}
                 for second in range(3)]
        fence = {"area": {"lat": 39.5, "lon": -0.4, "within_m": 500}, "everybody": True, "margin_m": 70, "note": "n"}
        asked += [("PUT", "/v1/people/jumper", {"id": "jumper", "throttle": freely}), ("POST", "/v1/pings", pings),
                  ("PUT", "/v1/fences/home", fence)]
        for method, path, body in asked:
            while (reply := ask(self.cluster.balancer_port, method, path, body)).status >= 500:
                time.sleep(0.2)
            assert reply.status in (200, 201), f"{method} {path}: {reply.status} {reply.body}"

    def __enter__(self):
        self.prepare()
        self.last = time.monotonic()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def connection(self):
        return connect(self.cluster.balancer_port)

    def note(self, started):
        with self.lock:
            now = time.monotonic()
            self.gaps.append(now - self.last)
            self.last = now
            self.slow.append(now - started)

    def write(self, number, writers):
        """Sends the next positions of some people again and again until they are acknowledged: each is to be there once."""
        people = [f"w{person}" for person in range(self.PEOPLE) if person % writers == number]
        connection = self.connection()
        while not self.over.is_set():
            pings = []
            for person in people:
                first = self.done[person]
                for index in range(first, first + 5):
                    pings.append({"person": person, "t": self.START + index * self.STEP, "lat": 39.4 + abs(index % 1800 - 900) * 1e-4,
                                  "lon": -0.4 + int(person[1:]) * 1e-3})
                self.begun[person] = max(self.begun[person], first + 5)
            started = time.monotonic()
            try:
                reply = ask(None, "POST", "/v1/pings", pings, connection=connection)
            except OSError:
                self.counts["broken"] += 1
                connection.close()
                connection = self.connection()
                continue
            if reply.status == 200:
                bad = set(reply.json["verdicts"]) - {"stored", "duplicate"}
                if bad:
                    self.faults.append(f"verdicts {bad}")
                for person in people:
                    self.done[person] += 5
                self.counts["pings"] += len(pings)
                self.counts["writes"] += 1
                self.note(started)
            else:
                self.counts[f"write {reply.status}"] += 1
                time.sleep(0.05)
        connection.close()

    def read(self, number):
        connection = self.connection()
        while not self.over.is_set():
            person, started = f"w{random.randrange(self.PEOPLE)}", time.monotonic()
            try:
                reply = ask(None, "GET", f"/v1/people/{person}/position", connection=connection)
                self.counts[f"read {reply.status}"] += 1
                self.reads.append(time.monotonic() - started)
            except OSError:
                self.counts["broken reads"] += 1
                connection.close()
                connection = self.connection()
            time.sleep(0.005)
        connection.close()

    def p99(self):
        """Seconds of a write and of a reading, at p99, since this was asked last."""
        found = [percentile(times, 0.99) for times in (self.slow, self.reads)]
        self.slow.clear()
        self.reads.clear()
        return found

    def check(self, data):
        """What is lost or doubled in the file of a node."""
        database = sqlite3.connect(f"file:{data}/cerca.sqlite?mode=ro", uri=True)
        lost = doubled = unsent = 0
        for number in range(self.PEOPLE):
            person = f"w{number}"
            times = [row[0] for row in database.execute(
                "SELECT time_ms FROM pings WHERE person = (SELECT number FROM people WHERE id = ?)", (person,))]
            indices = collections.Counter((time // 1000 - self.START) // self.STEP for time in times)
            lost += sum(1 for index in range(self.done[person]) if not indices[index])
            doubled += sum(count - 1 for count in indices.values())
            unsent += sum(1 for index in indices if index >= self.begun[person])
        database.close()
        return lost, doubled, unsent


class Things:
    """Documents, likes and friendships that many change at once, and what was answered to whom, and when."""
    CLIENTS, ACTIVE = 12, 3

    def __init__(self, cluster):
        self.cluster, self.lock, self.newest = cluster, threading.Lock(), 0
        self.histories = collections.defaultdict(list)
        self.count, self.unknown, self.values, self.faults = 0, 0, 0, set()

    def work(self, count):
        rows = "\n".join(json.dumps({"id": f"{kind}{number}", "born": "1990-01-01", "discoverable": True})
                         for number in range(count // 40 + 10) for kind in ("d", "a", "b"))
        reply = ask(self.cluster.balancer_port, "POST", "/v1/imports/people", text=rows)
        assert reply.status == 200, reply.body
        self.newest = int(reply.headers["Cerca-Position"])
        threads = [threading.Thread(target=self.act, args=(count,)) for _ in range(self.CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def act(self, count):
        connection, known = connect(self.cluster.balancer_port), {}
        while self.count < count:
            # A few entities at a time, so that operations on each are concurrent.
            thing = self.count // 120 * self.ACTIVE + random.randrange(self.ACTIVE)
            kind = random.choice([self.document, self.like, self.friend])
            try:
                kind(connection, thing, known)
            except OSError:
                connection.close()
                connection = connect(self.cluster.balancer_port)
        connection.close()

    def note(self, key, what, connection, method, path, read, body=None, headers=None):
        """Asks, and writes down what came of it; `read` finds the result in an answer, or nothing if that is not known."""
        with self.lock:
            headers = {**(headers or {}), "Cerca-After": str(self.newest)}
        call, result = time.monotonic(), None
        try:
            reply = ask(None, method, path, body, headers=headers, connection=connection)
            result = read(reply)
            if result is None and reply.status < 500:
                self.faults.add(f"BROKEN: {what[0]}: {reply.status} {reply.body[:200]}")
            return reply
        finally:
            end = time.monotonic()
            with self.lock:
                if result is not None:
                    self.newest = max(self.newest, int(reply.headers["Cerca-Position"]))
                self.count += 1
                self.unknown += result is None
                if result is not None or method != "GET":
                    self.histories[key].append(Operation(what, result, call, end if result is not None else math.inf))

    def document(self, connection, thing, known):
        path, key = f"/v1/people/d{thing}", ("document", thing)
        if key in known and random.random() < 0.5:
            tag, old = known.pop(key)
            with self.lock:
                self.values += 1
                new = f"v{self.values}"
            self.note(key, ("write", old, new), connection, "PUT", path, lambda reply: {200: True, 412: False}.get(reply.status),
                      {"id": f"d{thing}", "name": new}, {"If-Match": tag})
        else:
            reply = self.note(key, ("read", None, None), connection, "GET", path,
                              lambda reply: reply.json.get("name", "") if reply.status == 200 else None)
            if reply.status == 200:
                known[key] = reply.headers["ETag"], reply.json.get("name", "")

    def like(self, connection, thing, known):
        who = random.randrange(2)
        one, other = (f"a{thing}", f"b{thing}") if who == 0 else (f"b{thing}", f"a{thing}")
        path, key = f"/v1/people/{one}/decisions/{other}", ("likes", thing)
        if random.random() < 0.3:
            self.note(key, ("forget", who), connection, "DELETE", path, lambda reply: True if reply.status in (204, 404) else None)
        else:
            self.note(key, ("like", who), connection, "PUT", path, lambda reply: reply.json["match"] if reply.status == 200 else None,
                      {"like": True})

    def friend(self, connection, thing, known):
        who = random.randrange(2)
        one, other = (f"a{thing}", f"b{thing}") if who == 0 else (f"b{thing}", f"a{thing}")
        path, key = f"/v1/people/{one}/friends/{other}", ("friendship", thing)
        method, what = random.choice([("DELETE", "end"), ("PUT", "ask"), ("PUT", "ask")])
        self.note(key, (what, who), connection, method, path, lambda reply: reply.json["state"] if reply.status == 200 else None)

    def judge(self):
        models = {"document": ("", document), "likes": (frozenset(), likes), "friendship": ("none", friendship)}
        said, together = sorted(self.faults), 0
        for key, history in self.histories.items():
            start, step = models[key[0]]
            if not is_linearizable(history, start, step):
                said.append(f"BROKEN: {key} could not be: {sorted(history, key=lambda one: one.call)}"[:2000])
            together += sum(1 for one in history for other in history if one.call < other.call < one.end < math.inf)
        # The checker must find faults in corrupted histories, or its result proves nothing.
        missed = [kind for kind, (start, step) in models.items() if not any(
            not is_linearizable(self.turned(history, kind), start, step) for key, history in self.histories.items() if key[0] == kind)]
        if missed:
            said.append(f"BROKEN: the checker finds no fault in histories with one, of {missed}")
        return said[:5] + [f"{self.count} operations on {len(self.histories)} things, {self.unknown} without an answer that "
                           f"tells, {together} pairs at once: all could be one after the other"][:1 if not said else 0]

    @staticmethod
    def turned(history, kind):
        """A history in which the last result is another one."""
        wrong = {"document": lambda one: "v0" if one.what[0] == "read" else not one.result,
                 "likes": lambda one: not one.result, "friendship": lambda one: "none" if one.result != "none" else "friends"}[kind]
        index = max((index for index, one in enumerate(history) if one.result is not None and one.what[0] not in ("forget",)),
                    key=lambda index: history[index].call, default=None)
        if index is None:
            return history
        return [one._replace(result=wrong(one)) if at == index else one for at, one in enumerate(history)]


def milliseconds(times):
    return " and ".join(f"{each * 1000:.0f}" for each in times) + " ms"


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


class Tests:
    BACK = 15  # seconds until everything continues once there is a majority

    def __init__(self, program, seconds):
        self.program, self.seconds, self.failed = program, seconds, []

    def run(self, names):
        for name in names or [name[5:] for name in dir(self) if name.startswith("test_")] + ["rates"]:
            if name == "rates":
                self.rates()
                continue
            folder = tempfile.mkdtemp(prefix="cerca-cluster-")
            test = getattr(self, f"test_{name}")
            kind = {"partition": Machines, "power": Machines, "secured": Secured}.get(name, Cluster)
            if kind is Machines and os.geteuid():
                print(f"{name}: not tried, for only root makes networks and mounts disks", flush=True)
                shutil.rmtree(folder)
                continue
            cluster = kind(self.program, 3, folder)
            begun = time.monotonic()
            try:
                cluster.start()
                said = test(cluster)
            except BaseException:
                cluster.stop()
                cluster.remove()
                print(f"{name}: see {folder}", flush=True)
                raise
            faults = [line for line in said if line.startswith("BROKEN")]
            print(f"{name}: {'; '.join(said)} ({time.monotonic() - begun:.0f} s)", flush=True)
            cluster.remove()
            if faults:
                self.failed.append(name)
                print(f"    see {folder}", flush=True)
            else:
                shutil.rmtree(folder)
        return 1 if self.failed else 0

    def after(self, cluster, load, differed=False, apart=0):
        """What holds when all is quiet again; no two nodes said that they differ, unless that is known.

        For `apart` seconds there was no majority.
        """
        said = []
        if (longest := max(load.gaps, default=0)) > self.BACK + apart:
            said.append(f"BROKEN: nothing was acknowledged for {longest:.1f} s")
        took = cluster.settle()
        if took is None:
            said.append(f"BROKEN: the nodes do not come to the same: {cluster.positions()}")
        codes = cluster.stop()
        if any(codes):
            said.append(f"BROKEN: ended with {codes}")
        digests = [digest(cluster.data(number)) for number in range(len(cluster.nodes))]
        tables = [name for name in digests[0] if any(other.get(name) != digests[0][name] for other in digests)]
        for name in tables:
            said.append(f"BROKEN: {name} differs: {[other.get(name) for other in digests]}")
        if not tables:
            said.append(f"files equal in {len(digests[0])} tables")
        for number, node in enumerate(cluster.nodes):
            with open(node.log) as log:
                if "another node has another result" in log.read() and not differed:
                    said.append(f"BROKEN: node {number} reports that another has another result")
            lost, doubled, unsent = load.check(cluster.data(number))
            if lost or doubled or unsent:
                said.append(f"BROKEN: node {number}: {lost} lost, {doubled} doubled, {unsent} never sent")
        said += [f"BROKEN: {fault}" for fault in load.faults[:3]]
        said.append(f"{load.counts['pings']} pings acknowledged, 0 lost, 0 doubled" if not any(
            line.startswith("BROKEN") for line in said) else f"{load.counts['pings']} pings acknowledged")
        said.append(f"longest without an acknowledgement {max(load.gaps, default=0):.1f} s")
        said.append(f"p50 {percentile(load.slow, 0.5) * 1000:.0f} ms, p99 {percentile(load.slow, 0.99) * 1000:.0f} ms")
        said.append(str(dict(load.counts)))
        return said

    def test_quiet(self, cluster):
        """Nothing breaks; what is written to one node is read from another."""
        said = []
        with Load(cluster) as load:
            for number in range(50):
                reply = ask(cluster.node_ports[number % 3], "PUT", f"/v1/people/q{number}", {"id": f"q{number}"})
                position = reply.headers["Cerca-Position"]
                other = ask(cluster.node_ports[(number + 1) % 3], "GET", f"/v1/people/q{number}",
                            headers={"Cerca-After": position})
                if (reply.status, other.status) != (201, 200):
                    said.append(f"BROKEN: written {reply.status} at {position}, read {other.status}")
            late = ask(cluster.node_ports[0], "GET", "/v1/people/q0", headers={"Cerca-After": str(10 ** 15)})
            if late.status != 503 or not late.headers["Retry-After"]:
                said.append(f"BROKEN: {late.status} for what is not there yet")
            time.sleep(self.seconds)
        return said + self.after(cluster, load)

    def test_node(self, cluster):
        """Nodes are killed and started again."""
        starts = []
        with Load(cluster) as load:
            for round in range(max(3, self.seconds // 4)):
                number = round % 3
                time.sleep(1 + random.random())
                cluster.nodes[number].kill()
                time.sleep(random.random())
                starts.append(cluster.start_node(number))
        return [f"{len(starts)} kills, ready again after at most {max(starts):.1f} s"] + self.after(cluster, load)

    def test_stop(self, cluster):
        """Nodes are stopped and started again, as for an upgrade."""
        codes, ends, starts = [], [], []
        with Load(cluster) as load:
            for round in range(max(6, self.seconds)):
                number = round % 3
                time.sleep(0.3 + random.random() / 2)
                begun = time.monotonic()
                codes.append(cluster.nodes[number].stop())
                ends.append(time.monotonic() - begun)
                starts.append(cluster.start_node(number))
        said = [f"{len(codes)} stops in at most {max(ends):.1f} s, ready again after at most {max(starts):.1f} s"]
        if any(codes):
            said.append(f"BROKEN: ended with {[code for code in codes if code]}")
        return said + self.after(cluster, load)

    def test_leader(self, cluster):
        """The server that leads is killed and started again."""
        with Load(cluster) as load:
            for round in range(3):
                time.sleep(2)
                leader = cluster.leader()
                cluster.servers[leader].kill()
                time.sleep(3)
                cluster.servers[leader].start()
                time.sleep(self.seconds / 4)
        return ["3 kills of the leader"] + self.after(cluster, load)

    def test_majority(self, cluster):
        """Two servers are killed: nothing is acknowledged until one is back."""
        said = []
        with Load(cluster) as load:
            time.sleep(2)
            for number in (0, 1):
                cluster.servers[number].kill()
            time.sleep(1)
            before = load.counts["writes"]
            time.sleep(4)
            if load.counts["writes"] != before:
                said.append(f"BROKEN: a minority acknowledged {load.counts['writes'] - before} writes")
            cluster.servers[0].start()
            begun = time.monotonic()
            while load.counts["writes"] == before and time.monotonic() - begun < 60:
                time.sleep(0.05)
            took = time.monotonic() - begun
            said.append(f"{'BROKEN: ' if took > self.BACK else ''}acknowledged again {took:.1f} s after the majority was back")
            cluster.servers[1].start()
            time.sleep(3)
        return said + self.after(cluster, load, apart=6)

    def test_all(self, cluster):
        """Everything is killed at once."""
        with Load(cluster) as load:
            time.sleep(3)
            for process in cluster.nodes + cluster.servers:
                process.signal(signal.SIGKILL)
            for process in cluster.nodes + cluster.servers:
                process.process.wait()
            begun = time.monotonic()
            for server in cluster.servers:
                server.start()
            for number in range(3):
                cluster.nodes[number].start()
            for number in range(3):
                cluster.start_node(number)
            took = time.monotonic() - begun
            time.sleep(2)
        return [f"{'BROKEN: ' if took > self.BACK else ''}all ready {took:.1f} s after the start"] + self.after(cluster, load)

    def test_pause(self, cluster):
        """A node is stopped for a while: it is not ready until it has caught up."""
        said = []
        with Load(cluster) as load:
            time.sleep(2)
            cluster.nodes[1].signal(signal.SIGSTOP)
            time.sleep(30)
            known = cluster.positions_of([0])[0]
            cluster.nodes[1].signal(signal.SIGCONT)
            reply = ask(cluster.node_ports[1], "GET", "/readyz")
            position = int(reply.headers["Cerca-Position"])
            said.append(f"after 30 s of pause readyz says {reply.status}, {known - position} messages behind")
            if reply.status == 200 and position < known:
                said.append("BROKEN: it is ready, and was not as far as the others")
            time.sleep(3)
        return said + self.after(cluster, load)

    def test_partition(self, cluster):
        """A machine is cut off, first that of the leading server, at last one whose server has ended."""
        said = []
        with Load(cluster) as load:
            time.sleep(3)
            for what in ("the leader", "another", "one without its server"):
                leader = cluster.leader()
                cut = leader if what == "the leader" else (leader + 1) % 3
                if "without" in what:
                    cluster.servers[cut].kill()
                cluster.cut(cut)
                told, faults = self.cut_off(cluster, load, cut)
                cluster.join(cut)
                if "without" in what:
                    cluster.servers[cut].start()
                said += faults + [f"{what} cut off for 20 s: {told}, ready {cluster.start_node(cut):.1f} s after it was back"]
        return said + self.after(cluster, load)

    def cut_off(self, cluster, load, cut):
        """What a node says for 20 s that is cut off: it acknowledges nothing and is not ready, nor does it pass old answers
        off as new ones; the others go on."""
        begun, unready, tried, late, faults = time.monotonic(), None, 0, None, set()
        while (now := time.monotonic() - begun) < 20:
            if late is None and now > 10:
                late = load.counts["writes"]
            tried += 1
            known, person = cluster.positions_of([(cut + 1) % 3])[0] or 0, {"id": f"cut{tried}"}
            try:
                if ask(cluster.node_ports[cut], "PUT", f"/v1/people/cut{tried}", person, timeout=2).status < 300:
                    faults.add("BROKEN: a minority acknowledged")
            except OSError:
                pass
            told = ask(cluster.node_ports[cut], "GET", "/v1/people/w0", headers={"Cerca-After": str(known)})
            if told.status == 200 and int(told.headers["Cerca-Position"]) < known:
                faults.add("BROKEN: it answers what was asked after a later message")
            if ask(cluster.node_ports[cut], "GET", "/readyz", timeout=5).status == 503 and unready is None:
                unready = time.monotonic() - begun
        if load.counts["writes"] == late:
            faults.add("BROKEN: the majority does not go on")
        if unready is None or unready > 10:
            faults.add("BROKEN: it says that it is ready")
        return f"not ready after {unready or -1:.1f} s, {tried} writes asked of it", sorted(faults)

    def test_power(self, cluster):
        """All machines lose power at once, twice: of their disks is left what had been written to them."""
        took = []
        with Load(cluster) as load:
            for _ in range(2):
                time.sleep(self.seconds / 2)
                cluster.lose_power()
                begun = time.monotonic()
                for process in cluster.servers + cluster.nodes:
                    process.start()
                for number in range(3):
                    cluster.start_node(number)
                took.append(time.monotonic() - begun)
            time.sleep(2)
        return [f"power lost twice, all ready after at most {max(took):.1f} s"] + self.after(cluster, load)

    def test_linear(self, cluster):
        """What is done to single things, while nodes and the leading server are killed, could be done one after the other."""
        over = threading.Event()

        def kill():
            for round in range(10 ** 6):
                if over.wait(5):
                    return
                if round % 3 == 2:
                    leader = cluster.leader()
                    cluster.servers[leader].kill()
                    time.sleep(2)
                    cluster.servers[leader].start()
                else:
                    cluster.nodes[round % 3].kill()
                    cluster.start_node(round % 3)

        things = Things(cluster)
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            things.work(10_000)
        finally:
            over.set()
            killer.join()
        said = things.judge()
        took = cluster.settle()
        if took is None:
            said.append(f"BROKEN: the nodes do not come to the same: {cluster.positions()}")
        cluster.stop()
        if len({str(digest(cluster.data(number))) for number in range(3)}) > 1:
            said.append("BROKEN: the files differ")
        return said

    def test_settings(self, cluster):
        """A node with another setting than the others is refused; when all have ended they begin with another one."""
        said = []
        cluster.nodes[2].stop()
        cluster.nodes[2].environment["CERCA_THROTTLE_DISTANCE_M"] = "100"
        cluster.nodes[2].start()
        begun = time.monotonic()
        while (code := cluster.nodes[2].process.poll()) is None and time.monotonic() - begun < 20:
            time.sleep(0.1)
        with open(cluster.nodes[2].log) as log:
            told = log.read().splitlines()[-1]
        if code != 75 or "distance: 500.0, here distance: 100.0" not in told:
            said.append(f"BROKEN: with another setting it ended with {code}: {told}")
        for number in range(3):
            cluster.nodes[number].environment["CERCA_THROTTLE_DISTANCE_M"] = "100"
            cluster.nodes[number].stop()
        begun = time.monotonic()
        for number in range(3):
            cluster.start_node(number)
        said.append(f"refused: '{told}'; all ready with another setting {time.monotonic() - begun:.1f} s after all had ended")
        if cluster.settle() is None or any(cluster.stop()):
            said.append("BROKEN: they do not come to the same, or do not end well")
        return said

    def test_clock(self, cluster):
        """The clocks of two nodes are an hour wrong: what they receive is done at the time of the log."""
        sent, wrong = [], set()
        library = f"{cluster.folder}/clock.so"
        subprocess.run(["clang", "-O1", "-shared", "-fPIC", "-o", library, f"{TOP}/Tests/ProcessTests/Replay/StillClock.c"],
                       check=True)
        for number, shift in ((1, 3600), (2, -3600)):
            cluster.nodes[number].stop()
            clock = f"{cluster.folder}/clock-{number}"
            with open(clock, "wb") as file:
                file.write(struct.pack("qq", shift * 1000, 1))
            cluster.nodes[number].environment.update(LD_PRELOAD=library, STILL_CLOCK_FILE=clock)
            cluster.start_node(number)
        with Load(cluster) as load:
            for number in range(60):
                port = cluster.node_ports[number % 3]
                ask(port, "PUT", f"/v1/people/c{number}", {"id": f"c{number}"})
                sent.append(time.time() * 1000)
                ask(port, "PUT", f"/v1/people/w0/friends/c{number}")
                ping = {"person": f"c{number}", "t": int(time.time()), "lat": 40, "lon": 0}
                told = ask(port, "POST", "/v1/pings", [ping]).json["verdicts"]
                if told != ["stored"]:
                    wrong.add(f"BROKEN: node {number % 3} says {told} of a position of now")
        said = sorted(wrong) + self.after(cluster, load)
        database = sqlite3.connect(f"file:{cluster.data(0)}/cerca.sqlite?mode=ro", uri=True)
        asked = [row[0] for row in database.execute(
            "SELECT asked_ms FROM friendships JOIN people ON number = max(a, b) WHERE id GLOB 'c*' ORDER BY number")]
        database.close()
        off = max(abs(one - other) for one, other in zip(asked, sent, strict=True)) / 1000
        back = max(0, *(one - other for one, other in zip(asked, asked[1:]))) / 1000
        said.append(f"{'BROKEN: ' if off > 4 or back > 2 else ''}{len(sent)} friendships were asked for at most {off:.2f} s from "
                    f"when they were, at most {back:.2f} s before the one before")
        return said

    def test_secured(self, cluster):
        """Servers take only who shows a certificate, and nodes only servers that do."""
        said = []
        with Load(cluster) as load:
            time.sleep(self.seconds / 4)
        try:
            cluster.publish(b"")
            said.append("BROKEN: a server takes who shows no certificate")
        except (OSError, SystemExit):
            said.append("who shows no certificate is refused")
        return said + self.after(cluster, load)

    def test_server(self, cluster):
        """The disk of a server is lost: it gets the log from the others, and then the leading one may fail."""
        with Load(cluster) as load:
            time.sleep(2)
            wiped = (cluster.leader() + 1) % 3
            cluster.servers[wiped].kill()
            shutil.rmtree(cluster.store(wiped))
            cluster.servers[wiped].start()
            begun = time.monotonic()
            time.sleep(1)
            while cluster.lack() and time.monotonic() - begun < 60:
                time.sleep(0.2)
            took = time.monotonic() - begun
            leader = cluster.leader()
            cluster.servers[leader].kill()
            time.sleep(self.seconds)
            cluster.servers[leader].start()
            time.sleep(2)
        return [f"it had the log {took:.1f} s after its disk was empty"] + self.after(cluster, load)

    def test_anew(self, cluster):
        """The log is lost, and two nodes' disks: a node begins another log with what it has, and the others fetch that."""
        with Load(cluster) as load:
            time.sleep(self.seconds / 4)
        cluster.settle()
        for process in cluster.nodes + cluster.servers:
            process.kill()
        for number in range(3):
            shutil.rmtree(cluster.store(number))
            cluster.servers[number].start()
            cluster.nodes[number].environment["CERCA_CLUSTER_LOG"] = "AGAIN"
            if number:
                shutil.rmtree(cluster.data(number))
        database = sqlite3.connect(f"{cluster.data(0)}/cerca.sqlite")
        with database:
            database.executescript("DELETE FROM followed_log; DELETE FROM passing")
        database.close()
        took = max(cluster.start_node(number) for number in range(3))
        reply = ask(cluster.node_ports[1], "PUT", "/v1/people/again", {"id": "again"})
        said = [f"each ready {took:.1f} s after its start; the first write is message {reply.headers['Cerca-Position']}"]
        return said + self.after(cluster, load)

    def test_version(self, cluster):
        """A later program writes what this one does not know: nodes answer questions, refuse writes, and are not ready, also when
        they start again."""
        said = []
        ask(cluster.node_ports[0], "PUT", "/v1/people/before", {"id": "before"})
        if cluster.settle() is None:
            said.append(f"BROKEN: the nodes do not come to the same: {cluster.positions()}")
        cluster.publish(bytes([99, 1]))
        for again in (False, True):
            if again:
                for node in cluster.nodes:
                    node.kill()
                    node.start()
            begun = time.monotonic()
            while None in cluster.positions() and time.monotonic() - begun < 60:
                time.sleep(0.1)
            time.sleep(3)
            for number, port in enumerate(cluster.node_ports):
                ready, known = ask(port, "GET", "/readyz").status, ask(port, "GET", "/v1/people/before").status
                written = ask(port, "PUT", "/v1/people/after", {"id": "after"}, timeout=10).status
                if (ready, known, written) != (503, 200, 503):
                    said.append(f"BROKEN: node {number}{' when it started again' if again else ''}: readyz {ready}, what it knows "
                                f"{known}, a write {written}")
        with open(cluster.nodes[0].log) as log:
            if "this node has stopped following the log" not in log.read():
                said.append("BROKEN: it does not say why")
        cluster.stop()
        return said + ["not ready, and answering, before and after a start"]

    def test_differs(self, cluster):
        """A row more is in the file of a node: it says so and is not ready; with another's copy it is one of them again."""
        with Load(cluster) as load:
            time.sleep(2)
            cluster.nodes[2].kill()
            database = sqlite3.connect(f"{cluster.data(2)}/cerca.sqlite")
            with database:
                database.execute("INSERT INTO devices (person, id, token_hash, since_ms) "
                                 "SELECT number, 'x', zeroblob(32), 0 FROM people LIMIT 1")
            database.close()
            cluster.start_node(2)
            begun = time.monotonic()
            while (reply := ask(cluster.node_ports[2], "GET", "/readyz")).status == 200 and time.monotonic() - begun < 60:
                time.sleep(0.1)
            took = time.monotonic() - begun
            said = [f"{took:.1f} s after its start it is not ready: {reply.json.get('detail')}"]
            if "devices (1 rows, there 0)" not in said[0]:
                said.append("BROKEN: it does not say what differs")
            time.sleep(2)
            for port in cluster.node_ports[:2]:
                if ask(port, "GET", "/readyz").status != 200 or b"cerca_log_differs 1" not in ask(port, "GET", "/metrics").body:
                    said.append("BROKEN: another is not ready, or does not say so")
            cluster.nodes[2].kill()
            shutil.rmtree(cluster.data(2))
            cluster.start_node(2)
            begun = time.monotonic()
            while any(b"cerca_log_differs 0" not in ask(port, "GET", "/metrics").body for port in cluster.node_ports):
                if time.monotonic() - begun > 30:
                    said.append("BROKEN: they do not agree again")
                    break
                time.sleep(0.2)
            said.append(f"agree again {time.monotonic() - begun:.1f} s after it has a copy")
        return said + self.after(cluster, load, differed=True)

    def test_dropped(self, cluster):
        """The log has dropped what a node has to read next that was killed, or stopped: it fetches a copy."""
        said = []
        cluster.limit(4 << 20)
        with Load(cluster) as load:
            time.sleep(2)
            for what, away, back in (("killed", signal.SIGKILL, None), ("stopped", signal.SIGSTOP, signal.SIGCONT)):
                position, begun, before = cluster.positions_of([2])[0], time.monotonic(), set(os.listdir(cluster.data(2)))
                cluster.nodes[2].signal(away)
                # A stopped node still reads what the servers have sent already.
                while cluster.stream()["state"]["first_seq"] <= position + 1_000 and time.monotonic() - begun < 120:
                    time.sleep(0.2)
                behind = cluster.positions_of([0])[0] - position
                if back:
                    cluster.nodes[2].signal(back)
                took = cluster.start_node(2)
                kept = sorted(name for name in set(os.listdir(cluster.data(2))) - before if name.startswith("replaced-"))
                said.append(f"{'' if kept else 'BROKEN: '}{what} and {behind} messages behind, it was ready after {took:.1f} s, and "
                            f"kept {', '.join(kept) or 'nothing'}")
            time.sleep(2)
        return said + self.after(cluster, load)

    def test_new(self, cluster):
        """A node that never was there comes under load: it fetches a copy, is asked, and the others answer as before."""
        said = []
        with Load(cluster) as load:
            time.sleep(2)
            load.p99()
            time.sleep(self.seconds)
            usual = load.p99()
            number = cluster.add()
            took = cluster.start_node(number)
            slow = load.p99()
            said.append(f"ready {took:.1f} s after its start; p99 of writes and readings at the others {milliseconds(slow)}, "
                        f"before {milliseconds(usual)}")
            if any(one > 2 * other for one, other in zip(slow, usual)):
                said.append("BROKEN: the others are slower than twice the usual")
            written = ask(cluster.node_ports[number], "PUT", "/v1/people/new", {"id": "new"})
            read = ask(cluster.node_ports[0], "GET", "/v1/people/new", headers={"Cerca-After": written.headers["Cerca-Position"]})
            if (written.status, read.status) != (201, 200):
                said.append(f"BROKEN: what it writes is answered {written.status}, and another node {read.status}")
            time.sleep(2)
        return said + self.after(cluster, load)

    def test_join(self, cluster):
        """The disk of a node is lost: it fetches a copy from another."""
        with Load(cluster) as load:
            time.sleep(2)
            cluster.nodes[2].kill()
            shutil.rmtree(cluster.data(2))
            took = cluster.start_node(2)
            time.sleep(2)
        return [f"ready {took:.1f} s after its disk was empty"] + self.after(cluster, load)

    def rates(self):
        """Positions a second that are acknowledged: by a service without a log, and by nodes with one, on this machine."""
        for nodes in (0, 1, 3):
            folder = tempfile.mkdtemp(prefix="cerca-cluster-")
            cluster = Cluster(self.program, max(nodes, 1), folder)
            if nodes:
                cluster.start()
            else:
                command = cluster.nodes[0].command
                cluster.nodes[0].command = command[:command.index("--cluster")]
                cluster.start_node(0)
            rate, slow = Rate(cluster.node_ports).measure(self.seconds)
            cpu = [seconds(process.process.pid) for process in cluster.nodes]
            what = f"{nodes} nodes on 3 servers" if nodes else "a service without a log"
            print(f"rates: {what}: {rate:.0f} pings/s in batches of {Rate.BATCH} by {Rate.CLIENTS} clients, p50 "
                  f"{percentile(slow, 0.5) * 1000:.0f} ms, p99 {percentile(slow, 0.99) * 1000:.0f} ms, "
                  f"processor of the nodes {[round(each, 1) for each in cpu]} s", flush=True)
            cluster.stop()
            shutil.rmtree(folder)


def seconds(pid):
    """The processor time of a process."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Rate:
    CLIENTS, BATCH, PEOPLE = 8, 500, 100

    def __init__(self, ports):
        self.ports, self.count, self.slow, self.over = ports, 0, [], threading.Event()
        for number in range(self.CLIENTS * self.PEOPLE):
            ask(ports[0], "PUT", f"/v1/people/r{number}",
                {"id": f"r{number}", "throttle": {"distance_m": 0, "interval_s": 0}})

    def send(self, number):
        connection = connect(self.ports[number % len(self.ports)])
        step = 0
        while not self.over.is_set():
            rows = ",".join(
                f'{{"person":"r{number * self.PEOPLE + index % self.PEOPLE}","t":{1_600_000_000 + (step + index // self.PEOPLE) * 10},'
                f'"lat":{39 + index % 90 * 1e-3:.4f},"lon":-0.4}}' for index in range(self.BATCH))
            step += self.BATCH // self.PEOPLE
            begun = time.monotonic()
            connection.request("POST", "/v1/pings", f"[{rows}]", {"content-type": "application/json"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise SystemExit(f"{answer.status}: {body[:200]}")
            self.slow.append(time.monotonic() - begun)
            self.count += self.BATCH

    def measure(self, length):
        threads = [threading.Thread(target=self.send, args=(number,)) for number in range(self.CLIENTS)]
        for thread in threads:
            thread.start()
        time.sleep(2)
        begun, before = time.monotonic(), self.count
        time.sleep(length)
        rate = (self.count - before) / (time.monotonic() - begun)
        self.over.set()
        for thread in threads:
            thread.join()
        return rate, self.slow


