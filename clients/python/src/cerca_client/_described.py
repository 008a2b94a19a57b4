"""The endpoints and documents of the service: made of /openapi.json by tools/described.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, Unpack, overload

if TYPE_CHECKING:
    from ._clients import AsyncItems, Items

Item = TypeVar("Item")

Page = TypedDict("Page", {
    "items": "list[Item]",
    "cursor": NotRequired[str],
    "truncated": NotRequired[bool],
    "count": NotRequired[int],
    "done": NotRequired[bool],
    "for": "NotRequired[Fit]",
    "explain": "NotRequired[Explanation]",
})

# Parameters whose name differs from the service's.
SPELLED = {
    "attr": "attr.*",
    "for_": "for",
    "from_": "from",
    "in_": "in",
    "store_attr": "store.attr.*",
    "store_category": "store.category",
    "with_": "with",
}

# Parameters whose values are separated by commas.
JOINED = ["bbox", "fields"]

# The requests of POST that may be sent again, with the header that makes that safe.
REPEATABLE = {
    "POST /v1/events/tickets": "",
    "POST /v1/groups": "idempotency-key",
    "POST /v1/people": "idempotency-key",
    "POST /v1/pings": "",
    "POST /v1/places": "idempotency-key",
    "POST /v1/places/{id}/comments": "idempotency-key",
    "POST /v1/query": "",
}


class Acquaintance(TypedDict):
    alerts: NotRequired[Literal["nobody", "asked"]]
    city: NotRequired[str]
    id: NotRequired[str]
    label: NotRequired[str]
    name: NotRequired[str]
    photo: NotRequired[str]
    since: NotRequired[str]
    surname: NotRequired[str]

class Answers(TypedDict):
    answers: list[dict[str, Any]]

Area: TypeAlias = 'dict[str, Any]'

class Arrival(TypedDict):
    place: str
    within_m: float

class City(TypedDict):
    country: NotRequired[str]
    distance_m: NotRequired[float]
    lat: NotRequired[float]
    lon: NotRequired[float]
    name: NotRequired[str]
    population: NotRequired[int]
    timezone: NotRequired[str]

class Comment(TypedDict):
    at: NotRequired[str]
    author: NotRequired[str]
    author_name: NotRequired[str]
    edited_at: NotRequired[str]
    id: NotRequired[str]
    text: NotRequired[str]

class CommentForm(TypedDict):
    author: NotRequired[str | None]
    text: str

class CommentPatch(TypedDict):
    text: str

class Decision(TypedDict):
    like: bool

class Deliveries(TypedDict):
    items: list[Delivery]
    through: NotRequired[int]
    waiting: NotRequired[int]

class Delivery(TypedDict):
    at: str
    error: NotRequired[str]
    event: NotRequired[int]
    id: str
    status: NotRequired[int]
    taken: bool
    took_ms: int
    type: str

class Device(TypedDict):
    id: str
    last_heard_at: NotRequired[str]
    since: str
    unreadable: NotRequired[dict[str, Any]]

class DeviceForm(TypedDict):
    id: str

class DeviceToken(TypedDict):
    id: str
    since: str
    token: str

Encounter = TypedDict("Encounter", {
    "at": 'NotRequired[str]',
    "basis": 'NotRequired[Literal["seen", "reach"]]',
    "distance_m": 'NotRequired[float]',
    "from": 'NotRequired[str]',
    "lat": 'NotRequired[float]',
    "lon": 'NotRequired[float]',
    "to": 'NotRequired[str]',
    "uncertainty_m": 'NotRequired[float]',
})

class Erased(TypedDict):
    deleted: int
    stays_cut: NotRequired[int]

class Event(TypedDict):
    at: str
    fence: NotRequired[str]
    group: NotRequired[str]
    id: int
    note: NotRequired[str]
    other: NotRequired[str]
    person: NotRequired[str]
    place: NotRequired[str]
    position: NotRequired[dict[str, Any] | None]
    precision: NotRequired[Literal["exact", "approximate", "city", "hidden"]]
    product: NotRequired[str]
    share: NotRequired[str]
    through: NotRequired[bool]
    type: Literal["ping.moved", "friend.asked", "friend.made", "friend.ended", "match.made", "match.undone", "group.changed", "group.invited", "group.joined", "group.left", "place.created", "place.changed", "place.deleted", "comment.created", "comment.changed", "comment.deleted", "favourite.count", "stock.changed", "fence.enter", "fence.exit", "fence.dwell", "fence.silent", "fence.asked", "near.enter", "near.exit", "share.opened", "share.ended", "events.limited"]

class Explanation(TypedDict):
    cut_off: NotRequired[Literal["limits.scan"]]
    duration_ms: float
    looked_at: NotRequired[int]
    parts: NotRequired[int]
    reading_ms: NotRequired[float]
    steps: int
    ways: NotRequired[list[Literal["by_distance", "in_order", "by_product", "each", "all"]]]

Facets = TypedDict("Facets", {
    "attributes": 'NotRequired[dict[str, dict[str, Any]]]',
    "count": 'int',
    "explain": 'NotRequired[Explanation]',
    "facets": 'dict[str, list[dict[str, Any]]]',
    "for": 'NotRequired[Fit]',
    "more": 'NotRequired[list[str]]',
    "truncated": 'NotRequired[bool]',
})

Favourite: TypeAlias = 'Acquaintance | Place | Product'

class Fence(TypedDict):
    area: NotRequired[FenceArea]
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    confirm: NotRequired[int]
    dwell_s: NotRequired[float]
    ends: NotRequired[str | float]
    everybody: NotRequired[bool]
    group: NotRequired[str]
    id: NotRequired[str]
    margin_m: NotRequired[float]
    near: NotRequired[Near]
    note: NotRequired[str]
    on: NotRequired[list[Literal["enter", "exit", "dwell", "silent"]]]
    once: NotRequired[bool]
    people: NotRequired[list[str]]
    silent_s: NotRequired[float]
    timetable: NotRequired[Timetable]

FenceArea: TypeAlias = 'Area | dict[str, Any]'

class FenceForm(TypedDict):
    area: NotRequired[FenceArea | None]
    attributes: NotRequired[dict[str, str | float | bool | list[str]] | None]
    confirm: NotRequired[int | None]
    dwell_s: NotRequired[float | None]
    ends: NotRequired[str | float | None]
    everybody: NotRequired[bool | None]
    group: NotRequired[str | None]
    id: NotRequired[str | None]
    margin_m: NotRequired[float | None]
    near: NotRequired[Near | None]
    note: NotRequired[str | None]
    on: NotRequired[list[Literal["enter", "exit", "dwell", "silent"]] | None]
    once: NotRequired[bool | None]
    people: NotRequired[list[str] | None]
    silent_s: NotRequired[float | None]
    timetable: NotRequired[Timetable | None]

class FieldError(TypedDict):
    code: str
    detail: str
    pointer: str

class Fit(TypedDict):
    gender: NotRequired[list[str]]
    person: str
    size: NotRequired[list[str]]
    unknown: NotRequired[list[str]]

class FriendAlerts(TypedDict):
    alerts: Literal["nobody", "asked"]

class FriendLabel(TypedDict):
    label: str

class FriendRequests(TypedDict):
    received: list[Acquaintance]
    sent: list[Acquaintance]

class Friendship(TypedDict):
    state: Literal["none", "asked", "pending", "friends"]

class Group(TypedDict):
    id: NotRequired[str]
    members: NotRequired[int]
    name: NotRequired[str]
    owner: NotRequired[str]
    photo: NotRequired[str]
    since: NotRequired[str]
    timetable: NotRequired[Timetable]

class GroupForm(TypedDict):
    id: NotRequired[str | None]
    name: str
    owner: NotRequired[str | None]
    photo: NotRequired[str | None]
    timetable: NotRequired[Timetable | None]

class GroupPatch(TypedDict):
    id: NotRequired[str | None]
    name: NotRequired[str]
    owner: NotRequired[str]
    photo: NotRequired[str | None]
    timetable: NotRequired[Timetable | None]

class Health(TypedDict):
    clock_ahead_s: NotRequired[int]
    people: NotRequired[int]
    places: NotRequired[int]
    products: NotRequired[int]
    status: Literal["ok"]

Hint = TypedDict("Hint", {
    "beyond_m": 'float',
    "from": 'dict[str, Any]',
    "not_before": 'str',
    "until": 'str',
})

class ImportReport(TypedDict):
    columns: NotRequired[list[ReadColumn]]
    columns_truncated: NotRequired[bool]
    created: NotRequired[int]
    doubted: NotRequired[list[dict[str, Any]]]
    doubted_count: NotRequired[int]
    doubted_truncated: NotRequired[bool]
    hours_not_understood: NotRequired[list[dict[str, Any]]]
    hours_not_understood_count: NotRequired[int]
    hours_not_understood_truncated: NotRequired[bool]
    normalised: NotRequired[list[dict[str, Any]]]
    normalised_count: NotRequired[int]
    normalised_truncated: NotRequired[bool]
    notes: NotRequired[list[str]]
    pruned: NotRequired[int]
    refused: list[RefusedRow]
    refused_count: int
    refused_truncated: NotRequired[bool]
    rows: int
    updated: NotRequired[int]
    verdicts: NotRequired[dict[str, int]]

class Installation(TypedDict):
    backup: NotRequired[dict[str, Any]]
    counts: dict[str, Any]
    database_bytes: NotRequired[int]
    examined_at: NotRequired[str]
    findings: NotRequired[list[dict[str, Any]]]
    schema: NotRequired[int]
    started_at: str
    version: str

class Invitation(TypedDict):
    at: NotRequired[str]
    by: NotRequired[Acquaintance]
    id: NotRequired[str]
    name: NotRequired[str]
    photo: NotRequired[str]

class MapStyle(TypedDict):
    layers: list[dict[str, Any]]
    name: NotRequired[str]
    sources: dict[str, Any]
    version: int

class Match(TypedDict):
    match: bool

class Membership(TypedDict):
    state: Literal["invited", "member"]

class Near(TypedDict):
    margin_m: NotRequired[float | None]
    of: str
    who: list[str] | Literal["friends"] | dict[str, Any]
    within_m: float

class NewPersonForm(TypedDict):
    about: NotRequired[str | None]
    attributes: NotRequired[dict[str, str | float | bool | list[str]] | None]
    born: NotRequired[str | None]
    city: NotRequired[str | None]
    discoverable: NotRequired[bool | None]
    email: NotRequired[str | None]
    name: NotRequired[str | None]
    phone: NotRequired[str | None]
    photo: NotRequired[str | None]
    relationship: NotRequired[Literal["single", "partnered", "married", "separated", "divorced", "widowed", "open", "complicated", None]]
    retention_s: NotRequired[float | None]
    searchable: NotRequired[bool | None]
    searchable_by_email: NotRequired[bool | None]
    sex: NotRequired[Literal["female", "male", "other", None]]
    sharing: NotRequired[SharingForm | None]
    surname: NotRequired[str | None]
    throttle: NotRequired[ThrottleForm | None]
    tokens_not_before: NotRequired[str | float | None]

class NewPlaceForm(TypedDict):
    address: NotRequired[str | None]
    area: NotRequired[Area | None]
    attributes: NotRequired[dict[str, str | float | bool | list[str]] | None]
    category: NotRequired[str | None]
    city: NotRequired[Any]
    created: NotRequired[Any]
    favourites: NotRequired[Any]
    hours: NotRequired[str | None]
    hours_on_holidays: NotRequired[Any]
    hours_understood: NotRequired[Any]
    hours_warnings: NotRequired[Any]
    kind: str
    lat: NotRequired[float | None]
    lon: NotRequired[float | None]
    name: str
    owner: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    timezone: NotRequired[str | None]
    timezone_guessed: NotRequired[Any]

class OGCCollection(TypedDict):
    crs: NotRequired[list[str]]
    description: NotRequired[str]
    id: str
    itemType: NotRequired[Literal["feature"]]
    links: list[OGCLink]
    title: NotRequired[str]

class OGCCollections(TypedDict):
    collections: list[OGCCollection]
    links: list[OGCLink]

class OGCConformance(TypedDict):
    conformsTo: list[str]
    links: NotRequired[list[OGCLink]]

class OGCLandingPage(TypedDict):
    description: NotRequired[str]
    links: list[OGCLink]
    title: NotRequired[str]

class OGCLink(TypedDict):
    href: str
    rel: str
    title: NotRequired[str]
    type: NotRequired[str]

class Offer(TypedDict):
    brand: NotRequired[str]
    currency: NotRequired[str]
    id: NotRequired[str]
    name: NotRequired[str]
    photo: NotRequired[str]
    price: NotRequired[int]
    quantity: NotRequired[int]
    sizes: NotRequired[dict[str, int]]

class OpenedShare(TypedDict):
    expires: str
    id: str
    label: NotRequired[str]
    precision: Literal["exact", "approximate", "city"]
    since: str
    trail: bool
    until: NotRequired[Arrival]
    url: str
    views: int

class OwnFenceForm(TypedDict):
    area: NotRequired[FenceArea | None]
    confirm: NotRequired[int | None]
    dwell_s: NotRequired[float | None]
    ends: NotRequired[str | float | None]
    id: NotRequired[str | None]
    margin_m: NotRequired[float | None]
    near: NotRequired[OwnNear | None]
    note: NotRequired[str | None]
    on: NotRequired[list[Literal["enter", "exit", "dwell", "silent"]] | None]
    once: NotRequired[bool | None]
    people: NotRequired[list[str] | None]
    silent_s: NotRequired[float | None]
    timetable: NotRequired[Timetable | None]

class OwnNear(TypedDict):
    margin_m: NotRequired[float | None]
    of: NotRequired[str | None]
    who: list[str] | Literal["friends"] | dict[str, Any]
    within_m: float

class Person(TypedDict):
    about: NotRequired[str]
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    born: NotRequired[str]
    city: NotRequired[str]
    discoverable: NotRequired[bool]
    email: NotRequired[str]
    id: NotRequired[str]
    name: NotRequired[str]
    phone: NotRequired[str]
    photo: NotRequired[str]
    relationship: NotRequired[Literal["single", "partnered", "married", "separated", "divorced", "widowed", "open", "complicated"]]
    retention_s: NotRequired[float]
    searchable: NotRequired[bool]
    searchable_by_email: NotRequired[bool]
    sex: NotRequired[Literal["female", "male", "other"]]
    sharing: NotRequired[Sharing]
    surname: NotRequired[str]
    throttle: NotRequired[dict[str, Any]]
    tokens_not_before: NotRequired[str]

class PersonExport(TypedDict):
    person: Person

class PersonForm(TypedDict):
    about: NotRequired[str | None]
    attributes: NotRequired[dict[str, str | float | bool | list[str]] | None]
    born: NotRequired[str | None]
    city: NotRequired[str | None]
    discoverable: NotRequired[bool | None]
    email: NotRequired[str | None]
    id: NotRequired[str | None]
    name: NotRequired[str | None]
    phone: NotRequired[str | None]
    photo: NotRequired[str | None]
    relationship: NotRequired[Literal["single", "partnered", "married", "separated", "divorced", "widowed", "open", "complicated", None]]
    retention_s: NotRequired[float | None]
    searchable: NotRequired[bool | None]
    searchable_by_email: NotRequired[bool | None]
    sex: NotRequired[Literal["female", "male", "other", None]]
    sharing: NotRequired[SharingForm | None]
    surname: NotRequired[str | None]
    throttle: NotRequired[ThrottleForm | None]
    tokens_not_before: NotRequired[str | float | None]

class PersonFound(TypedDict):
    at: NotRequired[str]
    city: NotRequired[str]
    id: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    name: NotRequired[str]
    seen_until: NotRequired[str]
    since: NotRequired[str]
    surname: NotRequired[str]

class PersonNearby(TypedDict):
    age_s: NotRequired[float]
    alerts: NotRequired[Literal["nobody", "asked"]]
    at: NotRequired[str]
    basis: NotRequired[Literal["seen", "reach"]]
    bearing: NotRequired[int]
    distance_m: NotRequired[float]
    id: NotRequired[str]
    label: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    method: NotRequired[Literal["last", "interpolated"]]
    name: NotRequired[str]
    next_at: NotRequired[str]
    photo: NotRequired[str]
    precision: NotRequired[Literal["exact", "approximate", "city", "hidden"]]
    seen_until: NotRequired[str]
    since: NotRequired[str]
    uncertainty_m: NotRequired[float]

PhoneCounts: TypeAlias = 'dict[str, dict[str, int]]'

class Ping(TypedDict):
    accuracy_m: NotRequired[float | None]
    altitude_m: NotRequired[float | None]
    battery: NotRequired[float | None]
    device: NotRequired[str | None]
    heading: NotRequired[float | None]
    lat: float
    lon: float
    person: NotRequired[str | None]
    speed_mps: NotRequired[float | None]
    t: NotRequired[str | float | None]

class PingReport(TypedDict):
    duplicate: NotRequired[int]
    errors: NotRequired[list[FieldError]]
    hint: NotRequired[Hint]
    hints: NotRequired[dict[str, Hint]]
    refused: NotRequired[int]
    stored: int
    throttled: int
    verdicts: list[str]

class Place(TypedDict):
    address: NotRequired[str]
    area: NotRequired[Area]
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    bearing: NotRequired[int]
    category: NotRequired[str]
    city: NotRequired[City]
    closes_at: NotRequired[str]
    created: NotRequired[str]
    distance_m: NotRequired[float]
    favourites: NotRequired[int]
    hours: NotRequired[str]
    hours_on_holidays: NotRequired[Literal["unknown"]]
    hours_understood: NotRequired[bool]
    hours_warnings: NotRequired[list[str]]
    id: NotRequired[str]
    kind: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    name: NotRequired[str]
    open: NotRequired[bool]
    opens_at: NotRequired[str]
    owner: NotRequired[str]
    since: NotRequired[str]
    tags: NotRequired[list[str]]
    timezone: NotRequired[str]
    timezone_guessed: NotRequired[str]

class PlaceCluster(TypedDict):
    count: int
    id: NotRequired[str]
    kind: NotRequired[str]
    lat: float
    lon: float
    name: NotRequired[str]

class PlaceForm(TypedDict):
    address: NotRequired[str | None]
    area: NotRequired[Area | None]
    attributes: NotRequired[dict[str, str | float | bool | list[str]] | None]
    category: NotRequired[str | None]
    city: NotRequired[Any]
    created: NotRequired[Any]
    favourites: NotRequired[Any]
    hours: NotRequired[str | None]
    hours_on_holidays: NotRequired[Any]
    hours_understood: NotRequired[Any]
    hours_warnings: NotRequired[Any]
    id: NotRequired[str | None]
    kind: str
    lat: NotRequired[float | None]
    lon: NotRequired[float | None]
    name: str
    owner: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    timezone: NotRequired[str | None]
    timezone_guessed: NotRequired[Any]

class PlacePatch(TypedDict):
    address: NotRequired[str | None]
    area: NotRequired[Area | None]
    attributes: NotRequired[dict[str, str | float | bool | list[str]] | None]
    category: NotRequired[str | None]
    city: NotRequired[Any]
    created: NotRequired[Any]
    favourites: NotRequired[Any]
    hours: NotRequired[str | None]
    hours_on_holidays: NotRequired[Any]
    hours_understood: NotRequired[Any]
    hours_warnings: NotRequired[Any]
    id: NotRequired[str | None]
    kind: NotRequired[str]
    lat: NotRequired[float | None]
    lon: NotRequired[float | None]
    name: NotRequired[str]
    owner: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    timezone: NotRequired[str | None]
    timezone_guessed: NotRequired[Any]

class Position(TypedDict):
    accuracy_m: NotRequired[float]
    age_s: NotRequired[float]
    at: str
    basis: NotRequired[Literal["seen", "reach"]]
    id: str
    lat: float
    lon: float
    method: NotRequired[Literal["last", "interpolated"]]
    next_at: NotRequired[str]
    precision: Literal["exact", "approximate", "city", "hidden"]
    seen_until: NotRequired[str]
    since: NotRequired[str]
    uncertainty_m: NotRequired[float]

class Product(TypedDict):
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    brand: NotRequired[str]
    category: NotRequired[str]
    colors: NotRequired[list[str]]
    created: NotRequired[str]
    currency: NotRequired[str]
    description: NotRequired[str]
    favourites: NotRequired[int]
    gender: NotRequired[str]
    id: NotRequired[str]
    materials: NotRequired[list[str]]
    name: NotRequired[str]
    photo: NotRequired[str]
    price: NotRequired[int]
    since: NotRequired[str]
    sizes: NotRequired[list[str]]
    url: NotRequired[str]

class ProductForm(TypedDict):
    attributes: NotRequired[dict[str, str | float | bool | list[str]] | None]
    brand: NotRequired[str | None]
    category: NotRequired[str | None]
    colors: NotRequired[list[str] | None]
    created: NotRequired[Any]
    currency: NotRequired[str | None]
    description: NotRequired[str | None]
    favourites: NotRequired[Any]
    gender: NotRequired[str | None]
    id: NotRequired[str | None]
    materials: NotRequired[list[str] | None]
    name: str
    photo: NotRequired[str | None]
    price: NotRequired[int | None]
    sizes: NotRequired[list[str] | None]
    url: NotRequired[str | None]

class PublicCell(TypedDict):
    cell: NotRequired[dict[str, Any]]
    id: str
    seen: NotRequired[Literal["now", "today", "this week"]]

class Queries(TypedDict):
    queries: list[dict[str, Any]]

class ReadColumn(TypedDict):
    doubts: NotRequired[list[dict[str, Any]]]
    name: str
    not_read: int
    read_as: NotRequired[str]
    values: int

class RefusedRow(TypedDict):
    byte: NotRequired[int]
    errors: list[FieldError]
    line: NotRequired[int]
    row: int

class Share(TypedDict):
    expires: str
    id: str
    label: NotRequired[str]
    precision: Literal["exact", "approximate", "city"]
    since: str
    trail: bool
    until: NotRequired[Arrival]
    views: int

class ShareForm(TypedDict):
    expires: NotRequired[str | float | None]
    for_s: NotRequired[float | None]
    label: NotRequired[str | None]
    precision: NotRequired[Literal["exact", "approximate", "city", None]]
    trail: NotRequired[bool | None]
    until: NotRequired[Arrival | None]

class SharedView(TypedDict):
    expires: str
    label: NotRequired[str]
    position: dict[str, Any] | None
    trail: NotRequired[list[dict[str, Any]]]

class Sharing(TypedDict):
    alerts: NotRequired[Literal["nobody", "asked", "friends"]]
    paused_until: NotRequired[str]
    precision: NotRequired[Literal["exact", "approximate", "city", "hidden"]]
    timetable: NotRequired[Timetable]
    zones: NotRequired[list[Zone]]

class SharingForm(TypedDict):
    alerts: NotRequired[Literal["nobody", "asked", "friends", None]]
    paused_until: NotRequired[str | float | None]
    precision: NotRequired[Literal["exact", "approximate", "city", "hidden", None]]
    timetable: NotRequired[Timetable | None]
    zones: NotRequired[list[Zone] | None]

class ShownPlace(TypedDict):
    address: NotRequired[str]
    id: str
    kind: str
    lat: NotRequired[float]
    lon: NotRequired[float]
    name: str

class ShownProduct(TypedDict):
    address: NotRequired[str]
    id: str
    kind: str
    lat: NotRequired[float]
    lon: NotRequired[float]
    name: str
    product: dict[str, Any]

class Stock(TypedDict):
    currency: NotRequired[str]
    price: NotRequired[int]
    product: str
    quantity: NotRequired[int]
    sizes: NotRequired[dict[str, int]]
    store: NotRequired[str]

class StockForm(TypedDict):
    currency: NotRequired[str | None]
    price: NotRequired[int | None]
    quantity: NotRequired[int | None]
    sizes: NotRequired[dict[str, int] | None]

class Store(TypedDict):
    address: NotRequired[str]
    area: NotRequired[Area]
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    bearing: NotRequired[int]
    category: NotRequired[str]
    city: NotRequired[City]
    closes_at: NotRequired[str]
    created: NotRequired[str]
    distance_m: NotRequired[float]
    favourites: NotRequired[int]
    hours: NotRequired[str]
    hours_on_holidays: NotRequired[Literal["unknown"]]
    hours_understood: NotRequired[bool]
    hours_warnings: NotRequired[list[str]]
    id: NotRequired[str]
    kind: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    name: NotRequired[str]
    open: NotRequired[bool]
    opens_at: NotRequired[str]
    owner: NotRequired[str]
    products: NotRequired[list[Offer]]
    since: NotRequired[str]
    tags: NotRequired[list[str]]
    timezone: NotRequired[str]
    timezone_guessed: NotRequired[str]

class StoredPing(TypedDict):
    accuracy_m: NotRequired[float]
    altitude_m: NotRequired[float]
    battery: NotRequired[float]
    device: NotRequired[str]
    heading: NotRequired[float]
    lat: NotRequired[float]
    lon: NotRequired[float]
    seen_until: NotRequired[str]
    speed_mps: NotRequired[float]
    suspect: NotRequired[bool]
    t: NotRequired[str]

class Stranger(TypedDict):
    about: NotRequired[str]
    age: NotRequired[int]
    city: NotRequired[str]
    distance: NotRequired[str]
    id: NotRequired[str]
    name: NotRequired[str]
    photo: NotRequired[str]
    relationship: NotRequired[Literal["single", "partnered", "married", "separated", "divorced", "widowed", "open", "complicated"]]
    seen: NotRequired[Literal["now", "today", "this week"]]
    sex: NotRequired[Literal["female", "male", "other"]]

class ThrottleForm(TypedDict):
    distance_m: NotRequired[float | None]
    interval_s: NotRequired[float | None]

class Ticket(TypedDict):
    expires: str
    ticket: str

class TileJSON(TypedDict):
    bounds: NotRequired[list[float]]
    maxzoom: NotRequired[int]
    minzoom: NotRequired[int]
    name: NotRequired[str]
    tilejson: str
    tiles: list[str]
    vector_layers: list[dict[str, Any]]

class Timetable(TypedDict):
    hours: str
    timezone: str

class TrackReport(TypedDict):
    broken_off: NotRequired[dict[str, Any]]
    format: NotRequired[str]
    interval: NotRequired[str]
    notes: NotRequired[list[str]]
    refused: list[RefusedRow]
    refused_count: int
    refused_truncated: NotRequired[bool]
    rows: int
    stored: int
    verdicts: dict[str, int]
    without_time: int

class Watcher(TypedDict):
    accepted: NotRequired[str]
    area: NotRequired[FenceArea | dict[str, Any]]
    asked: str
    dwell_s: NotRequired[float]
    ends: NotRequired[str]
    fence: str
    margin_m: NotRequired[float]
    near: NotRequired[dict[str, Any]]
    on: list[Literal["enter", "exit", "dwell", "silent"]]
    once: NotRequired[bool]
    owner: str
    silent_s: NotRequired[float]
    timetable: NotRequired[Timetable]
    watching: bool

class Webhook(TypedDict):
    disabled: NotRequired[Literal["gone", "failing"]]
    fence: NotRequired[str]
    group: NotRequired[str]
    id: NotRequired[str]
    ordered: NotRequired[bool]
    person: NotRequired[str]
    place: NotRequired[str]
    product: NotRequired[str]
    secret: NotRequired[str]
    types: NotRequired[list[Literal["ping.moved", "friend.asked", "friend.made", "friend.ended", "match.made", "match.undone", "group.changed", "group.invited", "group.joined", "group.left", "place.created", "place.changed", "place.deleted", "comment.created", "comment.changed", "comment.deleted", "favourite.count", "stock.changed", "fence.enter", "fence.exit", "fence.dwell", "fence.silent", "fence.asked", "near.enter", "near.exit", "share.opened", "share.ended", "events.limited"]]]
    url: NotRequired[str]

class WebhookForm(TypedDict):
    disabled: NotRequired[Literal["gone", "failing", None]]
    fence: NotRequired[str | None]
    group: NotRequired[str | None]
    id: NotRequired[str | None]
    ordered: NotRequired[bool | None]
    person: NotRequired[str | None]
    place: NotRequired[str | None]
    product: NotRequired[str | None]
    types: NotRequired[list[Literal["ping.moved", "friend.asked", "friend.made", "friend.ended", "match.made", "match.undone", "group.changed", "group.invited", "group.joined", "group.left", "place.created", "place.changed", "place.deleted", "comment.created", "comment.changed", "comment.deleted", "favourite.count", "stock.changed", "fence.enter", "fence.exit", "fence.dwell", "fence.silent", "fence.asked", "near.enter", "near.exit", "share.opened", "share.ended", "events.limited"]] | None]
    url: str

class WebhookSecret(TypedDict):
    former_until: str
    secret: str

class Zone(TypedDict):
    id: str
    lat: float
    lon: float
    radius_m: float

class IngestOsmandRestGet(TypedDict):
    rest: str

class OgcGet(TypedDict):
    f: NotRequired[Literal["json", "html"]]

class OgcCollectionsIdGet(TypedDict):
    id: str
    f: NotRequired[Literal["json", "html"]]

class OgcCollectionsIdItemsGet(TypedDict):
    id: str
    f: NotRequired[Literal["json", "html"]]
    bbox: NotRequired[float | Sequence[float]]
    datetime: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    category: NotRequired[str | Sequence[str]]
    tag: NotRequired[str | Sequence[str]]
    q: NotRequired[str]
    owner: NotRequired[str]
    attr: NotRequired[Mapping[str, Any]]
    person: NotRequired[str]

class OgcCollectionsIdItemsFeatureGet(TypedDict):
    id: str
    feature: str
    f: NotRequired[Literal["json", "html"]]

class PPlaceGet(TypedDict):
    place: str

class PPlaceProductGet(TypedDict):
    place: str
    product: str

class STokenGet(TypedDict):
    token: str

class CitiesGet(TypedDict):
    q: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    limit: NotRequired[int]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class EventsGet(TypedDict):
    type: NotRequired[Literal["ping.moved", "friend.asked", "friend.made", "friend.ended", "match.made", "match.undone", "group.changed", "group.invited", "group.joined", "group.left", "place.created", "place.changed", "place.deleted", "comment.created", "comment.changed", "comment.deleted", "favourite.count", "stock.changed", "fence.enter", "fence.exit", "fence.dwell", "fence.silent", "fence.asked", "near.enter", "near.exit", "share.opened", "share.ended", "events.limited"] | Sequence[Literal["ping.moved", "friend.asked", "friend.made", "friend.ended", "match.made", "match.undone", "group.changed", "group.invited", "group.joined", "group.left", "place.created", "place.changed", "place.deleted", "comment.created", "comment.changed", "comment.deleted", "favourite.count", "stock.changed", "fence.enter", "fence.exit", "fence.dwell", "fence.silent", "fence.asked", "near.enter", "near.exit", "share.opened", "share.ended", "events.limited"]]]
    person: NotRequired[str]
    place: NotRequired[str]
    product: NotRequired[str]
    group: NotRequired[str]
    fence: NotRequired[str]
    in_: NotRequired[str]
    bbox: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    within_m: NotRequired[float]
    ticket: NotRequired[str]
    lastEventId: NotRequired[str]
    cursor: NotRequired[str]
    limit: NotRequired[int]

class ExportsTracksGet(TypedDict):
    person: NotRequired[str]

class ExportsKindGet(TypedDict):
    kind: Literal["people", "friends", "places", "products", "stock", "pings"]
    delimiter: NotRequired[Literal["comma", "semicolon", "tab"]]
    spreadsheet: NotRequired[bool]

class FencesGet(TypedDict):
    person: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    within_m: NotRequired[float]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]

class FencesIdDelete(TypedDict):
    id: str

class FencesIdGet(TypedDict):
    id: str
    fields: NotRequired[str | Sequence[str]]

class GroupsIdInvitationsGet(TypedDict):
    id: str
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]

class GroupsIdInvitationsPersonDelete(TypedDict):
    id: str
    person: str

class GroupsIdInvitationsPersonPut(TypedDict):
    id: str
    person: str
    by: NotRequired[str]

class ImportsTracksPost(TypedDict):
    person: NotRequired[str]
    device: NotRequired[str]
    format: NotRequired[Literal["csv", "geojson", "gpx", "json", "jsonl", "kml", "ndjson", "nmea", "owntracks", "rec", "tcx", "timeline", "xml"]]
    dry_run: NotRequired[bool]

class ImportsKindPost(TypedDict):
    kind: Literal["people", "friends", "places", "products", "stock", "pings"]
    dry_run: NotRequired[bool]
    normalise: NotRequired[bool]
    currency: NotRequired[str]
    attributes: NotRequired[str]
    prune: NotRequired[bool]
    events: NotRequired[bool]

class NearbyGet(TypedDict):
    lat: float
    lon: float
    within_m: float
    beyond_m: NotRequired[float]
    at: NotRequired[str | datetime | Literal["now"]]
    datetime: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PeopleGet(TypedDict):
    q: NotRequired[str]
    email: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PeopleNearestGet(TypedDict):
    lat: float
    lon: float
    within_m: NotRequired[float]
    beyond_m: NotRequired[float]
    max_age_s: NotRequired[float]
    attr: NotRequired[Mapping[str, Any]]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PeopleIdBlocksOtherDelete(TypedDict):
    id: str
    other: str

class PeopleIdBlocksOtherGet(TypedDict):
    id: str
    other: str
    fields: NotRequired[str | Sequence[str]]

class PeopleIdDevicesDeviceDelete(TypedDict):
    id: str
    device: str

class PeopleIdDiscoveryGet(TypedDict):
    id: str
    within_m: NotRequired[float]
    age_min: NotRequired[int]
    age_max: NotRequired[int]
    sex: NotRequired[Literal["female", "male", "other"] | Sequence[Literal["female", "male", "other"]]]
    relationship: NotRequired[Literal["single", "partnered", "married", "separated", "divorced", "widowed", "open", "complicated"] | Sequence[Literal["single", "partnered", "married", "separated", "divorced", "widowed", "open", "complicated"]]]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PeopleIdEncountersGet(TypedDict):
    id: str
    with_: str
    within_m: NotRequired[float]
    datetime: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PeopleIdFavouritesKindGet(TypedDict):
    id: str
    kind: Literal["people", "places", "products"]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]

class PeopleIdFavouritesKindOtherDelete(TypedDict):
    id: str
    kind: Literal["people", "places", "products"]
    other: str

class PeopleIdFavouritesKindOtherGet(TypedDict):
    id: str
    kind: Literal["people", "places", "products"]
    other: str
    fields: NotRequired[str | Sequence[str]]

class PeopleIdFencesGet(TypedDict):
    id: str
    person: NotRequired[str]
    lat: NotRequired[float]
    lon: NotRequired[float]
    within_m: NotRequired[float]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]

class PeopleIdFencesFenceDelete(TypedDict):
    id: str
    fence: str

class PeopleIdFencesFenceGet(TypedDict):
    id: str
    fence: str
    fields: NotRequired[str | Sequence[str]]

class PeopleIdFriendsGet(TypedDict):
    id: str
    label: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]

class PeopleIdFriendsNearestGet(TypedDict):
    id: str
    at: NotRequired[str | datetime | Literal["now"]]
    group: NotRequired[str]
    label: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    within_m: NotRequired[float]
    beyond_m: NotRequired[float]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PeopleIdHistoryDelete(TypedDict):
    id: str
    datetime: NotRequired[str]
    in_: NotRequired[str]
    bbox: NotRequired[str]

class PeopleIdHistoryGet(TypedDict):
    id: str
    datetime: NotRequired[str]
    in_: NotRequired[str]
    bbox: NotRequired[str]
    simplify_m: NotRequired[float]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PeopleIdPositionGet(TypedDict):
    id: str
    at: NotRequired[str | datetime | Literal["now"]]

class PeopleIdSharesShareDelete(TypedDict):
    id: str
    share: str

class PeopleIdWatchersOwnerFenceDelete(TypedDict):
    id: str
    owner: str
    fence: str

class PlacesGet(TypedDict):
    kind: NotRequired[str]
    category: NotRequired[str | Sequence[str]]
    tag: NotRequired[str | Sequence[str]]
    q: NotRequired[str]
    owner: NotRequired[str]
    attr: NotRequired[Mapping[str, Any]]
    open_now: NotRequired[bool]
    open_at: NotRequired[str | datetime]
    in_: NotRequired[str]
    bbox: NotRequired[str]
    contains: NotRequired[str]
    limit: NotRequired[int]
    sort: NotRequired[Literal["popularity", "newest", "name", "relevance"]]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PlacesClustersGet(TypedDict):
    kind: NotRequired[str]
    category: NotRequired[str | Sequence[str]]
    tag: NotRequired[str | Sequence[str]]
    q: NotRequired[str]
    owner: NotRequired[str]
    attr: NotRequired[Mapping[str, Any]]
    open_now: NotRequired[bool]
    open_at: NotRequired[str | datetime]
    bbox: str
    zoom: NotRequired[int]
    explain: NotRequired[bool]

class PlacesFacetsGet(TypedDict):
    kind: NotRequired[str]
    category: NotRequired[str | Sequence[str]]
    tag: NotRequired[str | Sequence[str]]
    q: NotRequired[str]
    owner: NotRequired[str]
    attr: NotRequired[Mapping[str, Any]]
    open_now: NotRequired[bool]
    open_at: NotRequired[str | datetime]
    in_: NotRequired[str]
    bbox: NotRequired[str]
    contains: NotRequired[str]
    limit: NotRequired[int]
    facet: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class PlacesNearestGet(TypedDict):
    lat: float
    lon: float
    limit: NotRequired[int]
    cursor: NotRequired[str]
    within_m: NotRequired[float]
    beyond_m: NotRequired[float]
    in_: NotRequired[str]
    bbox: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    open_now: NotRequired[bool]
    open_at: NotRequired[str | datetime]
    kind: NotRequired[str]
    category: NotRequired[str | Sequence[str]]
    tag: NotRequired[str | Sequence[str]]
    q: NotRequired[str]
    owner: NotRequired[str]
    attr: NotRequired[Mapping[str, Any]]
    explain: NotRequired[bool]

class PlacesIdCommentsGet(TypedDict):
    id: str
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    count: NotRequired[bool]

class PlacesIdCommentsCommentDelete(TypedDict):
    id: str
    comment: str

class PlacesIdCommentsCommentGet(TypedDict):
    id: str
    comment: str
    fields: NotRequired[str | Sequence[str]]

class ProductsGet(TypedDict):
    product: NotRequired[str | Sequence[str]]
    brand: NotRequired[str | Sequence[str]]
    category: NotRequired[str | Sequence[str]]
    gender: NotRequired[str | Sequence[str]]
    color: NotRequired[str | Sequence[str]]
    material: NotRequired[str | Sequence[str]]
    size: NotRequired[str | Sequence[str]]
    attr: NotRequired[Mapping[str, Any]]
    price_min: NotRequired[int]
    price_max: NotRequired[int]
    currency: NotRequired[str]
    q: NotRequired[str]
    for_: NotRequired[str]
    sort: NotRequired[Literal["id", "price", "price_desc", "name", "newest", "relevance"]]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    explain: NotRequired[bool]

class ProductsFacetsGet(TypedDict):
    product: NotRequired[str | Sequence[str]]
    brand: NotRequired[str | Sequence[str]]
    category: NotRequired[str | Sequence[str]]
    gender: NotRequired[str | Sequence[str]]
    color: NotRequired[str | Sequence[str]]
    material: NotRequired[str | Sequence[str]]
    size: NotRequired[str | Sequence[str]]
    attr: NotRequired[Mapping[str, Any]]
    price_min: NotRequired[int]
    price_max: NotRequired[int]
    currency: NotRequired[str]
    q: NotRequired[str]
    for_: NotRequired[str]
    facet: NotRequired[str | Sequence[str]]
    brand_q: NotRequired[str]
    limit: NotRequired[int]
    explain: NotRequired[bool]

class StoresNearestGet(TypedDict):
    lat: float
    lon: float
    limit: NotRequired[int]
    cursor: NotRequired[str]
    within_m: NotRequired[float]
    beyond_m: NotRequired[float]
    in_: NotRequired[str]
    bbox: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]
    open_now: NotRequired[bool]
    open_at: NotRequired[str | datetime]
    store_category: NotRequired[str | Sequence[str]]
    tag: NotRequired[str | Sequence[str]]
    store_attr: NotRequired[Mapping[str, Any]]
    product: NotRequired[str | Sequence[str]]
    brand: NotRequired[str | Sequence[str]]
    category: NotRequired[str | Sequence[str]]
    gender: NotRequired[str | Sequence[str]]
    color: NotRequired[str | Sequence[str]]
    material: NotRequired[str | Sequence[str]]
    size: NotRequired[str | Sequence[str]]
    attr: NotRequired[Mapping[str, Any]]
    price_min: NotRequired[int]
    price_max: NotRequired[int]
    currency: NotRequired[str]
    q: NotRequired[str]
    for_: NotRequired[str]
    sort: NotRequired[Literal["distance", "price", "pareto"]]
    explain: NotRequired[bool]

class StoresIdStockProductDelete(TypedDict):
    id: str
    product: str

class TilesKindJsonGet(TypedDict):
    kind: str

class TilesKindZXYMvtGet(TypedDict):
    kind: str
    z: int
    x: int
    y: int

class WebhooksGet(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    fields: NotRequired[str | Sequence[str]]

class WebhooksIdRedeliverPost(TypedDict):
    id: str
    from_: int


class Described:
    """The endpoints, by their paths."""
    @overload
    def get(self, path: Literal["/ingest/gpslogger"], /) -> str: ...
    @overload
    def get(self, path: Literal["/ingest/osmand"], /) -> str: ...
    @overload
    def get(self, path: Literal["/ingest/osmand/{rest}"], /, **parameters: Unpack[IngestOsmandRestGet]) -> str: ...
    @overload
    def get(self, path: Literal["/livez"], /) -> Health: ...
    @overload
    def get(self, path: Literal["/metrics"], /) -> str: ...
    @overload
    def get(self, path: Literal["/ogc"], /, **parameters: Unpack[OgcGet]) -> OGCLandingPage: ...
    @overload
    def get(self, path: Literal["/ogc/api"], /) -> str: ...
    @overload
    def get(self, path: Literal["/ogc/collections"], /, **parameters: Unpack[OgcGet]) -> OGCCollections: ...
    @overload
    def get(self, path: Literal["/ogc/collections/{id}"], /, **parameters: Unpack[OgcCollectionsIdGet]) -> OGCCollection: ...
    @overload
    def get(self, path: Literal["/ogc/collections/{id}/items"], /, **parameters: Unpack[OgcCollectionsIdItemsGet]) -> str: ...
    @overload
    def get(self, path: Literal["/ogc/collections/{id}/items/{feature}"], /, **parameters: Unpack[OgcCollectionsIdItemsFeatureGet]) -> str: ...
    @overload
    def get(self, path: Literal["/ogc/conformance"], /, **parameters: Unpack[OgcGet]) -> OGCConformance: ...
    @overload
    def get(self, path: Literal["/p/{place}"], /, **parameters: Unpack[PPlaceGet]) -> ShownPlace: ...
    @overload
    def get(self, path: Literal["/p/{place}/{product}"], /, **parameters: Unpack[PPlaceProductGet]) -> ShownProduct: ...
    @overload
    def get(self, path: Literal["/readyz"], /) -> Health: ...
    @overload
    def get(self, path: Literal["/s/{token}"], /, **parameters: Unpack[STokenGet]) -> SharedView: ...
    @overload
    def get(self, path: Literal["/v1/cities"], /, **parameters: Unpack[CitiesGet]) -> Page[City]: ...
    @overload
    def get(self, path: Literal["/v1/events"], /, **parameters: Unpack[EventsGet]) -> Page[Event]: ...
    @overload
    def get(self, path: Literal["/v1/fences"], /, **parameters: Unpack[FencesGet]) -> Page[Fence]: ...
    @overload
    def get(self, path: Literal["/v1/fences/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Fence: ...
    @overload
    def get(self, path: Literal["/v1/groups/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Group: ...
    @overload
    def get(self, path: Literal["/v1/groups/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    def get(self, path: Literal["/v1/groups/{id}/members"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    def get(self, path: Literal["/v1/ingest"], /) -> PhoneCounts: ...
    @overload
    def get(self, path: Literal["/v1/nearby"], /, **parameters: Unpack[NearbyGet]) -> Page[PersonNearby]: ...
    @overload
    def get(self, path: Literal["/v1/people"], /, **parameters: Unpack[PeopleGet]) -> Page[PersonFound]: ...
    @overload
    def get(self, path: Literal["/v1/people/nearest"], /, **parameters: Unpack[PeopleNearestGet]) -> Page[PersonNearby]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Person: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/blocks"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/blocks/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherGet]) -> Acquaintance: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/cell"], /, **parameters: Unpack[FencesIdDelete]) -> PublicCell: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/devices"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Device]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/discovery"], /, **parameters: Unpack[PeopleIdDiscoveryGet]) -> Page[Stranger]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/encounters"], /, **parameters: Unpack[PeopleIdEncountersGet]) -> Page[Encounter]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/export"], /, **parameters: Unpack[FencesIdDelete]) -> PersonExport: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/favourites/{kind}"], /, **parameters: Unpack[PeopleIdFavouritesKindGet]) -> Page[Favourite]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/favourites/{kind}/{other}"], /, **parameters: Unpack[PeopleIdFavouritesKindOtherGet]) -> Favourite: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/fences"], /, **parameters: Unpack[PeopleIdFencesGet]) -> Page[Fence]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/fences/{fence}"], /, **parameters: Unpack[PeopleIdFencesFenceGet]) -> Fence: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/friends"], /, **parameters: Unpack[PeopleIdFriendsGet]) -> Page[Acquaintance]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/friends/nearest"], /, **parameters: Unpack[PeopleIdFriendsNearestGet]) -> Page[PersonNearby]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/friends/requests"], /, **parameters: Unpack[FencesIdDelete]) -> FriendRequests: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/groups"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Group]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/history"], /, **parameters: Unpack[PeopleIdHistoryGet]) -> Page[StoredPing]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Invitation]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/matches"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/position"], /, **parameters: Unpack[PeopleIdPositionGet]) -> Position: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/shares"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Share]: ...
    @overload
    def get(self, path: Literal["/v1/people/{id}/watchers"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Watcher]: ...
    @overload
    def get(self, path: Literal["/v1/places"], /, **parameters: Unpack[PlacesGet]) -> Page[Place]: ...
    @overload
    def get(self, path: Literal["/v1/places/clusters"], /, **parameters: Unpack[PlacesClustersGet]) -> Page[PlaceCluster]: ...
    @overload
    def get(self, path: Literal["/v1/places/facets"], /, **parameters: Unpack[PlacesFacetsGet]) -> Facets: ...
    @overload
    def get(self, path: Literal["/v1/places/nearest"], /, **parameters: Unpack[PlacesNearestGet]) -> Page[Place]: ...
    @overload
    def get(self, path: Literal["/v1/places/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Place: ...
    @overload
    def get(self, path: Literal["/v1/places/{id}/comments"], /, **parameters: Unpack[PlacesIdCommentsGet]) -> Page[Comment]: ...
    @overload
    def get(self, path: Literal["/v1/places/{id}/comments/{comment}"], /, **parameters: Unpack[PlacesIdCommentsCommentGet]) -> Comment: ...
    @overload
    def get(self, path: Literal["/v1/products"], /, **parameters: Unpack[ProductsGet]) -> Page[Product]: ...
    @overload
    def get(self, path: Literal["/v1/products/facets"], /, **parameters: Unpack[ProductsFacetsGet]) -> Facets: ...
    @overload
    def get(self, path: Literal["/v1/products/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Product: ...
    @overload
    def get(self, path: Literal["/v1/service"], /) -> Installation: ...
    @overload
    def get(self, path: Literal["/v1/stores/nearest"], /, **parameters: Unpack[StoresNearestGet]) -> Page[Store]: ...
    @overload
    def get(self, path: Literal["/v1/stores/{id}/stock"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Stock]: ...
    @overload
    def get(self, path: Literal["/v1/stores/{id}/stock/{product}"], /, **parameters: Unpack[StoresIdStockProductDelete]) -> Stock: ...
    @overload
    def get(self, path: Literal["/v1/tiles/{kind}.json"], /, **parameters: Unpack[TilesKindJsonGet]) -> TileJSON: ...
    @overload
    def get(self, path: Literal["/v1/tiles/{kind}/style.json"], /, **parameters: Unpack[TilesKindJsonGet]) -> MapStyle: ...
    @overload
    def get(self, path: Literal["/v1/tiles/{kind}/{z}/{x}/{y}.mvt"], /, **parameters: Unpack[TilesKindZXYMvtGet]) -> str: ...
    @overload
    def get(self, path: Literal["/v1/webhooks"], /, **parameters: Unpack[WebhooksGet]) -> Page[Webhook]: ...
    @overload
    def get(self, path: Literal["/v1/webhooks/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Webhook: ...
    @overload
    def get(self, path: Literal["/v1/webhooks/{id}/deliveries"], /, **parameters: Unpack[FencesIdDelete]) -> Deliveries: ...

    def get(self, path: str, /, **parameters: Any) -> Any:
        """Sends a GET and returns the JSON of the answer."""
        return self._json("GET", path, None, parameters)
    @overload
    def post(self, path: Literal["/ingest/gpslogger"], /) -> str: ...
    @overload
    def post(self, path: Literal["/ingest/osmand"], /) -> str: ...
    @overload
    def post(self, path: Literal["/ingest/osmand/{rest}"], /, **parameters: Unpack[IngestOsmandRestGet]) -> str: ...
    @overload
    def post(self, path: Literal["/ingest/overland"], body: Any, /) -> Any: ...
    @overload
    def post(self, path: Literal["/ingest/owntracks"], body: Any, /) -> Any: ...
    @overload
    def post(self, path: Literal["/ingest/owntracks/pub"], body: Any, /) -> Any: ...
    @overload
    def post(self, path: Literal["/pub"], body: Any, /) -> Any: ...
    @overload
    def post(self, path: Literal["/v1/events/tickets"], /) -> Ticket: ...
    @overload
    def post(self, path: Literal["/v1/groups"], body: GroupForm, /) -> Group: ...
    @overload
    def post(self, path: Literal["/v1/people"], body: NewPersonForm, /) -> Person: ...
    @overload
    def post(self, path: Literal["/v1/people/{id}/devices"], body: DeviceForm, /, **parameters: Unpack[FencesIdDelete]) -> DeviceToken: ...
    @overload
    def post(self, path: Literal["/v1/people/{id}/devices/{device}/rotate"], /, **parameters: Unpack[PeopleIdDevicesDeviceDelete]) -> DeviceToken: ...
    @overload
    def post(self, path: Literal["/v1/people/{id}/shares"], body: ShareForm, /, **parameters: Unpack[FencesIdDelete]) -> OpenedShare: ...
    @overload
    def post(self, path: Literal["/v1/pings"], body: Ping | list[Ping], /) -> PingReport: ...
    @overload
    def post(self, path: Literal["/v1/places"], body: NewPlaceForm, /) -> Place: ...
    @overload
    def post(self, path: Literal["/v1/places/{id}/comments"], body: CommentForm, /, **parameters: Unpack[FencesIdDelete]) -> Comment: ...
    @overload
    def post(self, path: Literal["/v1/query"], body: Queries, /) -> Answers: ...
    @overload
    def post(self, path: Literal["/v1/webhooks/{id}/redeliver"], /, **parameters: Unpack[WebhooksIdRedeliverPost]) -> None: ...
    @overload
    def post(self, path: Literal["/v1/webhooks/{id}/rotate"], /, **parameters: Unpack[FencesIdDelete]) -> WebhookSecret: ...
    @overload
    def post(self, path: Literal["/v1/webhooks/{id}/test"], /, **parameters: Unpack[FencesIdDelete]) -> Delivery: ...

    def post(self, path: str, body: Any = None, /, **parameters: Any) -> Any:
        """Sends a POST and returns the JSON of the answer."""
        return self._json("POST", path, body, parameters)
    @overload
    def put(self, path: Literal["/v1/fences/{id}"], body: FenceForm, /, **parameters: Unpack[FencesIdDelete]) -> Fence: ...
    @overload
    def put(self, path: Literal["/v1/groups/{id}/invitations/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonPut]) -> Membership: ...
    @overload
    def put(self, path: Literal["/v1/groups/{id}/members/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonDelete]) -> Membership: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}"], body: PersonForm, /, **parameters: Unpack[FencesIdDelete]) -> Person: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/blocks/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/decisions/{other}"], body: Decision, /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> Match: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/favourites/{kind}/{other}"], /, **parameters: Unpack[PeopleIdFavouritesKindOtherDelete]) -> None: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/fences/{fence}"], body: OwnFenceForm, /, **parameters: Unpack[PeopleIdFencesFenceDelete]) -> Fence: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/friends/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> Friendship: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/friends/{other}/alerts"], body: FriendAlerts, /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> FriendAlerts: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/friends/{other}/label"], body: FriendLabel, /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> FriendLabel: ...
    @overload
    def put(self, path: Literal["/v1/people/{id}/watchers/{owner}/{fence}"], /, **parameters: Unpack[PeopleIdWatchersOwnerFenceDelete]) -> None: ...
    @overload
    def put(self, path: Literal["/v1/places/{id}"], body: PlaceForm, /, **parameters: Unpack[FencesIdDelete]) -> Place: ...
    @overload
    def put(self, path: Literal["/v1/products/{id}"], body: ProductForm, /, **parameters: Unpack[FencesIdDelete]) -> Product: ...
    @overload
    def put(self, path: Literal["/v1/stores/{id}/stock/{product}"], body: StockForm, /, **parameters: Unpack[StoresIdStockProductDelete]) -> Stock: ...
    @overload
    def put(self, path: Literal["/v1/webhooks/{id}"], body: WebhookForm, /, **parameters: Unpack[FencesIdDelete]) -> Webhook: ...

    def put(self, path: str, body: Any = None, /, **parameters: Any) -> Any:
        """Sends a PUT and returns the JSON of the answer."""
        return self._json("PUT", path, body, parameters)
    @overload
    def patch(self, path: Literal["/v1/groups/{id}"], body: GroupPatch, /, **parameters: Unpack[FencesIdDelete]) -> Group: ...
    @overload
    def patch(self, path: Literal["/v1/people/{id}"], body: PersonForm, /, **parameters: Unpack[FencesIdDelete]) -> Person: ...
    @overload
    def patch(self, path: Literal["/v1/places/{id}"], body: PlacePatch, /, **parameters: Unpack[FencesIdDelete]) -> Place: ...
    @overload
    def patch(self, path: Literal["/v1/places/{id}/comments/{comment}"], body: CommentPatch, /, **parameters: Unpack[PlacesIdCommentsCommentDelete]) -> Comment: ...

    def patch(self, path: str, body: Any = None, /, **parameters: Any) -> Any:
        """Sends a PATCH and returns the JSON of the answer."""
        return self._json("PATCH", path, body, parameters)
    @overload
    def delete(self, path: Literal["/v1/fences/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/groups/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/groups/{id}/invitations/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/groups/{id}/members/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/blocks/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/decisions/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/devices/{device}"], /, **parameters: Unpack[PeopleIdDevicesDeviceDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/favourites/{kind}/{other}"], /, **parameters: Unpack[PeopleIdFavouritesKindOtherDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/fences/{fence}"], /, **parameters: Unpack[PeopleIdFencesFenceDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/friends/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> Friendship: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/friends/{other}/alerts"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/friends/{other}/label"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/history"], /, **parameters: Unpack[PeopleIdHistoryDelete]) -> Erased: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/shares/{share}"], /, **parameters: Unpack[PeopleIdSharesShareDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/people/{id}/watchers/{owner}/{fence}"], /, **parameters: Unpack[PeopleIdWatchersOwnerFenceDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/places/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/places/{id}/comments/{comment}"], /, **parameters: Unpack[PlacesIdCommentsCommentDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/products/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/stores/{id}/stock/{product}"], /, **parameters: Unpack[StoresIdStockProductDelete]) -> None: ...
    @overload
    def delete(self, path: Literal["/v1/webhooks/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...

    def delete(self, path: str, /, **parameters: Any) -> Any:
        """Sends a DELETE and returns the JSON of the answer."""
        return self._json("DELETE", path, None, parameters)
    @overload
    def items(self, path: Literal["/v1/cities"], /, **parameters: Unpack[CitiesGet]) -> Items[City]: ...
    @overload
    def items(self, path: Literal["/v1/events"], /, **parameters: Unpack[EventsGet]) -> Items[Event]: ...
    @overload
    def items(self, path: Literal["/v1/fences"], /, **parameters: Unpack[FencesGet]) -> Items[Fence]: ...
    @overload
    def items(self, path: Literal["/v1/groups/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Items[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/groups/{id}/members"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Items[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/nearby"], /, **parameters: Unpack[NearbyGet]) -> Items[PersonNearby]: ...
    @overload
    def items(self, path: Literal["/v1/people"], /, **parameters: Unpack[PeopleGet]) -> Items[PersonFound]: ...
    @overload
    def items(self, path: Literal["/v1/people/nearest"], /, **parameters: Unpack[PeopleNearestGet]) -> Items[PersonNearby]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/blocks"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Items[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/devices"], /, **parameters: Unpack[FencesIdDelete]) -> Items[Device]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/discovery"], /, **parameters: Unpack[PeopleIdDiscoveryGet]) -> Items[Stranger]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/encounters"], /, **parameters: Unpack[PeopleIdEncountersGet]) -> Items[Encounter]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/favourites/{kind}"], /, **parameters: Unpack[PeopleIdFavouritesKindGet]) -> Items[Favourite]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/fences"], /, **parameters: Unpack[PeopleIdFencesGet]) -> Items[Fence]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/friends"], /, **parameters: Unpack[PeopleIdFriendsGet]) -> Items[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/friends/nearest"], /, **parameters: Unpack[PeopleIdFriendsNearestGet]) -> Items[PersonNearby]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/groups"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Items[Group]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/history"], /, **parameters: Unpack[PeopleIdHistoryGet]) -> Items[StoredPing]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Items[Invitation]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/matches"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Items[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/shares"], /, **parameters: Unpack[FencesIdDelete]) -> Items[Share]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/watchers"], /, **parameters: Unpack[FencesIdDelete]) -> Items[Watcher]: ...
    @overload
    def items(self, path: Literal["/v1/places"], /, **parameters: Unpack[PlacesGet]) -> Items[Place]: ...
    @overload
    def items(self, path: Literal["/v1/places/clusters"], /, **parameters: Unpack[PlacesClustersGet]) -> Items[PlaceCluster]: ...
    @overload
    def items(self, path: Literal["/v1/places/nearest"], /, **parameters: Unpack[PlacesNearestGet]) -> Items[Place]: ...
    @overload
    def items(self, path: Literal["/v1/places/{id}/comments"], /, **parameters: Unpack[PlacesIdCommentsGet]) -> Items[Comment]: ...
    @overload
    def items(self, path: Literal["/v1/products"], /, **parameters: Unpack[ProductsGet]) -> Items[Product]: ...
    @overload
    def items(self, path: Literal["/v1/stores/nearest"], /, **parameters: Unpack[StoresNearestGet]) -> Items[Store]: ...
    @overload
    def items(self, path: Literal["/v1/stores/{id}/stock"], /, **parameters: Unpack[FencesIdDelete]) -> Items[Stock]: ...
    @overload
    def items(self, path: Literal["/v1/webhooks"], /, **parameters: Unpack[WebhooksGet]) -> Items[Webhook]: ...

    def items(self, path: str, /, **parameters: Any) -> Any:
        """Returns the items of a list, page by page as they are needed."""
        return self._items(path, parameters)

    def _json(self, method: str, path: str, body: object, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def _items(self, path: str, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError


class AsyncDescribed:
    """The endpoints, by their paths."""
    @overload
    async def get(self, path: Literal["/ingest/gpslogger"], /) -> str: ...
    @overload
    async def get(self, path: Literal["/ingest/osmand"], /) -> str: ...
    @overload
    async def get(self, path: Literal["/ingest/osmand/{rest}"], /, **parameters: Unpack[IngestOsmandRestGet]) -> str: ...
    @overload
    async def get(self, path: Literal["/livez"], /) -> Health: ...
    @overload
    async def get(self, path: Literal["/metrics"], /) -> str: ...
    @overload
    async def get(self, path: Literal["/ogc"], /, **parameters: Unpack[OgcGet]) -> OGCLandingPage: ...
    @overload
    async def get(self, path: Literal["/ogc/api"], /) -> str: ...
    @overload
    async def get(self, path: Literal["/ogc/collections"], /, **parameters: Unpack[OgcGet]) -> OGCCollections: ...
    @overload
    async def get(self, path: Literal["/ogc/collections/{id}"], /, **parameters: Unpack[OgcCollectionsIdGet]) -> OGCCollection: ...
    @overload
    async def get(self, path: Literal["/ogc/collections/{id}/items"], /, **parameters: Unpack[OgcCollectionsIdItemsGet]) -> str: ...
    @overload
    async def get(self, path: Literal["/ogc/collections/{id}/items/{feature}"], /, **parameters: Unpack[OgcCollectionsIdItemsFeatureGet]) -> str: ...
    @overload
    async def get(self, path: Literal["/ogc/conformance"], /, **parameters: Unpack[OgcGet]) -> OGCConformance: ...
    @overload
    async def get(self, path: Literal["/p/{place}"], /, **parameters: Unpack[PPlaceGet]) -> ShownPlace: ...
    @overload
    async def get(self, path: Literal["/p/{place}/{product}"], /, **parameters: Unpack[PPlaceProductGet]) -> ShownProduct: ...
    @overload
    async def get(self, path: Literal["/readyz"], /) -> Health: ...
    @overload
    async def get(self, path: Literal["/s/{token}"], /, **parameters: Unpack[STokenGet]) -> SharedView: ...
    @overload
    async def get(self, path: Literal["/v1/cities"], /, **parameters: Unpack[CitiesGet]) -> Page[City]: ...
    @overload
    async def get(self, path: Literal["/v1/events"], /, **parameters: Unpack[EventsGet]) -> Page[Event]: ...
    @overload
    async def get(self, path: Literal["/v1/fences"], /, **parameters: Unpack[FencesGet]) -> Page[Fence]: ...
    @overload
    async def get(self, path: Literal["/v1/fences/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Fence: ...
    @overload
    async def get(self, path: Literal["/v1/groups/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Group: ...
    @overload
    async def get(self, path: Literal["/v1/groups/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    async def get(self, path: Literal["/v1/groups/{id}/members"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    async def get(self, path: Literal["/v1/ingest"], /) -> PhoneCounts: ...
    @overload
    async def get(self, path: Literal["/v1/nearby"], /, **parameters: Unpack[NearbyGet]) -> Page[PersonNearby]: ...
    @overload
    async def get(self, path: Literal["/v1/people"], /, **parameters: Unpack[PeopleGet]) -> Page[PersonFound]: ...
    @overload
    async def get(self, path: Literal["/v1/people/nearest"], /, **parameters: Unpack[PeopleNearestGet]) -> Page[PersonNearby]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Person: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/blocks"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/blocks/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherGet]) -> Acquaintance: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/cell"], /, **parameters: Unpack[FencesIdDelete]) -> PublicCell: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/devices"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Device]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/discovery"], /, **parameters: Unpack[PeopleIdDiscoveryGet]) -> Page[Stranger]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/encounters"], /, **parameters: Unpack[PeopleIdEncountersGet]) -> Page[Encounter]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/export"], /, **parameters: Unpack[FencesIdDelete]) -> PersonExport: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/favourites/{kind}"], /, **parameters: Unpack[PeopleIdFavouritesKindGet]) -> Page[Favourite]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/favourites/{kind}/{other}"], /, **parameters: Unpack[PeopleIdFavouritesKindOtherGet]) -> Favourite: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/fences"], /, **parameters: Unpack[PeopleIdFencesGet]) -> Page[Fence]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/fences/{fence}"], /, **parameters: Unpack[PeopleIdFencesFenceGet]) -> Fence: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/friends"], /, **parameters: Unpack[PeopleIdFriendsGet]) -> Page[Acquaintance]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/friends/nearest"], /, **parameters: Unpack[PeopleIdFriendsNearestGet]) -> Page[PersonNearby]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/friends/requests"], /, **parameters: Unpack[FencesIdDelete]) -> FriendRequests: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/groups"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Group]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/history"], /, **parameters: Unpack[PeopleIdHistoryGet]) -> Page[StoredPing]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Invitation]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/matches"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> Page[Acquaintance]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/position"], /, **parameters: Unpack[PeopleIdPositionGet]) -> Position: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/shares"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Share]: ...
    @overload
    async def get(self, path: Literal["/v1/people/{id}/watchers"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Watcher]: ...
    @overload
    async def get(self, path: Literal["/v1/places"], /, **parameters: Unpack[PlacesGet]) -> Page[Place]: ...
    @overload
    async def get(self, path: Literal["/v1/places/clusters"], /, **parameters: Unpack[PlacesClustersGet]) -> Page[PlaceCluster]: ...
    @overload
    async def get(self, path: Literal["/v1/places/facets"], /, **parameters: Unpack[PlacesFacetsGet]) -> Facets: ...
    @overload
    async def get(self, path: Literal["/v1/places/nearest"], /, **parameters: Unpack[PlacesNearestGet]) -> Page[Place]: ...
    @overload
    async def get(self, path: Literal["/v1/places/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Place: ...
    @overload
    async def get(self, path: Literal["/v1/places/{id}/comments"], /, **parameters: Unpack[PlacesIdCommentsGet]) -> Page[Comment]: ...
    @overload
    async def get(self, path: Literal["/v1/places/{id}/comments/{comment}"], /, **parameters: Unpack[PlacesIdCommentsCommentGet]) -> Comment: ...
    @overload
    async def get(self, path: Literal["/v1/products"], /, **parameters: Unpack[ProductsGet]) -> Page[Product]: ...
    @overload
    async def get(self, path: Literal["/v1/products/facets"], /, **parameters: Unpack[ProductsFacetsGet]) -> Facets: ...
    @overload
    async def get(self, path: Literal["/v1/products/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Product: ...
    @overload
    async def get(self, path: Literal["/v1/service"], /) -> Installation: ...
    @overload
    async def get(self, path: Literal["/v1/stores/nearest"], /, **parameters: Unpack[StoresNearestGet]) -> Page[Store]: ...
    @overload
    async def get(self, path: Literal["/v1/stores/{id}/stock"], /, **parameters: Unpack[FencesIdDelete]) -> Page[Stock]: ...
    @overload
    async def get(self, path: Literal["/v1/stores/{id}/stock/{product}"], /, **parameters: Unpack[StoresIdStockProductDelete]) -> Stock: ...
    @overload
    async def get(self, path: Literal["/v1/tiles/{kind}.json"], /, **parameters: Unpack[TilesKindJsonGet]) -> TileJSON: ...
    @overload
    async def get(self, path: Literal["/v1/tiles/{kind}/style.json"], /, **parameters: Unpack[TilesKindJsonGet]) -> MapStyle: ...
    @overload
    async def get(self, path: Literal["/v1/tiles/{kind}/{z}/{x}/{y}.mvt"], /, **parameters: Unpack[TilesKindZXYMvtGet]) -> str: ...
    @overload
    async def get(self, path: Literal["/v1/webhooks"], /, **parameters: Unpack[WebhooksGet]) -> Page[Webhook]: ...
    @overload
    async def get(self, path: Literal["/v1/webhooks/{id}"], /, **parameters: Unpack[FencesIdGet]) -> Webhook: ...
    @overload
    async def get(self, path: Literal["/v1/webhooks/{id}/deliveries"], /, **parameters: Unpack[FencesIdDelete]) -> Deliveries: ...

    async def get(self, path: str, /, **parameters: Any) -> Any:
        """Sends a GET and returns the JSON of the answer."""
        return await self._json("GET", path, None, parameters)
    @overload
    async def post(self, path: Literal["/ingest/gpslogger"], /) -> str: ...
    @overload
    async def post(self, path: Literal["/ingest/osmand"], /) -> str: ...
    @overload
    async def post(self, path: Literal["/ingest/osmand/{rest}"], /, **parameters: Unpack[IngestOsmandRestGet]) -> str: ...
    @overload
    async def post(self, path: Literal["/ingest/overland"], body: Any, /) -> Any: ...
    @overload
    async def post(self, path: Literal["/ingest/owntracks"], body: Any, /) -> Any: ...
    @overload
    async def post(self, path: Literal["/ingest/owntracks/pub"], body: Any, /) -> Any: ...
    @overload
    async def post(self, path: Literal["/pub"], body: Any, /) -> Any: ...
    @overload
    async def post(self, path: Literal["/v1/events/tickets"], /) -> Ticket: ...
    @overload
    async def post(self, path: Literal["/v1/groups"], body: GroupForm, /) -> Group: ...
    @overload
    async def post(self, path: Literal["/v1/people"], body: NewPersonForm, /) -> Person: ...
    @overload
    async def post(self, path: Literal["/v1/people/{id}/devices"], body: DeviceForm, /, **parameters: Unpack[FencesIdDelete]) -> DeviceToken: ...
    @overload
    async def post(self, path: Literal["/v1/people/{id}/devices/{device}/rotate"], /, **parameters: Unpack[PeopleIdDevicesDeviceDelete]) -> DeviceToken: ...
    @overload
    async def post(self, path: Literal["/v1/people/{id}/shares"], body: ShareForm, /, **parameters: Unpack[FencesIdDelete]) -> OpenedShare: ...
    @overload
    async def post(self, path: Literal["/v1/pings"], body: Ping | list[Ping], /) -> PingReport: ...
    @overload
    async def post(self, path: Literal["/v1/places"], body: NewPlaceForm, /) -> Place: ...
    @overload
    async def post(self, path: Literal["/v1/places/{id}/comments"], body: CommentForm, /, **parameters: Unpack[FencesIdDelete]) -> Comment: ...
    @overload
    async def post(self, path: Literal["/v1/query"], body: Queries, /) -> Answers: ...
    @overload
    async def post(self, path: Literal["/v1/webhooks/{id}/redeliver"], /, **parameters: Unpack[WebhooksIdRedeliverPost]) -> None: ...
    @overload
    async def post(self, path: Literal["/v1/webhooks/{id}/rotate"], /, **parameters: Unpack[FencesIdDelete]) -> WebhookSecret: ...
    @overload
    async def post(self, path: Literal["/v1/webhooks/{id}/test"], /, **parameters: Unpack[FencesIdDelete]) -> Delivery: ...

    async def post(self, path: str, body: Any = None, /, **parameters: Any) -> Any:
        """Sends a POST and returns the JSON of the answer."""
        return await self._json("POST", path, body, parameters)
    @overload
    async def put(self, path: Literal["/v1/fences/{id}"], body: FenceForm, /, **parameters: Unpack[FencesIdDelete]) -> Fence: ...
    @overload
    async def put(self, path: Literal["/v1/groups/{id}/invitations/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonPut]) -> Membership: ...
    @overload
    async def put(self, path: Literal["/v1/groups/{id}/members/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonDelete]) -> Membership: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}"], body: PersonForm, /, **parameters: Unpack[FencesIdDelete]) -> Person: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/blocks/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/decisions/{other}"], body: Decision, /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> Match: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/favourites/{kind}/{other}"], /, **parameters: Unpack[PeopleIdFavouritesKindOtherDelete]) -> None: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/fences/{fence}"], body: OwnFenceForm, /, **parameters: Unpack[PeopleIdFencesFenceDelete]) -> Fence: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/friends/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> Friendship: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/friends/{other}/alerts"], body: FriendAlerts, /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> FriendAlerts: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/friends/{other}/label"], body: FriendLabel, /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> FriendLabel: ...
    @overload
    async def put(self, path: Literal["/v1/people/{id}/watchers/{owner}/{fence}"], /, **parameters: Unpack[PeopleIdWatchersOwnerFenceDelete]) -> None: ...
    @overload
    async def put(self, path: Literal["/v1/places/{id}"], body: PlaceForm, /, **parameters: Unpack[FencesIdDelete]) -> Place: ...
    @overload
    async def put(self, path: Literal["/v1/products/{id}"], body: ProductForm, /, **parameters: Unpack[FencesIdDelete]) -> Product: ...
    @overload
    async def put(self, path: Literal["/v1/stores/{id}/stock/{product}"], body: StockForm, /, **parameters: Unpack[StoresIdStockProductDelete]) -> Stock: ...
    @overload
    async def put(self, path: Literal["/v1/webhooks/{id}"], body: WebhookForm, /, **parameters: Unpack[FencesIdDelete]) -> Webhook: ...

    async def put(self, path: str, body: Any = None, /, **parameters: Any) -> Any:
        """Sends a PUT and returns the JSON of the answer."""
        return await self._json("PUT", path, body, parameters)
    @overload
    async def patch(self, path: Literal["/v1/groups/{id}"], body: GroupPatch, /, **parameters: Unpack[FencesIdDelete]) -> Group: ...
    @overload
    async def patch(self, path: Literal["/v1/people/{id}"], body: PersonForm, /, **parameters: Unpack[FencesIdDelete]) -> Person: ...
    @overload
    async def patch(self, path: Literal["/v1/places/{id}"], body: PlacePatch, /, **parameters: Unpack[FencesIdDelete]) -> Place: ...
    @overload
    async def patch(self, path: Literal["/v1/places/{id}/comments/{comment}"], body: CommentPatch, /, **parameters: Unpack[PlacesIdCommentsCommentDelete]) -> Comment: ...

    async def patch(self, path: str, body: Any = None, /, **parameters: Any) -> Any:
        """Sends a PATCH and returns the JSON of the answer."""
        return await self._json("PATCH", path, body, parameters)
    @overload
    async def delete(self, path: Literal["/v1/fences/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/groups/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/groups/{id}/invitations/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/groups/{id}/members/{person}"], /, **parameters: Unpack[GroupsIdInvitationsPersonDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/blocks/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/decisions/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/devices/{device}"], /, **parameters: Unpack[PeopleIdDevicesDeviceDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/favourites/{kind}/{other}"], /, **parameters: Unpack[PeopleIdFavouritesKindOtherDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/fences/{fence}"], /, **parameters: Unpack[PeopleIdFencesFenceDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/friends/{other}"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> Friendship: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/friends/{other}/alerts"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/friends/{other}/label"], /, **parameters: Unpack[PeopleIdBlocksOtherDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/history"], /, **parameters: Unpack[PeopleIdHistoryDelete]) -> Erased: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/shares/{share}"], /, **parameters: Unpack[PeopleIdSharesShareDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/people/{id}/watchers/{owner}/{fence}"], /, **parameters: Unpack[PeopleIdWatchersOwnerFenceDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/places/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/places/{id}/comments/{comment}"], /, **parameters: Unpack[PlacesIdCommentsCommentDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/products/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/stores/{id}/stock/{product}"], /, **parameters: Unpack[StoresIdStockProductDelete]) -> None: ...
    @overload
    async def delete(self, path: Literal["/v1/webhooks/{id}"], /, **parameters: Unpack[FencesIdDelete]) -> None: ...

    async def delete(self, path: str, /, **parameters: Any) -> Any:
        """Sends a DELETE and returns the JSON of the answer."""
        return await self._json("DELETE", path, None, parameters)
    @overload
    def items(self, path: Literal["/v1/cities"], /, **parameters: Unpack[CitiesGet]) -> AsyncItems[City]: ...
    @overload
    def items(self, path: Literal["/v1/events"], /, **parameters: Unpack[EventsGet]) -> AsyncItems[Event]: ...
    @overload
    def items(self, path: Literal["/v1/fences"], /, **parameters: Unpack[FencesGet]) -> AsyncItems[Fence]: ...
    @overload
    def items(self, path: Literal["/v1/groups/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> AsyncItems[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/groups/{id}/members"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> AsyncItems[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/nearby"], /, **parameters: Unpack[NearbyGet]) -> AsyncItems[PersonNearby]: ...
    @overload
    def items(self, path: Literal["/v1/people"], /, **parameters: Unpack[PeopleGet]) -> AsyncItems[PersonFound]: ...
    @overload
    def items(self, path: Literal["/v1/people/nearest"], /, **parameters: Unpack[PeopleNearestGet]) -> AsyncItems[PersonNearby]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/blocks"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> AsyncItems[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/devices"], /, **parameters: Unpack[FencesIdDelete]) -> AsyncItems[Device]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/discovery"], /, **parameters: Unpack[PeopleIdDiscoveryGet]) -> AsyncItems[Stranger]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/encounters"], /, **parameters: Unpack[PeopleIdEncountersGet]) -> AsyncItems[Encounter]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/favourites/{kind}"], /, **parameters: Unpack[PeopleIdFavouritesKindGet]) -> AsyncItems[Favourite]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/fences"], /, **parameters: Unpack[PeopleIdFencesGet]) -> AsyncItems[Fence]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/friends"], /, **parameters: Unpack[PeopleIdFriendsGet]) -> AsyncItems[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/friends/nearest"], /, **parameters: Unpack[PeopleIdFriendsNearestGet]) -> AsyncItems[PersonNearby]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/groups"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> AsyncItems[Group]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/history"], /, **parameters: Unpack[PeopleIdHistoryGet]) -> AsyncItems[StoredPing]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/invitations"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> AsyncItems[Invitation]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/matches"], /, **parameters: Unpack[GroupsIdInvitationsGet]) -> AsyncItems[Acquaintance]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/shares"], /, **parameters: Unpack[FencesIdDelete]) -> AsyncItems[Share]: ...
    @overload
    def items(self, path: Literal["/v1/people/{id}/watchers"], /, **parameters: Unpack[FencesIdDelete]) -> AsyncItems[Watcher]: ...
    @overload
    def items(self, path: Literal["/v1/places"], /, **parameters: Unpack[PlacesGet]) -> AsyncItems[Place]: ...
    @overload
    def items(self, path: Literal["/v1/places/clusters"], /, **parameters: Unpack[PlacesClustersGet]) -> AsyncItems[PlaceCluster]: ...
    @overload
    def items(self, path: Literal["/v1/places/nearest"], /, **parameters: Unpack[PlacesNearestGet]) -> AsyncItems[Place]: ...
    @overload
    def items(self, path: Literal["/v1/places/{id}/comments"], /, **parameters: Unpack[PlacesIdCommentsGet]) -> AsyncItems[Comment]: ...
    @overload
    def items(self, path: Literal["/v1/products"], /, **parameters: Unpack[ProductsGet]) -> AsyncItems[Product]: ...
    @overload
    def items(self, path: Literal["/v1/stores/nearest"], /, **parameters: Unpack[StoresNearestGet]) -> AsyncItems[Store]: ...
    @overload
    def items(self, path: Literal["/v1/stores/{id}/stock"], /, **parameters: Unpack[FencesIdDelete]) -> AsyncItems[Stock]: ...
    @overload
    def items(self, path: Literal["/v1/webhooks"], /, **parameters: Unpack[WebhooksGet]) -> AsyncItems[Webhook]: ...

    def items(self, path: str, /, **parameters: Any) -> Any:
        """Returns the items of a list, page by page as they are needed."""
        return self._items(path, parameters)

    async def _json(self, method: str, path: str, body: object, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def _items(self, path: str, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError
