"""The clients: one that waits, and one for asyncio."""

from __future__ import annotations

import asyncio
import random
import ssl
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Generic, Self, TypeVar

import httpx

from ._calls import Answer, Caller, CercaError, Message, Messages, Request, Retries, Token
from ._calls import answer, is_answer, problem, timed, without_answer
from ._described import AsyncDescribed, Described

Item = TypeVar("Item")


class _Client:
    """The settings of a client."""

    def __init__(
        self, url: str, *, token: Token | None = None, acting_as: str | None = None, retries: Retries = Retries(),
        timeout: float = 60, cleartext: bool = False, verify: ssl.SSLContext | bool = True,
    ):
        """Creates a client without connecting.

        url: the base address of the service, such as `http://127.0.0.1:8080`.
        token: the token of a person, service or device, or a function that returns it; None for a service without keys.
        acting_as: the person for whom a service acts.
        timeout: the seconds of silence after which a request fails.
        cleartext: whether a token may be sent over plain http to another machine.
        verify: the trusted certificates.
        """
        self._caller = Caller(url, token, acting_as, cleartext)
        self._retries = retries
        # No other origin gets the token, after a redirect or, over plain http, from a proxy.
        self._open_pool(
            timeout=httpx.Timeout(timeout, connect=min(timeout, 10)), verify=verify, follow_redirects=False,
            trust_env=self._caller.is_secure)

    def _open_pool(self, **options: Any) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._caller!r})"

    def _built(self, http: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
        headers = {**request.headers, **self._caller.headers()}
        return http.build_request(request.method, self._caller.base + request.path, headers=headers, content=request.body)


class Cerca(_Client, Described):
    """A client of a running service, with the identity of the caller. Its methods raise CercaError."""

    def _open_pool(self, **options: Any) -> None:
        self._http = httpx.Client(**options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def request(
        self, method: str, path: str, body: object = None, *, headers: Mapping[str, str] = {}, **parameters: Any,
    ) -> Answer:
        """Sends any request and returns the complete answer, with its headers; bytes are sent as they are."""
        request = Request.of(method, path, body, parameters, headers)
        return answer(self._perform(request), request)

    def _json(self, method: str, path: str, body: object, parameters: Mapping[str, Any]) -> Any:
        return self.request(method, path, body, **parameters).body

    def _items(self, path: str, parameters: Mapping[str, Any]) -> Items[Any]:
        return Items(self, Request.of("GET", path, None, parameters))

    def upload(
        self, path: str, content: bytes | Iterable[bytes], content_type: str, **parameters: Any,
    ) -> Any:
        """Sends a file, such as an import, once, and returns the JSON of the answer."""
        request = Request.of("POST", path, None, parameters, {"content-type": content_type})
        return answer(self._perform(replace(request, body=content)), request).body

    def send_batches(self, pings: Iterable[Mapping[str, Any]], size: int = 1000) -> Iterator[Any]:
        """Sends pings in batches, the next one when its report is asked for; a ping without a time gets the present."""
        rest = iter(pings)
        while batch := timed(islice(rest, size)):
            yield self._json("POST", "/v1/pings", batch, {})

    def download(self, path: str, *, accept: str = "*/*", **parameters: Any) -> Iterator[bytes]:
        """Returns the pieces of a long answer, such as an export; they come once, without retries."""
        request = Request.of("GET", path, None, parameters, {"accept": accept})
        response = self._once(request, whole=False)
        try:
            with without_answer(request):
                yield from response.iter_bytes()
        finally:
            response.close()

    def events(self, *, after: str | int | None = None, **filters: Any) -> Stream:
        """Follows events as they happen, after the event with an id, else from now on.

        The type `reset` means that events are missing: read again everything that you follow.
        """
        return Stream(self, "/v1/events", filters, after)

    def follow(self, path: str, **parameters: Any) -> Stream:
        """Follows a list such as `/v1/places/nearest`: `reset` empties it, `put` has an item, `remove` an `id`."""
        return Stream(self, path, parameters, None)

    def _once(self, request: Request, whole: bool) -> httpx.Response:
        with without_answer(request):
            response = self._http.send(self._built(self._http, request), stream=True)
            if whole or not is_answer(response):
                response.read()
        if not is_answer(response):
            raise problem(response, request)
        return response

    def _perform(self, request: Request, whole: bool = True) -> httpx.Response:
        tries = 1
        while True:
            try:
                return self._once(request, whole)
            except CercaError as error:
                pause = self._retries.pause(request, error, tries)
                if pause is None:
                    raise
            time.sleep(pause)
            tries += 1


class Items(Generic[Item]):
    """The items of a list, whose pages are requested when they are needed; each loop begins with the first."""

    def __init__(self, cerca: Cerca, request: Request):
        self._cerca, self._request = cerca, request

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page["items"]

    def pages(self) -> Iterator[dict[str, Any]]:
        """The pages as they are answered; a page may be empty although more follow."""
        request = self._request
        while True:
            page = answer(self._cerca._perform(request), request).body
            yield page
            if "cursor" not in page:
                return
            request = self._request.with_cursor(page["cursor"])


class Stream:
    """Messages as they come, until the service refuses.

    A stream that ends or breaks is opened again after its last message. If it cannot be opened within the client's
    retries, CercaError is raised.
    """

    def __init__(self, cerca: Cerca, path: str, parameters: Mapping[str, Any], after: str | int | None):
        self._cerca, self._path, self._parameters = cerca, path, parameters
        self.last_id = None if after is None else str(after)
        """The id after which the stream continues."""

    def __iter__(self) -> Iterator[Message]:
        messages = Messages(self.last_id)
        while True:
            request = _stream(self._path, self._parameters, messages)
            response = self._cerca._perform(request, whole=False)
            try:
                for piece in response.iter_bytes():
                    for message in messages.read(piece):
                        self.last_id = message.id
                        yield message
            except httpx.HTTPError:
                pass  # The stream is opened again, and an error of that is raised.
            finally:
                response.close()
            time.sleep(messages.retry * random.uniform(0.5, 1))


class AsyncCerca(_Client, AsyncDescribed):
    """A client of a running service for asyncio, with the identity of the caller. Its methods raise CercaError."""

    def _open_pool(self, **options: Any) -> None:
        self._http = httpx.AsyncClient(**options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def request(
        self, method: str, path: str, body: object = None, *, headers: Mapping[str, str] = {}, **parameters: Any,
    ) -> Answer:
        """Sends any request and returns the complete answer, with its headers; bytes are sent as they are."""
        request = Request.of(method, path, body, parameters, headers)
        return answer(await self._perform(request), request)

    async def _json(self, method: str, path: str, body: object, parameters: Mapping[str, Any]) -> Any:
        return (await self.request(method, path, body, **parameters)).body

    def _items(self, path: str, parameters: Mapping[str, Any]) -> AsyncItems[Any]:
        return AsyncItems(self, Request.of("GET", path, None, parameters))

    async def upload(
        self, path: str, content: bytes | AsyncIterable[bytes], content_type: str, **parameters: Any,
    ) -> Any:
        """Sends a file, such as an import, once, and returns the JSON of the answer."""
        request = Request.of("POST", path, None, parameters, {"content-type": content_type})
        return answer(await self._perform(replace(request, body=content)), request).body

    async def send_batches(self, pings: Iterable[Mapping[str, Any]], size: int = 1000) -> AsyncIterator[Any]:
        """Sends pings in batches, the next one when its report is asked for; a ping without a time gets the present."""
        rest = iter(pings)
        while batch := timed(islice(rest, size)):
            yield await self._json("POST", "/v1/pings", batch, {})

    async def download(self, path: str, *, accept: str = "*/*", **parameters: Any) -> AsyncIterator[bytes]:
        """Returns the pieces of a long answer, such as an export; they come once, without retries."""
        request = Request.of("GET", path, None, parameters, {"accept": accept})
        response = await self._once(request, whole=False)
        try:
            with without_answer(request):
                async for piece in response.aiter_bytes():
                    yield piece
        finally:
            await response.aclose()

    def events(self, *, after: str | int | None = None, **filters: Any) -> AsyncStream:
        """Follows events as they happen, after the event with an id, else from now on.

        The type `reset` means that events are missing: read again everything that you follow.
        """
        return AsyncStream(self, "/v1/events", filters, after)

    def follow(self, path: str, **parameters: Any) -> AsyncStream:
        """Follows a list such as `/v1/places/nearest`: `reset` empties it, `put` has an item, `remove` an `id`."""
        return AsyncStream(self, path, parameters, None)

    async def _once(self, request: Request, whole: bool) -> httpx.Response:
        with without_answer(request):
            response = await self._http.send(self._built(self._http, request), stream=True)
            if whole or not is_answer(response):
                await response.aread()
        if not is_answer(response):
            raise problem(response, request)
        return response

    async def _perform(self, request: Request, whole: bool = True) -> httpx.Response:
        tries = 1
        while True:
            try:
                return await self._once(request, whole)
            except CercaError as error:
                pause = self._retries.pause(request, error, tries)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
            tries += 1


class AsyncItems(Generic[Item]):
    """The items of a list, whose pages are requested when they are needed; each loop begins with the first."""

    def __init__(self, cerca: AsyncCerca, request: Request):
        self._cerca, self._request = cerca, request

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page["items"]:
                yield item

    async def pages(self) -> AsyncIterator[dict[str, Any]]:
        """The pages as they are answered; a page may be empty although more follow."""
        request = self._request
        while True:
            page = answer(await self._cerca._perform(request), request).body
            yield page
            if "cursor" not in page:
                return
            request = self._request.with_cursor(page["cursor"])


class AsyncStream:
    """Messages as they come, until the service refuses.

    A stream that ends or breaks is opened again after its last message. If it cannot be opened within the client's
    retries, CercaError is raised.
    """

    def __init__(self, cerca: AsyncCerca, path: str, parameters: Mapping[str, Any], after: str | int | None):
        self._cerca, self._path, self._parameters = cerca, path, parameters
        self.last_id = None if after is None else str(after)
        """The id after which the stream continues."""

    async def __aiter__(self) -> AsyncIterator[Message]:
        messages = Messages(self.last_id)
        while True:
            request = _stream(self._path, self._parameters, messages)
            response = await self._cerca._perform(request, whole=False)
            try:
                async for piece in response.aiter_bytes():
                    for message in messages.read(piece):
                        self.last_id = message.id
                        yield message
            except httpx.HTTPError:
                pass  # The stream is opened again, and an error of that is raised.
            finally:
                await response.aclose()
            await asyncio.sleep(messages.retry * random.uniform(0.5, 1))


def _stream(path: str, parameters: Mapping[str, Any], messages: Messages) -> Request:
    messages.begin()
    own = {} if messages.last_id is None else {"last-event-id": messages.last_id}
    return Request.of("GET", path, None, parameters, {"accept": "text/event-stream"} | own)
