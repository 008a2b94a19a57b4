"""Times the frames of the page's live map: tools/python tools/frames.py [--program FILE]

The file has 100,000 places in Valencia, and 5,000 people move there once a second, by requests of 125 pings. Prints the
frames that Chromium, headless, draws within 15 s before the live crowd is shown, and after. Needs what tools/page needs.
"""

import argparse
import json
import random
import subprocess
import tempfile
import threading
import time
from contextlib import closing

from browser import Browser
from service import TOP, Service

PLACES, PEOPLE, SECONDS = 100_000, 5_000, 15
FRAMES = """return new Promise((done) => {
  const [times, begun] = [[], performance.now()];
  let last;
  const draw = (now) => {
    if (last) times.push(Math.round(now - last));
    last = now;
    if (performance.now() - begun < %d) requestAnimationFrame(draw); else done(times);
  };
  requestAnimationFrame(draw);
});""" % (SECONDS * 1000)

CLUSTERS = """return document.querySelectorAll(".cluster").length"""


def spot():
    return {"lat": 39.47 + random.uniform(-.06, .06), "lon": -0.3763 + random.uniform(-.09, .09)}


def fill(program, folder):
    rows = {
        "places": ({"id": f"x{i}", "kind": "store", "name": f"S {i}", **spot()} for i in range(PLACES)),
        "people": ({"id": f"m{i}", "throttle": {"distance_m": 0.5, "interval_s": 0}} for i in range(PEOPLE)),
    }
    for kind, items in rows.items():
        with open(f"{folder}/{kind}.ndjson", "w") as file:
            file.writelines(json.dumps(item) + "\n" for item in items)
        command = [program, "import", kind, file.name, "--data", f"{folder}/data"]
        subprocess.run(command, check=True, capture_output=True)


def move(service, over, sent):
    spots = {f"m{i}": spot() for i in range(PEOPLE)}
    while not over.is_set():
        begun = time.monotonic()
        for at in spots.values():
            at["lat"] += random.uniform(-2e-4, 2e-4)
            at["lon"] += random.uniform(-2e-4, 2e-4)
        pings = [{"person": person, **at} for person, at in spots.items()]
        for start in range(0, PEOPLE, 125):
            sent.append(service.post("/v1/pings", pings[start:start + 125])["stored"])
        over.wait(max(0, 1 - (time.monotonic() - begun)))


def report(name, times):
    times.sort()
    count = len(times)
    print(f"{name}: {count / SECONDS:.1f} frames a second; ms between them: p50 {times[count // 2]}, "
          f"p99 {times[count * 99 // 100]}, at most {times[-1]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=f"{TOP}/.build/release/cerca")
    program = parser.parse_args().program
    random.seed(1)
    over, sent = threading.Event(), []
    with tempfile.TemporaryDirectory() as folder:
        fill(program, folder)
        with closing(Service(program, folder, {})) as service, closing(Browser()) as browser:
            mover = threading.Thread(target=move, args=(service, over, sent))
            mover.start()
            try:
                browser.open(f"{service.url}/#13/39.47/-0.3763")
                browser.wait("clusters are drawn", lambda: browser.run(CLUSTERS) > 5)
                report("the places are drawn", browser.run(FRAMES))
                browser.click("#live-tab")
                browser.wait_text("#live-status", r"In view: (4,[6-9]\d\d|5,000)\.", 60)
                before = sum(sent)
                report("the crowd is live", browser.run(FRAMES))
                print(f"{(sum(sent) - before) / SECONDS:.0f} moves a second; {browser.text('#live-status')}")
                assert browser.faults() == [], browser.faults()
            finally:
                over.set()
                mover.join()


if __name__ == "__main__":
    main()
