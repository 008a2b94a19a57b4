"""Items as tables of geopandas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geopandas import GeoDataFrame


def to_geodataframe(items: Iterable[Mapping[str, Any]]) -> GeoDataFrame:
    """Returns items as rows with a point from `lat` and `lon` (EPSG:4326); a row without a position has none."""
    import geopandas
    import pandas

    table = pandas.DataFrame([dict(item) for item in items])
    for column in ("lat", "lon"):
        if column not in table:
            table[column] = float("nan")
    positions = geopandas.points_from_xy(table["lon"], table["lat"], crs="EPSG:4326")
    frame = geopandas.GeoDataFrame(table, geometry=positions)
    frame.loc[table["lat"].isna(), "geometry"] = None
    return frame
