"""The program with the sample data, for tools that ask it."""

import json
import os
import re
import subprocess
import threading
import urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLES = [("people", ["people"]), ("friends", ["friends"]), ("places", ["stores-bestbuy", "stores-shoes", "stores-bicycles"]),
           ("products", ["products", "products-bicycles"]), ("stock", ["stock", "stock-bicycles"]),
           ("pings", ["pings"])]


class Service:
    """The program with the sample data and some settings."""

    def __init__(self, program, folder, settings):
        self.program, self.data = program, f"{folder}/data"
        self.environment = {**os.environ, "CERCA_LOG_FORMAT": "text", **settings}
        if not os.path.exists(self.data):
            for kind, files in SAMPLES:
                self.run("import", kind, *[f"{TOP}/data/sample/{file}.csv" for file in files], "--data", self.data)
        self.process = subprocess.Popen([program, "serve", "--data", self.data, "--port", "0"], env=self.environment,
                                        stderr=subprocess.PIPE, text=True)
        said = next(filter(None, (re.search(r"listening on (\S+)", line) for line in self.process.stderr)))
        self.url = said.group(1)
        # Drains the remaining output, so that the service never blocks on the pipe.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def run(self, *arguments):
        command = [self.program, *arguments]
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout.strip()

    @property
    def simulator(self):
        """The program that moves a crowd, which is built beside this one."""
        return f"{os.path.dirname(self.program)}/simulator"

    def put(self, path, body):
        return self.post(path, body, "PUT")

    def post(self, path, body, method="POST"):
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"content-type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def request(self, method, path):
        with urllib.request.urlopen(urllib.request.Request(self.url + path, method=method), timeout=30) as answer:
            return answer.read()

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return json.load(answer)

    def close(self):
        self.process.terminate()
        self.process.wait()
