"""Nodes on one log: three servers of NATS, nodes of the service, and haproxy before them, on loopback or each on a machine of its own."""
import contextlib, ctypes, hashlib, http.client, json, os, random, re, secrets, signal, socket, sqlite3, subprocess, time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NATS = f"{TOP}/.build/nats/bin/nats-server"
# Tables with state of a single node: its clock estimate, log position, layout of pings in the file, and retention of
# events.
OWN = {"known_time", "followed_log", "ping_log", "stay_log", "grdb_migrations"}
USED = set()
# The network namespaces of ports outside of this namespace.
NAMESPACES = {}
LIBC = ctypes.CDLL(None, use_errno=True)


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
        self.node_ports = [free_port() for _ in range(nodes)]
        self.prepare()
        self.servers = [self.server(number) for number in range(servers)]
        self.nodes = [self.node(number) for number in range(nodes)]
        self.balancer_port = free_port()
        self.balancer = None

    def prepare(self):
        """What is there before anything is started."""

    def host(self, number):
        """Where the others find a server."""
        return "127.0.0.1"

    def address(self, number):
        """Where the others find a node."""
        return f"http://127.0.0.1:{self.node_ports[number]}"

    def within(self, number):
        """What begins a command on a machine."""
        return []

    def server(self, number):
        routes = ", ".join(f"nats://{self.host(other)}:{port}" for other, port in enumerate(self.routes))
        path = f"{self.folder}/n{number}.conf"
        tls = self.tls()
        cluster = f'cluster {{ name: cerca, listen: "{self.host(number)}:{self.routes[number]}", routes: [{routes}]\n{tls} }}'
        with open(path, "w") as file:
            file.write(f"""
server_name: n{number}
listen: "{self.host(number)}:{self.ports[number]}"
jetstream {{ store_dir: "{self.store(number)}", sync_interval: always }}
ping_interval: "2s"
ping_max: 2
{tls}
{cluster}
accounts {{
    CERCA: {{ jetstream: enabled, users: [{{ user: cerca, password: "{self.passwords['cerca']}" }}] }}
    $SYS: {{ users: [{{ user: system, password: "{self.passwords['system']}" }}] }}
}}
""")
        return Process(self.within(number) + [NATS, "--config", path], f"{self.folder}/n{number}.log")

    def tls(self):
        """What servers show to nodes and to each other."""
        return ""

    def certificates(self):
        """The settings of a node for that."""
        return {}

    def node(self, number):
        others = [self.address(other) for other in range(len(self.node_ports)) if other != number]
        return Process(
            self.within(number) + [self.program, "serve", "--data", self.data(number), "--port", str(self.node_ports[number]),
             "--cluster", ",".join(f"nats://{self.host(other)}:{port}" for other, port in enumerate(self.ports))],
            f"{self.folder}/node{number}.log",
            {"CERCA_CLUSTER_CREDENTIALS": f"{self.folder}/cerca", "CERCA_CLUSTER_NODES": ",".join(others),
             "CERCA_CLUSTER_SYSTEM_CREDENTIALS": f"{self.folder}/system", "CERCA_LIMITS_ADDRESS_RATE": "0",
             "CERCA_LIMITS_PERSON_RATE": "0", "CERCA_LOG_FORMAT": "text", **self.certificates()})

    def data(self, number):
        return f"{self.folder}/node{number}"

    def store(self, number):
        return f"{self.folder}/n{number}"

    def start(self):
        for server in self.servers:
            server.start()
        self.balance()
        for number in range(len(self.nodes)):
            self.start_node(number)
        self.wait()

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
            f"    server node{number} 127.0.0.1:{port} {self.namespace(number)} check inter 200ms fall 1 rise 2 on-marked-down shutdown-sessions"
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
{self.proxies()}
""")
        self.balancer = Process(["haproxy", "-db", "-f", path], f"{self.folder}/haproxy.log")
        self.balancer.start()

    def wait(self):
        begun = time.monotonic()
        while time.monotonic() - begun < 30:
            try:
                if ask(self.balancer_port, "GET", "/readyz", timeout=2).status == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"haproxy did not get ready: see {self.balancer.log}")

    def namespace(self, number):
        """Where haproxy finds a node."""
        return ""

    def proxies(self):
        """What else haproxy does."""
        return ""

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

    def tell(self, subject, message):
        """Asks the servers of the log for something, as a program does that is not one of ours; what they answer."""
        number, line = next(number for number, server in enumerate(self.servers) if server.process.poll() is None), b""
        with socket.create_connection((self.host(number), self.ports[number]), timeout=20) as server, server.makefile("rb") as lines:
            shown = json.dumps({"user": "cerca", "pass": self.passwords["cerca"], "verbose": False})
            server.sendall(b"CONNECT %s\r\nSUB told 1\r\nPUB %s told %d\r\n%s\r\n" % (
                shown.encode(), subject.encode(), len(message), message))
            for line in lines:
                if line.startswith(b"MSG"):
                    told = json.loads(lines.read(int(line.split()[-1])))
                    if "error" not in told:
                        return told
                    line = str(told["error"]).encode()
                if not line.startswith((b"INFO", b"PING")):
                    break
        raise SystemExit(f"the log does not take what is said to {subject}: {line}")

    def publish(self, message):
        """Writes a message to the log."""
        self.tell("CERCA.log", message)

    def stream(self):
        """What the servers know of the log."""
        return self.tell("$JS.API.STREAM.INFO.CERCA", b"")

    def lack(self):
        """The servers that do not have all of the log, by what its leader knows."""
        return [replica["name"] for replica in self.stream()["cluster"].get("replicas", []) if not replica["current"]]

    def limit(self, size):
        """Lets the log drop its oldest messages when they have more bytes, as an operator does."""
        self.tell("$JS.API.STREAM.UPDATE.CERCA", json.dumps({**self.stream()["config"], "max_bytes": size}).encode())

    def add(self):
        """The number of one more node, which knows of the others, and they do not of it."""
        self.node_ports.append(free_port())
        self.nodes.append(self.node(len(self.nodes)))
        return len(self.nodes) - 1

    def positions(self):
        return self.positions_of(range(len(self.nodes)))

    def positions_of(self, numbers):
        found = []
        for port in (self.node_ports[number] for number in numbers):
            try:
                found.append(int(ask(port, "GET", "/livez", timeout=2).headers["Cerca-Position"]))
            except (OSError, TypeError):
                found.append(None)
        return found

    def settle(self, seconds=60):
        """Waits until all nodes are ready and know what one of them knew; how long that took, or nothing if they never do."""
        begun, known = time.monotonic(), 0
        while time.monotonic() - begun < seconds:
            positions = [position or 0 for position in self.positions()]
            if known and min(positions) >= known and all(self.ready(number) for number in range(len(self.nodes))):
                return time.monotonic() - begun
            known = known or max(positions)
            time.sleep(0.2)
        return None


    def remove(self):
        """Takes away what ``prepare`` made, when all has stopped."""


class Reply:
    def __init__(self, answer):
        self.status, self.headers, self.body = answer.status, answer.headers, answer.read()

    @property
    def json(self):
        return json.loads(self.body)


@contextlib.contextmanager
def entered(namespace):
    """In a network namespace, this thread only: sockets that are made meanwhile stay there."""
    with open("/proc/thread-self/ns/net") as own, open(f"/run/netns/{namespace}") as other:
        if LIBC.setns(other.fileno(), 0):
            raise OSError(ctypes.get_errno(), f"{namespace} cannot be entered")
        try:
            yield
        finally:
            LIBC.setns(own.fileno(), 0)


class Connection(http.client.HTTPConnection):
    def connect(self):
        with entered(NAMESPACES[self.port]) if self.port in NAMESPACES else contextlib.nullcontext():
            super().connect()


def connect(port, timeout=90):
    return Connection("127.0.0.1", port, timeout=timeout)


def ask(port, method, path, body=None, timeout=60, headers=None, connection=None, text=None):
    """Sends a body as JSON, or a text of lines of JSON."""
    own = connection or connect(port, timeout)
    try:
        kind = {"content-type": "application/x-ndjson" if text else "application/json"} if text or body is not None else {}
        own.request(method, path, json.dumps(body) if body is not None else text, {**kind, **(headers or {})})
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
        # The row number of a ping depends on the order of compaction.
        kept = [column for column in columns if (name, column) != ("pings", "number")]
        chosen = ", ".join(f'"{column}"' for column in kept)
        text, count = hashlib.sha256(), 0
        for row in database.execute(f'SELECT {chosen} FROM "{name}" ORDER BY {", ".join(map(str, range(1, len(kept) + 1)))}'):
            text.update(repr(row).encode())
            count += 1
        found[name] = (count, text.hexdigest()[:16])
    database.close()
    return found


class Secured(Cluster):
    """Servers and nodes that show each other certificates, which one authority signed."""

    def prepare(self):
        made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        signed = ["-CA", f"{self.folder}/authority.pem", "-CAkey", f"{self.folder}/authority.key", "-addext",
                  "subjectAltName=IP:127.0.0.1"]
        for name in ("authority", "own"):
            run(*made, "-subj", f"/CN={name}", "-keyout", f"{self.folder}/{name}.key", "-out", f"{self.folder}/{name}.pem",
                *(signed if name == "own" else []), stderr=subprocess.DEVNULL)

    def tls(self):
        return (f'tls {{ cert_file: "{self.folder}/own.pem", key_file: "{self.folder}/own.key", '
                f'ca_file: "{self.folder}/authority.pem", verify: true }}')

    def certificates(self):
        return {"CERCA_CLUSTER_AUTHORITY": f"{self.folder}/authority.pem", "CERCA_CLUSTER_CERTIFICATE": f"{self.folder}/own.pem",
                "CERCA_CLUSTER_KEY": f"{self.folder}/own.key"}


class Machines(Cluster):
    """A server and a node on each of three machines, which are network namespaces, with disks that are images of file systems."""
    DISK = 512 << 20

    def __init__(self, program, nodes, folder):
        self.name = f"cerca{os.getpid()}"
        super().__init__(program, nodes, folder)

    def machine(self, number):
        return f"{self.name}-{number}"

    def prepare(self):
        hub = f"{self.name}-hub"
        run("ip", "netns", "add", hub)
        run("ip", "-n", hub, "link", "add", "hub", "type", "bridge")
        run("ip", "-n", hub, "link", "set", "hub", "up")
        for number, port in enumerate(self.node_ports):
            machine = self.machine(number)
            run("ip", "netns", "add", machine)
            run("ip", "link", "add", "eth0", "netns", machine, "type", "veth", "peer", f"m{number}", "netns", hub)
            run("ip", "-n", hub, "link", "set", f"m{number}", "master", "hub", "up")
            run("ip", "-n", machine, "address", "add", f"{self.host(number)}/24", "dev", "eth0")
            for link in ("lo", "eth0"):
                run("ip", "-n", machine, "link", "set", link, "up")
            NAMESPACES[port] = machine
            self.format(number)
            self.mount(number)

    def host(self, number):
        return f"10.77.0.{number + 1}"

    def address(self, number):
        return f"http://{self.host(number)}:8000"

    def within(self, number):
        return ["ip", "netns", "exec", self.machine(number)]

    def namespace(self, number):
        return f"namespace {self.machine(number)}"

    def proxies(self):
        """On each machine the way to its node, which itself listens on loopback."""
        return "".join(f"""
frontend copies{number}
    bind {self.host(number)}:8000 {self.namespace(number)}
    http-request set-header Host 127.0.0.1:{port}
    default_backend node{number}
backend node{number}
    server node{number} 127.0.0.1:{port} {self.namespace(number)}
""" for number, port in enumerate(self.node_ports))

    def cut(self, number):
        """Takes a machine off the network."""
        run("ip", "-n", f"{self.name}-hub", "link", "set", f"m{number}", "down")

    def join(self, number):
        run("ip", "-n", f"{self.name}-hub", "link", "set", f"m{number}", "up")

    def disk(self, number):
        return f"{self.folder}/disk{number}"

    def data(self, number):
        return f"{self.disk(number)}/node"

    def store(self, number):
        return f"{self.disk(number)}/log"

    def format(self, number):
        with open(f"{self.disk(number)}.image", "wb") as image:
            image.truncate(self.DISK)
        run("mkfs.ext4", "-q", f"{self.disk(number)}.image")
        os.mkdir(self.disk(number))

    def mount(self, number):
        run("mount", "-o", "loop", f"{self.disk(number)}.image", self.disk(number))

    def lose_power(self):
        """Ends everything at once; of the disks is left what was written to them, and not what was to be."""
        processes = self.nodes + self.servers
        for process in processes:
            process.signal(signal.SIGSTOP)
        for number in range(3):
            run("cp", "--sparse=always", f"{self.disk(number)}.image", f"{self.disk(number)}.left")
        for process in processes:
            process.kill()
        for number in range(3):
            run("umount", self.disk(number))
            os.replace(f"{self.disk(number)}.left", f"{self.disk(number)}.image")
            self.mount(number)

    def remove(self):
        for number in range(3):
            run("umount", self.disk(number))
            run("ip", "netns", "delete", self.machine(number))
        run("ip", "netns", "delete", f"{self.name}-hub")


def run(*command, **options):
    subprocess.run(command, check=True, **options)
