"""Opens a folder in QGIS: tools/open_in_qgis.py PROGRAM. Needs Debian's python3-qgis.

The file is read by the provider of SpatiaLite, and the running service by that of OGC API - Features.
"""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

os.environ["QT_QPA_PLATFORM"] = "offscreen"
from qgis.core import QgsApplication, QgsFeatureRequest, QgsRectangle, QgsVectorLayer  # noqa: E402


def rows(numbers, longitude):
    """A table of shops on meridians, fifty on each."""
    lines = (f"shop{n},shop,Shop {n},{40 + n % 50},{longitude + n // 50}" for n in numbers)
    return "\n".join(["id,kind,name,lat,lon", *lines]) + "\n"


def check(program):
    """Imports shops, moves some and deletes others, then reads them in QGIS."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "data")
        for name, text in [("first", rows(range(1500), -10)), ("second", rows(range(500, 2000), 20))]:
            file = pathlib.Path(folder, f"{name}.csv")
            file.write_text(text)
            subprocess.run([program, "import", "places", file, "--data", data, "--prune"], check=True)
        address = f"dbname='{data}/cerca.sqlite' table=\"places\" (position)"
        layer = QgsVectorLayer(address, "places", "spatialite")
        if not layer.isValid():
            sys.exit(f"QGIS cannot open {address}: {layer.error().message()}")
        box = QgsFeatureRequest(QgsRectangle(29.5, 39.5, 31.5, 90))
        found = (layer.featureCount(), sum(1 for _ in layer.getFeatures(box)), layer.crs().authid())
        if found != (1500, 100, "EPSG:4326"):
            sys.exit(f"QGIS finds {found} where 1500 places are, 100 of them in the box")
        exported = pathlib.Path(folder, "places.geojson")
        with open(exported, "w") as file:
            subprocess.run([program, "export", "places", "--format", "geojson", "--data", data], check=True, stdout=file)
        layer = QgsVectorLayer(str(exported), "places", "ogr")
        if (layer.featureCount(), layer.crs().authid()) != (1500, "EPSG:4326"):
            sys.exit(f"QGIS finds {layer.featureCount()} of 1500 exported places")
        print("QGIS opens the file and finds its places by the index, and opens an export.")
        with serving(program, data) as address:
            check_service(address)


@contextlib.contextmanager
def serving(program, data):
    """Serves a folder, and gives the address."""
    environment = {**os.environ, "CERCA_LOG_FORMAT": "text"}
    process = subprocess.Popen([program, "serve", "--data", data, "--port", "0"], env=environment,
                               stderr=subprocess.PIPE, text=True)
    try:
        said = next(filter(None, (re.search(r"listening on (\S+)", line) for line in process.stderr)))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield said.group(1)
    finally:
        process.terminate()
        process.wait()


def check_service(address):
    """Reads the collection of shops in QGIS, whole, in pages and in a box."""
    source = f"url='{address}/ogc' typename='places_shop' pageSize='400'"
    layer = QgsVectorLayer(source, "shops", "OAPIF")
    if not layer.isValid():
        sys.exit(f"QGIS cannot open {source}: {layer.error().message()}")
    box = QgsFeatureRequest(QgsRectangle(29.5, 39.5, 31.5, 90))
    found = (sum(1 for _ in layer.getFeatures()), sum(1 for _ in layer.getFeatures(box)), layer.crs().authid())
    if found != (1500, 100, "EPSG:4326"):
        sys.exit(f"QGIS finds {found} where 1500 shops are, 100 of them in the box")
    names = {feature["name"] for feature in layer.getFeatures(box)}
    if not all(name.startswith("Shop ") for name in names) or len(names) != 100:
        sys.exit(f"QGIS finds other names: {sorted(names)[:5]}")
    print("QGIS opens the running service and finds its shops.")


application = QgsApplication([], False)
application.initQgis()
check(sys.argv[1])
