"""What schemathesis checks of this service beside its own checks."""

import re

import schemathesis
from schemathesis import GenerationMode

# Why a request may be refused though it is as its schema says: what no schema can say.
BEYOND_SCHEMAS = re.compile("|".join([
    # It depends on another parameter or member, on the caller, or on what is stored.
    "exclude each other", "Either '", "'(lat|lon|person)' is required", "/(lat|lon|author|owner): is required",
    "or 'for_s' is required", "needs '(currency|within_m)'", "at most (age|price)_max", "is for 'normalise", "is for products and places",
    "is for the facet", "is for text/csv", "two must be different", "is not what the condition says", "but the path says",
    "'datetime', 'in' or 'bbox' is required", "has two zones", "holds '.*' twice", "'fields' is '[a-z_,]+'; must be a list",
    # It was not made here, is not known, or lies in the future.
    "cursor was not made here", "no IANA time zone", "not in the future", "no such person", "ISO 4217",
    # A text says something, or not: an area, hours, an interval, words, a file.
    "GeoJSON Polygon", "west,south,east,north", "hours: ", "with RFC 3339 times", "at least one letter or digit",
    "The file (cannot|is no)", "path of its own", "attr.difficulty", "must be one number", "one or several values",
    # A text has so many bytes, a document so many; a schema counts characters.
    r"has \d+ bytes", "of at most \\d+ bytes",
]))


@schemathesis.check
def what_the_schema_allows_is_accepted(context, response, case):
    """A request that is as its schema says is refused only for what no schema can say."""
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if response.status_code not in (400, 422):
        return
    problem = response.json()
    assert BEYOND_SCHEMAS.search(problem.get("detail", "")), f"refused: {problem.get('detail')}"
