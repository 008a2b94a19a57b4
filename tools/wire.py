"""A connection to the service that breaks as its address says.

The first request to `/FAULT.NAME/...` gets the fault, and further ones the service's answer:

    lost      the service answers, but the answer is lost
    busy-N    503 with `Retry-After: N`, without the service
    cut       the stream breaks after the first message that has an id
    moved     a redirect to another origin

`/seen/FAULT.NAME` has the headers of the requests that came. `elsewhere` counts requests at the other origin.
"""

import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Wire:
    """A proxy of the service on a port of its own, and another origin."""

    def __init__(self, service_url):
        self.seen, self.elsewhere = {}, []
        wire, target = self, urlsplit(service_url).netloc

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self):
                if self.server is wire.other:
                    wire.elsewhere.append(dict(self.headers))
                    return self.refuse(404, {})
                name, _, rest = self.path[1:].partition("/")
                if name == "seen":
                    return self.refuse(200, {}, json.dumps(wire.seen.get(rest, [])).encode())
                requests = wire.seen.setdefault(name, [])
                requests.append({"path": f"/{rest}", **{key.lower(): value for key, value in self.headers.items()}})
                fault = name.split(".")[0] if len(requests) == 1 else ""
                if fault.startswith("busy"):
                    return self.refuse(503, {"retry-after": fault.split("-")[1]})
                if fault == "moved":
                    return self.refuse(307, {"location": f"http://127.0.0.1:{wire.other.server_port}/{rest}"})
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                service = http.client.HTTPConnection(target, timeout=30)
                headers = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "connection")}
                service.request(self.command, f"/{rest}", body, headers)
                answer = service.getresponse()
                if fault == "lost":
                    answer.read()
                else:
                    self.send_response(answer.status)
                    for key, value in answer.getheaders():
                        if key.lower() not in ("transfer-encoding", "connection", "date", "server"):
                            self.send_header(key, value)
                    self.end_headers()
                    self.pass_on(answer, fault == "cut")
                service.close()

            def pass_on(self, answer, breaks):
                sent = b""
                while piece := answer.read1():
                    self.wfile.write(piece)
                    self.wfile.flush()
                    sent += piece
                    if breaks and b"\nid: " in sent and sent.endswith(b"\n\n"):
                        return

            def refuse(self, status, headers, body=b"{}"):
                self.send_response(status)
                for key, value in {"content-type": "application/json", "content-length": len(body), **headers}.items():
                    self.send_header(key, str(value))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = answer

        self.server, self.other = (ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2))
        for server in (self.server, self.other):
            # A client that leaves is no error.
            server.handle_error = lambda *_: None
            threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        for server in (self.server, self.other):
            server.shutdown()
            server.server_close()
