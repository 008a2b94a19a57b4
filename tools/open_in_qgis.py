"""Opens the file of a folder in QGIS by its SpatiaLite provider: tools/open_in_qgis.py PROGRAM. Needs Debian's python3-qgis."""
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["QT_QPA_PLATFORM"] = "offscreen"
from qgis.core import QgsApplication, QgsFeatureRequest, QgsRectangle, QgsVectorLayer  # noqa: E402


def rows(numbers, longitude):
    """A table of shops on meridians, fifty on each."""
    lines = (f"shop{n},store,Shop {n},{40 + n % 50},{longitude + n // 50}" for n in numbers)
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


application = QgsApplication([], False)
application.initQgis()
check(sys.argv[1])
