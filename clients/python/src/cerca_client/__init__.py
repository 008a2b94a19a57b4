"""A client of Cerca, the location service."""

from ._calls import Answer, CercaError, Message, Retries
from ._clients import AsyncCerca, AsyncItems, AsyncStream, Cerca, Items, Stream
from ._frames import to_geodataframe

__all__ = [
    "Answer", "AsyncCerca", "AsyncItems", "AsyncStream", "Cerca", "CercaError", "Items", "Message", "Retries",
    "Stream", "to_geodataframe",
]
