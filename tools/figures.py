"""What a cluster costs and what it gives, beside a service without a log, on one machine: see tools/cluster bench."""
import os, re, shutil, subprocess, tempfile, time

from nodes import TOP, Cluster, ask

WIRE = f"{TOP}/tools/wire.lua"
EPOCH = 1_767_398_400  # where the pings of wire.lua begin


def processor(processes):
    """The seconds of a processor that each process has had."""
    def one(process):
        with open(f"/proc/{process.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return [one(process) for process in processes]


def spent(before, after, share):
    """Microseconds of a processor for each of a number of things."""
    return " + ".join(f"{(late - early) / share * 1e6:.1f}" for early, late in zip(before, after))


def memory(process):
    with open(f"/proc/{process.process.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) * 1024


def size(folder):
    return sum(os.path.getsize(os.path.join(path, file)) for path, _, files in os.walk(folder) for file in files)


class Wire:
    """wrk, which asks a node for some seconds."""

    def __init__(self, port, length, connections, *arguments):
        self.process = subprocess.Popen(
            ["wrk", "-t1", f"-c{connections}", f"-d{length}s", "--timeout", "60s", "-s", WIRE, f"http://127.0.0.1:{port}", "--",
             *map(str, arguments)], stdout=subprocess.PIPE, text=True)

    def wait(self):
        """How many were answered in which time, and milliseconds at p50 and p99."""
        told, _ = self.process.communicate()
        values = re.search(r"^wire (.*)$", told, re.MULTILINE)[1].split()
        if values[3] != "0":
            raise SystemExit(f"{values[3]} requests failed")
        if values[7] != "0":
            print(f"{values[7]} of {values[0]} requests were refused, as more waited than are answered in time", flush=True)
        return int(values[0]) - int(values[7]), float(values[1]), float(values[4]), float(values[5])


class Figures:
    BATCH = 500

    def __init__(self, program, seconds, people):
        self.program, self.seconds, self.people, self.step = program, seconds, people, 1
        self.crowd = min(people, 10_000)

    def run(self, names):
        with tempfile.TemporaryDirectory(prefix="cerca-figures-") as folder:
            self.folder = folder
            with open(f"{folder}/questions", "w") as file:
                for index in range(1000):
                    file.write(f"GET /v1/places/nearest?lat={30 + index % 40 * 0.4:.1f}&lon={-120 + index // 40 * 1.8:.1f}&limit=10\n")
            for nodes in (0, 1, 2, 3) if not names or "rates" in names else ():
                cluster = self.begin(nodes, self.crowd)
                self.name = f"nodes: {nodes}" if nodes else "no log"
                try:
                    self.reads(cluster)
                    self.writes(cluster)
                    if nodes == 3:
                        self.catching_up(cluster)
                finally:
                    self.end(cluster)
            if not names or "join" in names:
                self.joining()

    def begin(self, nodes, people):
        """Nodes with people who have been somewhere each, or a service without a log."""
        folder = tempfile.mkdtemp(dir=self.folder)
        cluster = Cluster(self.program, max(nodes, 1), folder)
        for kind, head, line in (
                ("people", "id", lambda index: f"p{index}"),
                ("pings", "person,t,lat,lon",
                 lambda index: f"p{index},{EPOCH - 1000},{39.99 + index % 100 * 0.1:.4f},{-150 + index // 100 % 3000 * 0.1:.1f}")):
            with open(f"{folder}/{kind}.csv", "w") as file:
                file.write(head + "\n")
                file.writelines(line(index) + "\n" for index in range(people))
            subprocess.run([self.program, "import", kind, file.name, "--data", cluster.data(0)], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([self.program, "import", "places", f"{TOP}/data/sample/stores-bestbuy.csv", "--data", cluster.data(0)],
                       check=True, stdout=subprocess.DEVNULL)
        if nodes:
            for server in cluster.servers:
                server.start()
        else:
            cluster.servers = []
            command = cluster.nodes[0].command
            cluster.nodes[0].command = command[:command.index("--cluster")]
        for number in range(len(cluster.nodes)):
            cluster.start_node(number)
        return cluster

    def end(self, cluster):
        cluster.stop()
        shutil.rmtree(cluster.folder)

    def say(self, what):
        print(f"{self.name}: {what}", flush=True)

    def reads(self, cluster):
        before, each = processor(cluster.nodes), max(1, 6 // len(cluster.nodes))
        found = [wire.wait() for wire in [
            Wire(port, self.seconds, each, "questions", f"{self.folder}/questions") for port in cluster.node_ports]]
        count = sum(one[0] for one in found)
        used = sum(late - early for early, late in zip(before, processor(cluster.nodes)))
        self.say(f"{sum(one[0] / one[1] for one in found):.0f} readings of the 10 nearest stores a second, p99 "
                 f"{max(one[3] for one in found):.1f} ms, {used / count * 1e6:.0f} µs of a processor each")

    def send(self, cluster, batch, connections, length):
        """Pings to the first node, each to be stored: how many, in which time, and milliseconds at p50 and p99."""
        count, length, p50, p99 = Wire(cluster.node_ports[0], length, connections, "pings", batch, self.crowd, self.step).wait()
        self.step += (count + connections) * batch // self.crowd + 1
        return count * batch, length, p50, p99

    def writes(self, cluster):
        for what, batch, connections in (("one at a time", 1, 1), (f"in batches of {self.BATCH} by 6", self.BATCH, 6)):
            before = processor(cluster.nodes), processor(cluster.servers)
            count, length, p50, p99 = self.send(cluster, batch, connections, self.seconds)
            if cluster.servers:
                cluster.settle()
            self.say(f"{count / length:.0f} pings a second to one node {what}, p50 {p50:.1f} ms, p99 {p99:.1f} ms; µs of a processor "
                     f"each: nodes {spent(before[0], processor(cluster.nodes), count)}"
                     + (f", servers {spent(before[1], processor(cluster.servers), count)}" if cluster.servers else ""))

    def catching_up(self, cluster):
        """A node comes back that has missed something: how fast it has that, from its start and from when it answers."""
        first = cluster.positions_of([2])[0]
        cluster.nodes[2].stop()
        cluster.nodes[2].process = None
        count, length, *_ = self.send(cluster, self.BATCH, 6, self.seconds)
        goal, begun = cluster.positions_of([0])[0], time.monotonic()
        cluster.nodes[2].start()
        self.until(lambda: cluster.positions_of([2])[0])
        answers, used, left = time.monotonic(), processor(cluster.nodes)[2], goal - cluster.positions_of([2])[0]
        self.until(lambda: (cluster.positions_of([2])[0] or 0) >= goal)
        end, used = time.monotonic(), processor(cluster.nodes)[2] - used
        self.until(lambda: cluster.ready(2))
        rest = count * left / (goal - first)
        self.say(f"a node that missed {count} pings, told at {count / length:.0f} a second, has them {end - begun:.2f} s after its "
                 f"start, {count / (end - begun):.0f} a second, and is ready {time.monotonic() - end:.2f} s later; once it answered "
                 f"it had {rest / (end - answers):.0f} a second, with {used / (end - answers):.2f} of a processor, "
                 f"{used / rest * 1e6:.1f} µs each")

    def until(self, holds):
        for _ in range(6000):
            if holds():
                return
            time.sleep(0.02)
        raise SystemExit(f"{self.name}: it does not come to that")

    def joining(self):
        """A node with an empty folder comes to one with many people."""
        cluster = self.begin(1, self.people)
        self.name = f"{self.people} people"
        data, log = size(cluster.data(0)), size(cluster.store(0))
        other = Cluster(self.program, 2, tempfile.mkdtemp(dir=self.folder))
        command = cluster.nodes[0].command
        joining = other.nodes[1]
        joining.command = [other.data(1) if part == cluster.data(0) else str(other.node_ports[1]) if part == str(cluster.node_ports[0])
                           else part for part in command]
        joining.environment = {**cluster.nodes[0].environment, "CERCA_CLUSTER_NODES": cluster.address(0)}
        took = other.start_node(1)
        self.say(f"{data / self.people:.0f} bytes of file and {memory(cluster.nodes[0]) / self.people:.0f} of memory each, where "
                 f"everybody was somewhere once; a new node is ready after {took:.1f} s and holds {memory(joining) / self.people:.0f} "
                 f"bytes each")
        before = size(cluster.store(0))
        count, *_ = self.send(cluster, self.BATCH, 6, self.seconds)
        self.say(f"the log of a server grew by {(size(cluster.store(0)) - before) / count:.0f} bytes a ping, from {log} bytes")
        joining.stop()
        self.end(cluster)
