"""A receiver of webhooks: receiver.py FOLDER prints its port, and writes a line of JSON for each message to FOLDER/received.

The last part of a path says how it answers, the first one whose secret a message is verified with: FOLDER/NAME.secret. Messages are
verified by the library standardwebhooks.
"""

import http.server
import json
import pathlib
import sys
import threading
import time

import standardwebhooks

folder = pathlib.Path(sys.argv[1])
log = open(folder / "received", "a", buffering=1)
lock = threading.Lock()
seen = set()


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        name, kind = self.path.strip("/").split("/")
        secrets = (folder / f"{name}.secret").read_text().split()
        verified = []
        for secret in secrets:
            try:
                standardwebhooks.Webhook(secret).verify(body, dict(self.headers))
                verified.append(True)
            except standardwebhooks.WebhookVerificationError:
                verified.append(False)
        identity = self.headers["webhook-id"]
        # A body that a kill cut off is not a message.
        message = json.loads(body)
        with lock:
            is_new = (name, identity) not in seen
            seen.add((name, identity))
            line = {"name": name, "kind": kind, "id": identity, "verified": verified, "body": message}
            log.write(json.dumps(line) + "\n")
        if kind == "silent":
            return time.sleep(3600)
        status = {"gone": 410, "redirect": 302, "down": 503, "flaky": 500 if is_new else 204}.get(kind, 200)
        self.send_response(status)
        if kind == "flaky":
            self.send_header("retry-after", "1")
        if kind == "redirect":
            self.send_header("location", f"/{name}/trap")
        if kind == "endless":
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
