"""Requests, answers, errors and retries: everything that both clients share, without input or output."""

from __future__ import annotations

import ipaddress
import json
import random
import re
from collections.abc import AsyncIterable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx

from ._described import JOINED, REPEATABLE, SPELLED

Token = str | Callable[[], str]


class CercaError(Exception):
    """A failed request: the service's problem document (RFC 9457), or a missing answer.

    It contains neither the token nor the query of the request, which may have positions.
    """

    def __init__(self, request: str, status: int | None, problem: Mapping[str, Any], headers: Mapping[str, str]):
        self.request = request
        """The method and path."""
        self.status = status
        """The status of the answer; None if there was none."""
        self.code: str | None = problem.get("code")
        """The code of the problem for programs, such as `not_found`."""
        self.detail: str = problem.get("detail") or problem.get("title") or ""
        """The problem, for people."""
        self.errors: list[dict[str, str]] = problem.get("errors") or []
        """Errors of single members of a body, or of parameters: `pointer`, `code`, `detail`."""
        self.request_id = headers.get("x-request-id")
        """The id of the request in the service's log."""
        seconds = headers.get("retry-after", "")
        self.retry_after = int(seconds) if re.fullmatch(r"\d{1,5}", seconds) else None
        """The seconds to wait before a retry."""
        self.is_transient = status in (None, 429, 503)
        """Whether a retry may succeed: no complete answer came, or the status is 429 or 503."""
        head = " ".join(str(part) for part in (status, self.code) if part is not None)
        tail = f" (request {self.request_id})" if self.request_id else ""
        super().__init__(f"{request}: {head}{': ' if head else ''}{self.detail}{tail}")


@dataclass(frozen=True)
class Retries:
    """How repeatable requests are sent again after a transient error."""

    attempts: int = 4
    """The maximum number of attempts, including the first."""
    first: float = 0.2
    """The pause after the first attempt in seconds, doubled after each further one, and shortened by up to half."""
    longest: float = 30
    """The maximum pause in seconds; if the service requires a longer one, the error is raised."""

    def pause(self, request: Request, error: CercaError, tries: int) -> float | None:
        """Returns the seconds before the next attempt; None for no further one."""
        asked = error.retry_after or 0
        if not (request.is_repeatable and error.is_transient) or tries >= self.attempts or asked > self.longest:
            return None
        return asked + min(self.longest, self.first * 2.0 ** (tries - 1)) * random.uniform(0.5, 1)


@dataclass(frozen=True)
class Answer:
    """A complete answer."""

    status: int
    headers: Mapping[str, str]
    body: Any
    """The value of JSON, else the text; None for none."""

    @property
    def tag(self) -> str | None:
        """The entity tag, for `If-Match`."""
        return self.headers.get("etag")


@dataclass(frozen=True)
class Request:
    """A request, whose path and query are percent-encoded."""

    method: str
    path: str
    body: bytes | Iterable[bytes] | AsyncIterable[bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_repeatable: bool = False

    @property
    def name(self) -> str:
        return f"{self.method} {self.path.split('?')[0]}"

    @classmethod
    def of(
        cls, method: str, path: str, body: object = None, parameters: Mapping[str, Any] = {},
        headers: Mapping[str, str] = {},
    ) -> Request:
        """Returns the request of an endpoint as the description writes it, such as `/v1/people/{id}`."""
        own = {"accept": "application/json, */*;q=0.5"}
        content: bytes | None = None
        if isinstance(body, bytes):
            content = body
        elif body is not None:
            content = json.dumps(body, default=_written, allow_nan=False, ensure_ascii=False).encode()
            own["content-type"] = "application/json"
        own |= {name.lower(): value for name, value in headers.items()}
        key = REPEATABLE.get(f"{method} {path}")
        if key is not None and key != "" and key not in own:
            own[key] = f"{random.SystemRandom().getrandbits(128):032x}"
        repeatable = (method not in ("POST", "PATCH") or key is not None) and not {"if-match", "if-none-match"} & {*own}
        return cls(method, _target(path, parameters), content, own, repeatable)

    def with_cursor(self, cursor: str) -> Request:
        """Returns the request for the page at a cursor."""
        path = f"{self.path}{'&' if '?' in self.path else '?'}cursor={quote(cursor, safe='')}"
        return Request(self.method, path, self.body, self.headers, self.is_repeatable)


def _target(path: str, parameters: Mapping[str, Any]) -> str:
    rest = {SPELLED.get(name, name): value for name, value in parameters.items() if value is not None}

    def segment(found: re.Match[str]) -> str:
        text = str(rest.pop(found[1], ""))
        if text in ("", ".", ".."):
            raise ValueError(f"{path}: '{found[1]}' is {'missing' if not text else 'not an id that a path can have'}")
        return quote(text, safe="")

    written = re.sub(r"\{(\w+)\}", segment, path)
    pairs = [pair for name, value in rest.items() for pair in _pairs(name, value)]
    return written + ("?" + urlencode(pairs, quote_via=quote, safe="") if pairs else "")


def _pairs(name: str, value: object) -> Iterator[tuple[str, str]]:
    if name.endswith(".*"):
        if not isinstance(value, Mapping):
            raise TypeError(f"'{name[:-2]}' takes a mapping of names to values")
        for own, one in value.items():
            yield from _pairs(f"{name[:-1]}{own}", one)
    elif isinstance(value, Mapping):
        yield name, json.dumps(value, allow_nan=False)
    elif isinstance(value, str) or not isinstance(value, Iterable):
        yield name, _text(value)
    elif name in JOINED:
        yield name, ",".join(map(_text, value))
    else:
        for one in value:
            yield name, _text(one)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _written(value) if isinstance(value, datetime) else str(value)


def _written(value: object) -> str:
    """Returns a time as RFC 3339."""
    if not isinstance(value, datetime):
        raise TypeError(f"{type(value).__name__} is not JSON")
    if value.tzinfo is None:
        raise ValueError("A time needs a time zone, such as datetime.now(timezone.utc)")
    return value.isoformat()


def timed(pings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns pings that each have a time, so that sending them again stores none twice."""
    now = datetime.now(timezone.utc)
    return [{"t": now, **ping} for ping in pings]


class Caller:
    """The service's address, and the caller's token, which neither `repr` nor `vars` shows."""

    def __init__(self, url: str, token: Token | None, acting_as: str | None, cleartext: bool):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("The address of the service must begin with https:// or http:// and a host")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError("The address of the service may have no user, query or fragment")
        if token is not None and parts.scheme == "http" and not cleartext and not _is_loopback(parts.hostname):
            raise ValueError(f"A token is not sent over plain http to {parts.hostname}: use https, or cleartext=True")
        self.base = url.rstrip("/")
        self.is_secure = parts.scheme == "https"

        def headers() -> dict[str, str]:
            own = {} if token is None else {"authorization": f"Bearer {token if isinstance(token, str) else token()}"}
            own |= {} if acting_as is None else {"cerca-acting-as": acting_as}
            # The HTTP library would show an invalid value in its error.
            if not all(re.fullmatch(r"[!-~]+( [!-~]+)?", value) for value in own.values()):
                raise ValueError("A token or an id has characters that no header can have")
            return own

        self.headers = headers

    def __repr__(self) -> str:
        return repr(self.base)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_answer(response: httpx.Response) -> bool:
    """Whether a response is no refusal; 304 answers `If-None-Match`."""
    return response.is_success or response.status_code == 304


def answer(response: httpx.Response, request: Request) -> Answer:
    """Returns a response that was read; raises CercaError if its body is not what its type says."""
    body: Any = response.text or None
    if body is not None and re.search(r"[/+]json\b", response.headers.get("content-type", "")):
        try:
            body = response.json()
        except ValueError:
            problem = {"detail": "The answer is not JSON."}
            raise CercaError(request.name, response.status_code, problem, response.headers) from None
    return Answer(response.status_code, dict(response.headers), body)


def problem(response: httpx.Response, request: Request) -> CercaError:
    """Returns the error of a refusal that was read; a proxy may answer with any body."""
    try:
        document = response.json()
    except ValueError:
        document = None
    document = document if isinstance(document, dict) else {"detail": response.reason_phrase}
    return CercaError(request.name, response.status_code, document, response.headers)


@contextmanager
def without_answer(request: Request) -> Iterator[None]:
    """Turns the HTTP library's errors, which refer to the token, into CercaError."""
    try:
        yield
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        failed = CercaError(request.name, None, {"detail": f"No complete answer was received: {reason}."}, {})
    else:
        return
    raise failed


@dataclass(frozen=True)
class Message:
    """A message of a stream."""

    type: str
    data: Any
    id: str | None


class Messages:
    """Parses Server-Sent Events (WHATWG) from pieces."""

    def __init__(self, last_id: str | None):
        self.last_id = last_id
        self.retry = 3.0
        self.begin()

    def begin(self) -> None:
        """Prepares for a new connection, which repeats an incomplete message."""
        self._rest = b""
        self._fields: dict[str, list[str]] = {}

    def read(self, piece: bytes) -> Iterator[Message]:
        """Returns the messages that are complete after a piece, which may end anywhere."""
        # A return at the end may be half of an end of line.
        *lines, self._rest = re.split(rb"\r\n|\n|\r(?!\Z)", self._rest + piece)
        for line in lines:
            message = self._line(line.decode(errors="replace"))
            if message:
                yield message

    def _line(self, line: str) -> Message | None:
        if line:
            name, _, value = line.partition(":")
            self._fields.setdefault(name, []).append(value.removeprefix(" "))
            return None
        fields, self._fields = self._fields, {}
        self.last_id = fields.get("id", [self.last_id])[-1]
        if re.fullmatch(r"\d{1,5}", fields.get("retry", [""])[-1]):
            self.retry = int(fields["retry"][-1]) / 1000
        if "data" not in fields:
            return None
        data = "\n".join(fields["data"])
        return Message(fields.get("event", ["message"])[-1], json.loads(data) if data else None, self.last_id)
