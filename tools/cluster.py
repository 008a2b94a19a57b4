"""Nodes on one log, on loopback: started for people to try, or broken to see what holds."""
import argparse, collections, hashlib, http.client, json, os, random, re, secrets, shutil, signal, socket, sqlite3
import subprocess, sys, tempfile, threading, time, urllib.error, urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NATS = f"{TOP}/.build/nats/bin/nats-server"
SAMPLES = [("people", "people"), ("friends", "friends"), ("places", "stores-bestbuy"), ("places", "stores-shoes"),
           ("products", "products"), ("stock", "stock"), ("pings", "pings")]
# What is each node's own: what it knows of its clock, how pings lie in the file, and how long it keeps events.
OWN = {"known_time", "ping_log", "stay_log", "grdb_migrations"}
USED = set()


def free_port():
    """A port below those that the system gives to connections, which a server that starts again gets again."""
    while True:
        port = random.randint(10_000, 31_999)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in USED:
            USED.add(port)
            return port


class Process:
    """A program that is started, killed, stopped for a while, and started again."""

    def __init__(self, command, log, environment=None):
        self.command, self.log, self.process = command, log, None
        self.environment = {**os.environ, **(environment or {})}

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=self.environment)

    def signal(self, number):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self):
        self.signal(signal.SIGKILL)
        if self.process:
            self.process.wait()

    def stop(self):
        self.signal(signal.SIGTERM)
        return self.process.wait(timeout=60) if self.process else 0


class Cluster:
    def __init__(self, program, nodes, folder, servers=3):
        self.program, self.folder = program, folder
        self.passwords = {user: secrets.token_hex(16) for user in ("cerca", "system")}
        for user, password in self.passwords.items():
            with open(f"{folder}/{user}", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(f"{user}:{password}\n")
        self.ports = [free_port() for _ in range(servers)]
        self.routes = [free_port() for _ in range(servers)]
        self.servers = [self.server(number) for number in range(servers)]
        self.node_ports = [free_port() for _ in range(nodes)]
        self.nodes = [self.node(number) for number in range(nodes)]
        self.balancer_port = free_port()
        self.balancer = None

    def server(self, number):
        routes = ", ".join(f"nats://127.0.0.1:{port}" for port in self.routes)
        path = f"{self.folder}/n{number}.conf"
        cluster = f'cluster {{ name: cerca, listen: "127.0.0.1:{self.routes[number]}", routes: [{routes}] }}'
        with open(path, "w") as file:
            file.write(f"""
server_name: n{number}
listen: "127.0.0.1:{self.ports[number]}"
jetstream {{ store_dir: "{self.folder}/n{number}", sync_interval: always }}
{cluster}
accounts {{
    CERCA: {{ jetstream: enabled, users: [{{ user: cerca, password: "{self.passwords['cerca']}" }}] }}
    $SYS: {{ users: [{{ user: system, password: "{self.passwords['system']}" }}] }}
}}
""")
        return Process([NATS, "--config", path], f"{self.folder}/n{number}.log")

    def node(self, number):
        others = [f"http://127.0.0.1:{port}" for index, port in enumerate(self.node_ports) if index != number]
        return Process(
            [self.program, "serve", "--data", self.data(number), "--port", str(self.node_ports[number]),
             "--cluster", ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)],
            f"{self.folder}/node{number}.log",
            {"CERCA_CLUSTER_CREDENTIALS": f"{self.folder}/cerca", "CERCA_CLUSTER_NODES": ",".join(others),
             "CERCA_CLUSTER_SYSTEM_CREDENTIALS": f"{self.folder}/system", "CERCA_LIMITS_ADDRESS_RATE": "0",
             "CERCA_LIMITS_PERSON_RATE": "0", "CERCA_LOG_FORMAT": "text"})

    def data(self, number):
        return f"{self.folder}/node{number}"

    def start(self):
        for server in self.servers:
            server.start()
        for number, node in enumerate(self.nodes):
            self.start_node(number)
        self.balance()

    def start_node(self, number, seconds=120):
        """Starts a node and waits until it is ready; how long that took."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            if not self.nodes[number].process or self.nodes[number].process.poll() is not None:
                self.nodes[number].start()
            if self.ready(number):
                return time.monotonic() - begun
            time.sleep(0.05)
        raise SystemExit(f"node {number} did not get ready: see {self.nodes[number].log}")

    def ready(self, number):
        try:
            return ask(self.node_ports[number], "GET", "/readyz", timeout=2).status == 200
        except OSError:
            return False

    def balance(self):
        path = f"{self.folder}/haproxy.cfg"
        backends = "\n".join(
            f"    server node{number} 127.0.0.1:{port} check inter 200ms fall 1 rise 2 on-marked-down shutdown-sessions"
            for number, port in enumerate(self.node_ports))
        with open(path, "w") as file:
            file.write(f"""
defaults
    mode http
    timeout connect 1s
    timeout client 60s
    timeout server 60s
    option redispatch
    retries 2
frontend cerca
    bind 127.0.0.1:{self.balancer_port}
    default_backend nodes
backend nodes
    balance roundrobin
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
{backends}
""")
        self.balancer = Process(["haproxy", "-db", "-f", path], f"{self.folder}/haproxy.log")
        self.balancer.start()
        begun = time.monotonic()
        while time.monotonic() - begun < 30:
            try:
                if ask(self.balancer_port, "GET", "/readyz", timeout=2).status == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"haproxy did not get ready: see {self.balancer.log}")

    def stop(self):
        for process in [self.balancer] + self.nodes + self.servers:
            if process:
                process.signal(signal.SIGCONT)
        codes = [node.stop() for node in self.nodes if node.process]
        for process in [self.balancer] + self.servers:
            if process:
                process.kill()
        return codes

    def leader(self):
        """The number of the server that leads the others in keeping the log."""
        told = []
        for number, server in enumerate(self.servers):
            with open(server.log, errors="replace") as log:
                times = re.findall(r"] (\S+ \S+) \[INF\] JetStream cluster new stream leader for 'CERCA > CERCA'", log.read())
            if times and server.process.poll() is None:
                told.append((times[-1], number))
        return max(told)[1] if told else 0

    def positions(self):
        found = []
        for port in self.node_ports:
            try:
                found.append(int(ask(port, "GET", "/livez", timeout=2).headers["Cerca-Position"]))
            except (OSError, TypeError):
                found.append(None)
        return found

    def settle(self, seconds=60):
        """Waits until all nodes are ready and as far as each other; how long that took, or nothing if they never are."""
        begun, last = time.monotonic(), None
        while time.monotonic() - begun < seconds:
            positions = self.positions()
            if None not in positions and len(set(positions)) == 1 and positions == last:
                if all(self.ready(number) for number in range(len(self.nodes))):
                    return time.monotonic() - begun
            last = positions
            time.sleep(0.2)
        return None


class Reply:
    def __init__(self, answer):
        self.status, self.headers, self.body = answer.status, answer.headers, answer.read()

    @property
    def json(self):
        return json.loads(self.body)


def ask(port, method, path, body=None, timeout=60, headers=None, connection=None):
    own = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        kind = {"content-type": "application/json"} if body is not None else {}
        own.request(method, path, json.dumps(body) if body is not None else None, {**kind, **(headers or {})})
        return Reply(own.getresponse())
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        if not connection:
            own.close()


def digest(folder):
    """What is in the file of a node that has stopped, but for what is its own, by table."""
    found = {}
    database = sqlite3.connect(f"file:{folder}/cerca.sqlite?mode=ro", uri=True)
    database.text_factory = bytes
    names = [row[0].decode() for row in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")]
    spatial = re.compile(r"^(geometry_|spatial|views_|virts_|sql_statements|vector_layers|idx_|sqlite_|SE_|data_lic|"
                         r"ElementaryG|KNN|.*_text_|.*_(data|idx|content|docsize|config)$)")
    for name in names:
        if name in OWN or spatial.match(name):
            continue
        columns = [row[1].decode() for row in database.execute(f"PRAGMA table_info('{name}')")]
        # The row of a ping says in which order it was folded.
        kept = [column for column in columns if (name, column) != ("pings", "number")]
        chosen = ", ".join(f'"{column}"' for column in kept)
        text, count = hashlib.sha256(), 0
        for row in database.execute(f'SELECT {chosen} FROM "{name}" ORDER BY {", ".join(map(str, range(1, len(kept) + 1)))}'):
            text.update(repr(row).encode())
            count += 1
        found[name] = (count, text.hexdigest()[:16])
    database.close()
    return found


class Load:
    """Writers of positions and of documents, and readers, through the balancer; what was told is remembered."""
    PEOPLE, START, STEP = 24, 1_600_000_000, 10

    def __init__(self, cluster, writers=12, readers=12):
        self.cluster, self.over = cluster, threading.Event()
        self.done = collections.Counter()  # positions of each person that were acknowledged
        self.begun = collections.Counter()  # positions that were sent
        self.counts, self.slow, self.gaps = collections.Counter(), [], []
        self.faults, self.lock, self.last = [], threading.Lock(), time.monotonic()
        self.threads = [threading.Thread(target=self.write, args=(number, writers)) for number in range(writers)]
        self.threads += [threading.Thread(target=self.read, args=(number,)) for number in range(readers)]

    def prepare(self):
        for number in range(self.PEOPLE):
            reply = ask(self.cluster.balancer_port, "PUT", f"/v1/people/w{number}",
                        {"id": f"w{number}", "throttle": {"distance_m": 0, "interval_s": 0}})
            assert reply.status in (200, 201), reply.body

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
        return http.client.HTTPConnection("127.0.0.1", self.cluster.balancer_port, timeout=90)

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
            person = f"w{random.randrange(self.PEOPLE)}"
            try:
                reply = ask(None, "GET", f"/v1/people/{person}/position", connection=connection)
                self.counts[f"read {reply.status}"] += 1
            except OSError:
                self.counts["broken reads"] += 1
                connection.close()
                connection = self.connection()
            time.sleep(0.005)
        connection.close()

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
        return lost, doubled, unsent


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


class Tests:
    def __init__(self, program, seconds):
        self.program, self.seconds, self.failed = program, seconds, []

    def run(self, names):
        for name in names or [name[5:] for name in dir(self) if name.startswith("test_")] + ["rates"]:
            if name == "rates":
                self.rates()
                continue
            folder = tempfile.mkdtemp(prefix="cerca-cluster-")
            cluster = Cluster(self.program, 3, folder)
            begun = time.monotonic()
            try:
                cluster.start()
                said = getattr(self, f"test_{name}")(cluster)
            except BaseException:
                cluster.stop()
                print(f"{name}: see {folder}", flush=True)
                raise
            faults = [line for line in said if line.startswith("BROKEN")]
            print(f"{name}: {'; '.join(said)} ({time.monotonic() - begun:.0f} s)", flush=True)
            if faults:
                self.failed.append(name)
                print(f"    see {folder}", flush=True)
            else:
                shutil.rmtree(folder)
        return 1 if self.failed else 0

    def after(self, cluster, load):
        """What holds when all is quiet again."""
        said = []
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
        for number in range(len(cluster.nodes)):
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
            said.append(f"acknowledged again {time.monotonic() - begun:.1f} s after the majority was back")
            cluster.servers[1].start()
            time.sleep(3)
        return said + self.after(cluster, load)

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
        return [f"all ready {took:.1f} s after the start"] + self.after(cluster, load)

    def test_pause(self, cluster):
        """A node is stopped for a while: it says that it is not ready until it has caught up."""
        said = []
        with Load(cluster) as load:
            time.sleep(2)
            cluster.nodes[1].signal(signal.SIGSTOP)
            time.sleep(10)
            cluster.nodes[1].signal(signal.SIGCONT)
            reply = ask(cluster.node_ports[1], "GET", "/readyz")
            said.append(f"after 10 s of pause readyz says {reply.status}")
            time.sleep(3)
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
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[number % len(self.ports)], timeout=90)
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


def up(program, count):
    folder = tempfile.mkdtemp(prefix="cerca-cluster-")
    cluster = Cluster(program, count, folder)
    first = cluster.data(0)
    for kind, file in SAMPLES:
        subprocess.run([program, "import", kind, f"{TOP}/data/sample/{file}.csv", "--data", first], check=True,
                       stdout=subprocess.DEVNULL)
    try:
        cluster.start()
        url = f"http://127.0.0.1:{cluster.balancer_port}"
        print(f"""
{count} nodes on one log, in {folder}:
    all of them, through haproxy: {url}/""")
        for number, port in enumerate(cluster.node_ports):
            print(f"    node {number}, process {cluster.nodes[number].process.pid}: http://127.0.0.1:{port}/")
        print(f"""
Try:
    curl -i {url}/v1/people?limit=1
    curl -i -X PUT -H 'content-type: application/json' -d '{{"id":"me"}}' http://127.0.0.1:{cluster.node_ports[0]}/v1/people/me
    curl -i -H 'Cerca-After: 1' http://127.0.0.1:{cluster.node_ports[-1]}/v1/people/me
    kill -9 {cluster.nodes[0].process.pid}    # {url}/ goes on
Ctrl-C ends all of it and deletes the folder.""", flush=True)
        signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        cluster.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=int, default=12, help="how long the load goes on where nothing else says so")
    parser.add_argument("command", choices=["up", "test"])
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.command == "up":
        up(options.program, int(options.names[0]) if options.names else 3)
    else:
        sys.exit(Tests(options.program, options.seconds).run(options.names))
