"""Several nodes on one log: started for people to try, or broken to see what holds."""
import argparse, shutil, signal, subprocess, sys, tempfile

from faults import Tests
from figures import Figures
from nodes import TOP, Cluster

SAMPLES = [("people", "people"), ("friends", "friends"), ("places", "stores-bestbuy"), ("places", "stores-shoes"),
           ("places", "stores-bicycles"), ("products", "products"), ("products", "products-bicycles"),
           ("stock", "stock"), ("stock", "stock-bicycles"), ("pings", "pings")]


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
    parser.add_argument("--people", type=int, default=1_000_000, help="how many a new node fetches in bench")
    parser.add_argument("command", choices=["up", "test", "bench"])
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.command == "up":
        up(options.program, int(options.names[0]) if options.names else 3)
    elif options.command == "bench":
        Figures(options.program, options.seconds, options.people).run(options.names)
    else:
        sys.exit(Tests(options.program, options.seconds).run(options.names))
