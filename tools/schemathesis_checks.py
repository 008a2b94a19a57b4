"""The checks of this service that schemathesis runs in addition to its own."""

import re
from urllib.parse import unquote, urlsplit

import schemathesis
from schemathesis import GenerationMode

# Reasons to reject a request that matches its schema, which no schema can express.
BEYOND_SCHEMAS = re.compile("|".join([
    # The rule depends on another parameter or member, on the caller, or on stored data.
    "exclude each other", "Only one of '", "one of 'people', 'group', 'attributes' and 'everybody'", "and not allowed otherwise",
    "which must be alone", "which fences around a person do not support", "must be around its owner", "whose (area|position) is not known",
    "Either '", "'lat' and 'lon' are the center of a circle", "'(lat|lon|person)' is required", "/people: is required", "/(lat|lon|author|owner|person): is required",
    "one of 'expires' and 'for_s'", "an interval that begins before its end", "needs '(currency|within_m)'", "at most (age|price)_max", "is for 'normalise", "is for products(, places and stock)?", "is not a parameter of the collection", "is for places, products and stock",
    "is for the facet", "is for text/csv", "two must be different", "does not fulfill the condition", "but the path says",
    "'datetime', 'in' or 'bbox' is required", "has two zones", "must be another order without 'q'", r"must be a whole number from 0 to \d+ at zoom", "has '.*' twice", "'fields' is '[a-z_,]+'; must be a list",
    # The value was not issued by this service, is unknown, or lies in the future.
    "cursor does not belong to this list", "was used for another (person|place|group|comment)", "is not the id of an event", "not an IANA time zone", "not in the future", "within the next", "a (person who|place that) does not exist", "ISO 4217",
    # The text is not a valid area, opening hours, interval, list of words or file.
    "is not an address such as https", "is not (https; the setting|an http or https address)", "GeoJSON Polygon", r"of ring \d+ is not its first", r"ring \d+ encloses nothing", "is ambiguous: cut the polygon",
    "lies outside of ring 0", "west,south,east,north", "hours: ", "with RFC 3339 times", "must be an RFC 3339 time, or ", "must be all, or names of columns", "at least one letter or digit", r"of 1 to \d+ different words",
    "The file (cannot|is not|has no)", "The header has", "path of its own", "attr.difficulty", "must be one number", "one or several values",
    # Texts and documents have limits in bytes; a schema counts characters.
    r"has \d+ bytes", r"has a name of \d+ bytes", "of at most \\d+ bytes",
]))


@schemathesis.hook
def filter_body(context, body):
    """A member that is null counts as not given, whatever its name: schemas that said so would spoil what is generated from them."""
    return not (isinstance(body, dict) and None in body.values())


@schemathesis.hook
def filter_query(context, query):
    """A comma ends a value of a list, so one that has a comma is another list, and nobody sees that it was to be one value."""
    return not any(isinstance(values, list) and any("," in str(value) for value in values) for values in (query or {}).values())


@schemathesis.check
def what_the_schema_allows_is_accepted(context, response, case):
    """A request that is as its schema says is refused only for what no schema can say."""
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if response.status_code not in (400, 422):
        return
    detail = response.json().get("detail", "")
    # schemathesis decodes ids before it encodes them: an id with %FF is sent as U+FFFD, which is not an id.
    if "in the path is not an id" in detail and not re.fullmatch("[!-~]*", unquote(urlsplit(response.request.url).path)):
        return
    assert BEYOND_SCHEMAS.search(detail), f"refused: {detail}"
