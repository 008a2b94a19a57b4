"""Calls of the Python client that mypy accepts, and some that it must refuse: a needless `type: ignore` is an error."""

from cerca_client import AsyncCerca, Cerca


def accepted(cerca: Cerca) -> list[str]:
    cerca.put("/v1/people/{id}", {"name": "Ana"}, id="ana")
    cerca.post("/v1/pings", {"lat": 39.4, "lon": -0.3})
    cerca.delete("/v1/people/{id}/friends/{other}", id="ana", other="luis")
    cerca.get("/v1/places", kind="store", attr={"rating.gte": "4"}, fields=["id"])
    return [store.get("name", "") for store in cerca.items("/v1/stores/nearest", lat=39.4, lon=-0.3, color=["red"])]


async def awaited(cerca: AsyncCerca) -> list[str]:
    await cerca.get("/v1/people/{id}", id="ana")
    return [place.get("name", "") async for place in cerca.items("/v1/places")]


def refused(cerca: Cerca) -> None:
    cerca.get("/v1/persons")  # type: ignore[call-overload]
    cerca.get("/v1/people/{id}")  # type: ignore[call-overload]
    cerca.get("/v1/places", colour="red")  # type: ignore[call-overload]
    cerca.items("/v1/places/nearest", lat="north", lon=0)  # type: ignore[call-overload]
    cerca.put("/v1/people/{id}", {"nam": "Ana"}, id="ana")  # type: ignore[call-overload]
    cerca.get("/v1/people/{id}", id="ana")["nam"]  # type: ignore[typeddict-item]
