"""Times vector tiles of many places while batches of pings come: python3 tools/tiles.py [--program FILE] [--places N]

wrk requests different tiles of zooms 4 to 14 around random places, without and beside ingest, by 4 connections.
"""

import argparse
import math
import random
import tempfile

from against import TOP, Files, Program

TILES, SECONDS = 60_000, 5


def tile(place, zoom):
    """The path of the tile of Web Mercator with a place (OpenStreetMap, Slippy map tilenames)."""
    lat, lon = math.radians(float(place[3])), float(place[4])
    x = int((lon + 180) / 360 * 2**zoom)
    y = int((1 - math.asinh(math.tan(lat)) / math.pi) / 2 * 2**zoom)
    return f"GET /v1/tiles/store/{zoom}/{x}/{y}.mvt"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=f"{TOP}/.build/release/cerca")
    parser.add_argument("--places", type=int, default=1_000_000)
    parser.add_argument("--folder", help="where the data is while it runs; a temporary folder by default")
    given = parser.parse_args()
    dice = random.Random(3)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        files = Files(folder, given.places, 20_000)
        program = Program("this", given.program, folder)
        program.load(files)
        program.serve()
        paths = {tile(dice.choice(files.places), min(14, dice.randint(4, 20))) for _ in range(TILES)}
        paths = dice.sample(sorted(paths), len(paths))
        for name, part in [("alone", paths[::2]), ("beside ingest", paths[1::2])]:
            with open(f"{folder}/tiles.txt", "w") as file:
                file.write("\n".join(part) + "\n")
            ingest = name != "alone" and program.wrk("pings", 100, 20_000, 2000, connections=4, seconds=SECONDS)
            run = program.wrk("questions", file.name, connections=4, seconds=SECONDS)
            output = run.communicate()[0].split("wire ")[1].split()
            print(f"{name}: {int(output[0]) / float(output[1]):.0f} tiles a second of {len(part)} different ones, "
                  f"{int(output[2]) / int(output[0]) / 1e3:.1f} kB each, p50 {output[4]} ms, p99 {output[5]} ms, "
                  f"{output[3]} failures, {output[7]} refused", flush=True)
            if ingest:
                print(f"pings beside: {int(ingest.communicate()[0].split('wire ')[1].split()[0]) * 100 / SECONDS:.0f} a second")
        program.stop()


main()
