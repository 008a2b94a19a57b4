"""Walks through the page at / in a real browser, by clicking: tools/page [--write] [--only WALK,WALK] [--program FILE]

Starts the program (.build/release/cerca) with the sample data on a free port of this machine, and Chromium, headless.
A walk fails if the browser's log has an error, which a violation of the content security policy is too. --write makes
the pictures of the documents, docs/images, anew. Needs Debian's chromium, chromium-driver, libjs-leaflet, node-qrcode-generator
and zbar-tools, and the simulator beside the program. --web serves the page's files from Sources/PageFiles/web, so that a change of them needs no build.
axe is read from the package axe-playwright-python (tools/python).
"""

import argparse
import base64
import http.client
import importlib.util
import json
import mimetypes
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import office
from browser import ELEMENT, KEYS, Browser, expect
from service import TOP, Service

VALENCIA = "/#15/39.4699/-0.3763"
# By default five connections wait, and a browser, which opens six at once, repeats a refused one seconds later.
ThreadingHTTPServer.request_queue_size = 128


def near(browser, service, picture):
    """A click on the map finds the nearest store that has a red pump in size 37."""
    browser.open(service.url + VALENCIA)
    browser.click("input[name=what][value=stores]")
    for name, value in [("category", "pump"), ("color", "red"), ("size", "EU:37")]:
        browser.pick(f"#facet-{name}", value)
    browser.click_at("#map")
    browser.wait_text("#near-status", r"The (nearest|first) is Calzados Horma Dorada, 9\d m\.")
    browser.wait_text("#near-answers li:first-child", r"Umbra pump · red.* · €89.50 · size 37, 2 left")
    # Hours are in the store's time zone, which is named if the reader's differs.
    for zone, named in [("America/New_York", r"\sSpain Time"), ("Europe/Paris", "")]:
        browser.timezone(zone)
        browser.click("#near-form button[type=submit]")
        browser.wait_text("#near-answers li:first-child small", rf"(open until|opens) .*\d\d:\d\d\s[AP]M{named}$")
    picture("near")
    browser.type("[name=price_max]", "60" + KEYS["enter"])
    browser.wait_text("#near-status", r"The (nearest|first) is Botines Romeralta, 19\d m\.")
    browser.click("#near-request summary")
    command = browser.text("#near-request code")
    expect(re.match(rf"curl '{service.url}/v1/stores/nearest\?lat=39\.4(699|6989)", command), command)
    answer = json.loads(subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout)
    expect(answer["items"][0]["name"] == "Botines Romeralta", "the command asks the same")
    browser.click("#near-answers button")
    browser.wait("the map goes there", lambda: re.match(r"#near/15/39\.470[45]", browser.run("return location.hash")))
    browser.wait_text("#card-name", "Botines Romeralta")
    # The card has what is searched on top, with its size marked, then the cheapest, and on request all.
    browser.open(service.url + VALENCIA + "?what=stores&category=pump&color=red&size=EU:37&card=place:zapateria-0032")
    browser.wait_text("#card-body", r"(?s)Your search\nAndavielle Umbra pump\s+€89.50\s.*In stock: the 20 cheapest")
    expect(browser.run("return [...document.querySelectorAll('.stock mark')].map(one => one.textContent)") == ["37"], "its size is marked")
    browser.click("#card-body .stock + button")
    browser.wait_text("#card-body", r"In stock: 2[1-6]\n")
    expect(browser.text("#card-body").count("Umbra pump") == 1, "the product is listed once")
    browser.wait_text("#card-body", "All opening hours")
    browser.click("#card-body summary")
    browser.wait_text("#card-body details", r"Monday to Saturday: 10:00–21:00\nSunday: closed")
    # Enter in a filter keeps the chosen point; a decimal comma is read, and what could be thousands is refused.
    browser.open(service.url + VALENCIA + "?what=stores&at=39.475,-0.37")
    browser.wait_text("#near-status", "The nearest 20")
    browser.wait_text("#near-filters", r"Maximum price \(EUR\)")
    code = "return document.querySelector('#near-request code').textContent"
    browser.type("[name=price_max]", "45,50" + KEYS["enter"])
    browser.wait("the price is sent", lambda: re.search(r"lat=39\.475&lon=-0\.37&.*price_max=4550&", browser.run(code)))
    browser.run("document.querySelector('[name=price_max]').value = ''")
    browser.type("[name=price_max]", "1.234" + KEYS["enter"])
    expect(browser.run("return document.querySelector('[name=price_max]').matches(':invalid')"), "1.234 is ambiguous")
    expect("price_max=1234" not in browser.run(code), "it is not sent")
    browser.click_at("#map")
    browser.wait_text("#near-status", "Write the price as 45.50")
    expect(not browser.run(code.replace(".textContent", "")), "nothing is searched without it")


def kinds(browser, service, picture):
    """Places narrowed down by facets, more of them, and cities; by keyboard alone from the map."""
    browser.open(service.url + "/#6/39.4699/-0.3763")
    browser.pick("#facet-tag", "vegan")
    browser.type("#map", KEYS["enter"])
    browser.wait_text("#near-status", "The nearest 20")
    browser.click("#near-more")
    browser.wait_text("#near-status", "The nearest 40")
    browser.click("input[name=what][value=cities]")
    browser.wait_text("#near-status", "The first is Valencia, ES")
    browser.type("#search-box", "Gandia" + KEYS["enter"])
    browser.wait("the map goes there", lambda: "/38.96" in browser.run("return location.hash"))
    expect("GeoNames" in browser.text("#map") and "Natural Earth" in browser.text("#map"), "both are credited")


def person(browser, service, picture):
    """A person now, and long before at the other end of the slider; the cell that strangers see beside it."""
    browser.open(service.url + VALENCIA)
    browser.click("#person-tab")
    browser.type("#person-id", "elena2" + KEYS["enter"])
    browser.wait_text("#person-status", r"\(elena2\), last known position")
    places = service.get("/v1/people/elena2/history")["items"]
    expect(len(places) > 5, "she moved")
    browser.wait_text("#person-truth", f"{places[-1]['lat']}, {places[-1]['lon']}")
    browser.wait_text("#person-cell", r"somewhere in a cell [\d.]+ km wide")
    browser.wait_text("#person-friends", r"km|\d m")
    picture("person")
    browser.type("#person-time", KEYS["home"])
    browser.wait_text("#person-truth", f"{places[0]['lat']}, {places[0]['lon']}")
    browser.type("#person-time", KEYS["right"] * 5)
    browser.wait_text("#person-truth", "the distance they can have moved|a confirmed position")
    browser.type("#person-time", KEYS["end"])
    browser.wait_text("#person-status", r"\(elena2\), last known position")
    expect(browser.text("#person-request summary") == "GET /v1/people/elena2/position", "its requests are there")
    # A person with a unique name is found by it.
    service.put("/v1/people/elena2", {**service.get("/v1/people/elena2"), "surname": "Querol"})
    browser.run("document.querySelector('#person-id').value = ''")
    browser.type("#person-id", "querol" + KEYS["enter"])
    browser.wait_text("#person-status", r"\(elena2\), last known position")
    expect(browser.run("return document.querySelector('#person-id').value") == "elena2", "the id is told")
    expect(browser.text("#person-status").startswith("Elena Querol (elena2)"), browser.text("#person-status"))
    middle = [float(number) for number in browser.run("return location.hash").split("?")[0].split("/")[2:4]]
    last = service.get("/v1/people/elena2/position")
    expect(abs(middle[0] - last["lat"]) + abs(middle[1] - last["lon"]) < 0.01, "she is in the middle of the map")
    # Of several people with a name the others are offered, and a friend's card opens.
    browser.run("document.querySelector('#person-id').value = ''")
    browser.type("#person-id", "elena" + KEYS["enter"])
    browser.wait_text("#person-others", r"Others with this name:\s+Elena")
    browser.click("#person-others button")
    browser.wait_text("#person-status", r"Elena .* \(elena\d\), last known position")
    name = browser.text("#person-friends button")
    browser.click("#person-friends button")
    browser.wait_text("#card-name", f"^{name}")
    browser.wait_text("#card-body", "Last heard")
    faults = [fault for fault in browser.faults() if "404" not in fault]
    expect(faults == [], faults)


def fences(browser, service, picture):
    """Fences are drawn by clicks or by keyboard, changed and deleted; those of a person too, and what is refused is said."""
    browser.open(service.url + VALENCIA)
    browser.click("#fences-tab")
    browser.wait_text("#fences-status", r"Fences: 0\.")
    browser.wait_text("#fences-none", "Click on the map to draw the first one")
    # Without ids nothing is saved: everyone is watched by choice only.
    browser.click_at("#map")
    browser.type("#fence-form [name=id]", "unchosen")
    browser.click("#fence-save")
    expect(browser.run("return document.querySelector('#fence-form [name=people]').matches(':invalid')"), "ids are required")
    expect(service.get("/v1/fences")["items"] == [], "no fence is made")
    browser.click("#fence-anew")
    for name, shape, clicks in [("depot", "circle", [(0, 0)]), ("park", "polygon", [(-150, -90), (-60, -90), (-90, 90)]),
                                ("street", "corridor", [(150, -150), (200, 120)])]:
        browser.click(f"#fence-form [name=shape][value={shape}]")
        for x, y in clicks:
            browser.click_at("#map", x, y)
        browser.wait_text("#fence-points", rf"Points: {len(clicks)}\.")
        browser.type("#fence-form [name=id]", name)
        browser.click("#fence-form [name=whom][value=everybody]")
        browser.click("#fence-save")
        browser.wait_text("#fences-status", f"{name} was saved")
    browser.wait_text("#fences-list", r"(?s)depot.*circle · 250 m · everyone · entering, leaving.*park.*polygon.*street.*corridor")
    areas = {fence["id"]: fence["area"] for fence in service.get("/v1/fences")["items"]}
    expect(areas["depot"]["within_m"] == 250 and abs(areas["depot"]["lat"] - 39.4699) < 1e-4, areas)
    expect([areas[name]["type"] for name in ["park", "street"]] == ["Polygon", "LineString"], areas)
    expect(len(areas["park"]["coordinates"][0]) == 4 and len(areas["street"]["coordinates"]) == 2, areas)
    picture("fences")
    # A change must keep members that the form does not have.
    service.put("/v1/fences/depot", {**service.get("/v1/fences/depot"), "note": "The depot"})
    browser.click("#fences-list li:first-child .also")
    browser.wait_text("#fence-heading", "Change a fence")
    browser.run("const field = document.querySelector('#fence-form [name=within_m]'); field.value = '';"
                "field.dispatchEvent(new Event('input', { bubbles: true }))")
    expect(browser.run("return document.querySelector('#fence-save').disabled"), "no fence without a width is saved")
    browser.type("#fence-form [name=within_m]", "400")
    browser.click("#fence-form [name=dwell][type=checkbox]")
    browser.click("#fence-form [name=whom][value=people]")
    browser.type("#fence-form [name=people]", "ana, luis" + KEYS["enter"])
    browser.wait_text("#fences-list", r"depot.*(?s:.)*400 m · ana, luis · entering, leaving, staying")
    depot = service.get("/v1/fences/depot")
    expect((depot["note"], depot["dwell_s"], depot["area"]["lat"]) == ("The depot", 600, areas["depot"]["lat"]), depot)
    # The form must not overwrite an existing fence of that name, or a concurrent change.
    browser.click_at("#map")
    browser.click("#fence-form [name=whom][value=everybody]")
    browser.type("#fence-form [name=id]", "depot" + KEYS["enter"])
    browser.wait_text("#fence-fault", "There already is a fence depot")
    browser.click("#fence-anew")
    # The full name of one person stands for the id; a refusal is beside the button, and leaving keeps what is drawn.
    service.put("/v1/people/filomena", {"name": "Filomena", "surname": "Prats"})
    browser.click("#fence-form [name=shape][value=polygon]")
    browser.click_at("#map")
    browser.wait_text("#fence-points", r"Points: 1 of at least 3\.")
    browser.click("#fence-form [name=shape][value=circle]")
    browser.type("#fence-form [name=id]", "named")
    browser.type("#fence-form [name=people]", "Filomena Nobody" + KEYS["enter"])
    browser.wait_text("#fence-fault", "Nobody is called “Filomena Nobody”")
    expect(browser.run("return document.querySelector('#fence-form [aria-invalid]').name") == "people", "the field is marked")
    browser.click("#near-tab")
    browser.click("#fences-tab")
    browser.wait_text("#fence-points", r"Points: 1\.")
    browser.run("document.querySelector('#fence-form [name=people]').value = ''")
    browser.type("#fence-form [name=people]", "ana, filomena prats" + KEYS["enter"])
    browser.wait_text("#fences-status", "named was saved")
    expect(service.get("/v1/fences/named")["people"] == ["ana", "filomena"], service.get("/v1/fences/named"))
    # A fence that is opened while names become ids is neither written nor closed.
    browser.click("#fences-form button")
    browser.click("#fences-list li:first-child .also")
    browser.wait_text("#fence-heading", "Change a fence")
    browser.run("""window.ask = fetch; window.fetch = async (...given) => {
        if (String(given[0]).includes("/v1/query")) await new Promise((go) => { window.goOn = go; });
        return window.ask(...given); }""")
    browser.run("document.querySelector('#fence-form [name=people]').value = ''")
    browser.type("#fence-form [name=people]", "ana, filomena prats" + KEYS["enter"])
    before = service.get("/v1/fences/street")
    browser.click("#fences-list li:last-child .also")
    browser.wait("the other is open", lambda: browser.run("return document.querySelector('#fence-form [name=id]').value") == "street")
    browser.run("window.goOn(); window.fetch = window.ask")
    browser.wait_text("#fences-status", "depot was saved")
    expect(service.get("/v1/fences/depot")["people"] == ["ana", "filomena"], service.get("/v1/fences/depot"))
    expect(service.get("/v1/fences/street") == before, "the other is unchanged")
    expect(browser.run("return document.querySelector('#fence-form [name=id]').value") == "street", "it stays open")
    browser.click("#fence-anew")
    for thing in ("fences/named", "people/filomena"):
        service.request("DELETE", f"/v1/{thing}")
    browser.click("#fences-form button")
    browser.wait_text("#fences-status", r"Fences: 3\.")
    for choice in ["dismiss", "accept"]:
        expect(len(service.get("/v1/fences")["items"]) == 3, "nothing is deleted without a question")
        browser.click("#fences-list li:nth-child(2) .also + .also")
        asked = browser.answer(choice)
        expect("Delete the fence park?" in asked, asked)
    browser.wait_text("#fences-status", "park was deleted")
    expect([fence["id"] for fence in service.get("/v1/fences")["items"]] == ["depot", "street"], "it is gone")
    # Fences with areas of places follow the places: they are listed, and keep members that the form does not have.
    square = {"type": "Polygon", "coordinates": [[[-0.38, 39.46], [-0.37, 39.46], [-0.37, 39.47], [-0.38, 39.46]]]}
    service.put("/v1/places/ruzafa", {"kind": "delivery", "name": "Ruzafa", "area": square})
    service.put("/v1/fences/all", {"area": {"places": {"kind": "delivery"}}, "everybody": True})
    service.put("/v1/fences/one", {"area": {"place": "ruzafa"}, "everybody": True})
    browser.click("#fences-form button")
    browser.wait_text("#fences-list", r"(?s)all.*areas of all places of kind delivery.*one.*the area of ruzafa.*street")
    browser.click("#fences-list li:first-child .also")
    browser.wait_text("#fence-heading", "Change a fence")
    expect(not browser.run("return document.querySelector('#fence-width').offsetParent"), "it has no width")
    browser.click("#fence-form [name=dwell][type=checkbox]")
    browser.click("#fence-save")
    browser.wait_text("#fences-status", "all was saved")
    expect(service.get("/v1/fences/all")["area"] == {"places": {"kind": "delivery"}}, "its area is kept")
    expect(service.get("/v1/fences/all")["everybody"], "it watches as before")
    # People whom the form has no field for stay watched, and no others.
    service.put("/v1/fences/one", {"area": {"place": "ruzafa"}, "attributes": {"role": "courier"}})
    browser.click("#fences-form button")
    browser.wait_text("#fences-list", "role: courier")
    browser.click("#fences-list li:nth-child(3) .also")
    browser.wait("the fence is in the form", lambda: browser.run(
        "return document.querySelector('#fence-form [name=whom]:checked').value") == "kept")
    browser.click("#fence-save")
    browser.wait_text("#fences-status", "one was saved")
    one = service.get("/v1/fences/one")
    expect((one["attributes"], one.get("everybody")) == ({"role": "courier"}, None), one)
    for thing in ("fences/all", "fences/one", "places/ruzafa"):
        service.request("DELETE", f"/v1/{thing}")
    # With the keyboard only, for a person's fences.
    browser.type("#fences-person", "ana" + KEYS["enter"])
    browser.wait_text("#fences-status", r"Fences: 0\.")
    browser.type("#map", KEYS["enter"])
    browser.wait_text("#fence-points", r"Points: 1\.")
    # Any name becomes an id, and is kept as the note.
    expect(not browser.run("return document.querySelector('#fence-dwell').offsetParent"), "no dwell time without dwelling")
    browser.type("#fence-form [name=id]", "¡Zona céntrica!")
    browser.wait_text("#fence-id-help", "Its id will be zona-centrica")
    browser.type("#fence-form [name=id]", KEYS["enter"])
    browser.wait_text("#fences-status", "zona-centrica was saved")
    here = service.get("/v1/people/ana/fences/zona-centrica")
    expect("lat" in here["area"] and here["note"] == "¡Zona céntrica!", "it is hers")
    # People are suggested by their names, after those that are there.
    browser.run("document.querySelector('#fences-person').value = ''")
    browser.click("#fences-form button")
    browser.wait_text("#fences-status", r"Fences: \d")
    browser.type("#fence-form [name=people]", "ana, marí")
    browser.wait("names are suggested", lambda: any(one.startswith("ana, maria") for one in browser.run(
        "return [...document.querySelectorAll('#fence-candidates option')].map(one => one.value)")))
    for fence in ("fences/depot", "fences/street", "people/ana/fences/zona-centrica"):
        service.request("DELETE", f"/v1/{fence}")
    faults = [fault for fault in browser.faults() if "412" not in fault]
    expect(faults == [], faults)


def live(browser, service, picture):
    """Who moves is seen without a click, and fences ring as the simulator's crowd walks through them."""
    service.put("/v1/fences/centre", {"area": {"lat": 39.4699, "lon": -0.3763, "within_m": 300}, "everybody": True})
    browser.open(service.url + "/#14/0/-30")
    browser.click("#live-tab")
    browser.wait_text("#live-none", "Nobody|No one|no contact")
    expect(browser.run("return document.querySelector('#watch-none').hidden"), "of nobody it is not said that all are well")
    browser.open(service.url + "/#13/39.4699/-0.3763")
    browser.click("#live-tab")
    browser.wait_text("#live-quiet", "No alerts yet")
    # There may be people of other walks.
    there = int(browser.wait_text("#live-status", r"^In view: (\d+)\. Moves since you opened this view: 0").group(1))
    for count, name in enumerate(["ana", "luis", "sergio"], 1):
        sent = service.post("/v1/pings", {"person": name, "lat": 39.467 + count / 1000, "lon": -0.3763, "accuracy_m": 5})
        expect(sent["stored"] == 1, sent)
        browser.wait_text("#live-status", rf"^In view: {there + count}\. Moves since you opened this view: {count}")
    browser.wait_text("#live-alerts", "(?s)Sergio entered centre.*Ana entered centre")
    expect(browser.run("return document.querySelector('#live-quiet').hidden"), "there are alerts")
    browser.wait_text("#live-list", r"(?s)Sergio\s+1\d m · .*Luis\s+1\d\d m · .*Ana\s+2\d\d m · ")
    browser.run("[...document.querySelectorAll('#live-list button')].find(one => one.textContent === 'Sergio').click()")
    browser.wait_text("#card-name", "Sergio")
    browser.click("#card-close")
    crowd = subprocess.Popen([service.simulator, "--url", service.url, "--people", "50", "--hours", "1", "--speed", "60",
                              "--live", "--city", "Valencia, ES"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        browser.wait_text("#live-status", r"^In view: [3-9]\d\.", 60)
        browser.wait_text("#live-alerts", r"(?m)^(?!Ana|Luis|Sergio)\w+ (entered|left) centre", 60)
        picture("live")
    finally:
        crowd.send_signal(signal.SIGINT)
        crowd.wait()
    browser.click("#live-request summary")
    expect("/v1/events?type=ping.moved,fence.enter" in browser.text("#live-request code"), "its request is there")
    browser.click("#near-tab")
    expect(browser.run("return document.querySelectorAll('.leaflet-crowd-pane')[0].style.display") == "none", "it is gone")


def begin(browser, service, picture):
    """The map begins where the data are, counts places where they are dense, and goes where the reader is."""
    browser.open(service.url)
    counted = """return [...document.querySelectorAll(".cluster")].reduce((sum, one) => sum + +one.textContent, 0)"""
    browser.wait("all places are counted", lambda: browser.run(counted) > 1300)
    expect(re.match(r"#near/[2-4]/", browser.run("return location.hash")), browser.run("return location.hash"))
    before = browser.run("return location.hash")
    browser.run("[...document.querySelectorAll('.cluster')].sort((a, b) => b.textContent - a.textContent)[0].click()")
    browser.wait("a click comes closer", lambda: browser.run("return location.hash") != before)
    browser.open(service.url + "/#12/39.47/-0.376")
    browser.wait("a town's places are dots", lambda: browser.run("""const {map, themeColor} = await import("/page/map.js");
        let count = 0;
        map.eachLayer(one => { count += one.options.color === themeColor("place"); });
        return count > 20 && document.querySelectorAll(".cluster").length === 0"""))
    place = {"latitude": 39.4702, "longitude": -0.3768, "accuracy": 30}
    def may_locate(setting):
        browser.call("POST", "/goog/cdp/execute", {"cmd": "Browser.setPermission", "params": {
            "permission": {"name": "geolocation"}, "setting": setting}})

    browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setGeolocationOverride", "params": place})
    may_locate("denied")
    browser.click("#locate")
    browser.wait_text("#map-status", "Location is blocked")
    browser.click("#person-tab")
    expect(browser.run("return document.querySelector('#map-status').textContent") == "", "the reason goes with the view")
    browser.click("#near-tab")
    may_locate("granted")
    browser.click("#locate")
    browser.wait_text("#near-status", "The nearest 20. The first is")
    browser.wait("the map is there", lambda: re.match(r"#near/15/39\.470\d+/-0\.37[67]", browser.run("return location.hash")))
    # Without places it begins where people are; the sample's page with the address does not move.
    browser.open(service.url + VALENCIA)
    expect(browser.run("return location.hash").startswith("#near/15/39."), "an address is kept")


def vanishing(browser, service, picture):
    """Names and trails follow those who move; of somebody whose position may not be known any more nothing stays."""
    service.put("/v1/fences/gate", {"area": {"lat": 39.49, "lon": -0.41, "within_m": 200}, "everybody": True})
    browser.open(service.url + "/#live/15/39.488/-0.41")
    browser.wait_text("#live-status", r"^In view: 0\.")
    browser.wait_text("#live-none", "No one here has been in contact")
    now = time.time()
    for step, lat in enumerate([39.484, 39.487, 39.49]):
        service.post("/v1/pings", {"person": "nuria", "lat": lat, "lon": -0.41, "accuracy_m": 5, "t": now - 200 + 100 * step})
        browser.wait_text("#live-status", r"^In view: 1\.")
    browser.wait_text("#watch-list", "Nuria")
    browser.wait_text("#watch-list", "entered gate")
    drawn = """const {map} = await import("/page/map.js");
        let [dots, ends] = [[], []];
        map.eachLayer(one => {
            if (one.about) dots.push([one.about().name, Math.round(one.about().heading)]);
            if (one.options.pane === "crowd" && one.getLatLngs) ends.push(one.getLatLngs().length);
        });
        return [dots.map(String), ends]"""
    browser.wait("there is a trail to the north", lambda: browser.run(drawn) in ([["Nuria,0"], [2]], [["Nuria,0"], [3]]))
    # People who come into view after a trail was drawn are as strong as the others.
    service.post("/v1/pings", {"person": "pilar", "lat": 39.53, "lon": -0.41, "accuracy_m": 5})
    browser.run("""const {map} = await import("/page/map.js");
        window.alphas = [];
        const draw = CanvasRenderingContext2D.prototype.drawImage;
        CanvasRenderingContext2D.prototype.drawImage = function (...given) {
            if (this.canvas.closest(".leaflet-crowd-pane")) alphas.push(this.globalAlpha);
            return draw.apply(this, given);
        };
        map.setZoom(12)""")
    browser.wait_text("#live-status", r"^In view: ([2-9]|\d\d)")
    # A move of the map draws all of them anew.
    browser.run("""const {map} = await import("/page/map.js"); alphas.length = 0; map.panBy([40, 40], {animate: false})""")
    browser.wait("they are drawn", lambda: browser.run("return alphas.length") > 1)
    expect(set(browser.run("return alphas")) == {1}, browser.run("return alphas"))
    browser.click("#watch-list button")
    browser.wait_text("#card-body", r"(?s)Last heard.*exact, ± 5 m")
    service.request("DELETE", "/v1/people/nuria/history?datetime=2020-01-01T00:00:00Z/..")
    browser.wait("trail, card and row are gone", lambda: "Nuria" not in str(browser.run(drawn)) and browser.run(drawn)[1] == [] and browser.run("""
        return document.querySelector("#card").hidden && document.querySelectorAll("#watch-list li").length === 0"""))
    expect(browser.run("return document.querySelector('#card').textContent.trim()") == "×", "nothing of the card is kept")
    service.request("DELETE", "/v1/fences/gate")


def address(browser, service, picture):
    """The address keeps view, person, filters and map: a copied link and back show the same."""
    def address_now():
        return browser.run("return location.hash")

    browser.open(service.url + VALENCIA)
    browser.click("input[name=what][value=stores]")
    browser.pick("#facet-category", "pump")
    browser.click_at("#map")
    browser.wait_text("#near-status", "The nearest 20. The first is")
    sought, found = address_now(), browser.text("#near-status")
    expect(re.fullmatch(r"#near/15/39\.\d+/-0\.\d+\?what=stores&category=pump&.*at=39\.\d+,-0\.\d+", sought), sought)
    browser.click("#person-tab")
    browser.type("#person-id", "elena2" + KEYS["enter"])
    browser.wait_text("#person-status", r"\(elena2\), last known position")
    browser.type("#person-time", KEYS["home"])
    browser.wait("the time is kept", lambda: re.match(r"#person/.*\?id=elena2&days=7&at=2026-", address_now()))
    browser.wait_text("#person-status", r"\(elena2\), .*\d")
    past, told = address_now(), browser.text("#person-status")
    browser.click("#live-tab")
    browser.wait("the view is kept", lambda: address_now().startswith("#live/"))
    browser.run("history.back()")
    browser.wait("the address is as before", lambda: address_now() == past)
    browser.wait_text("#person-status", re.escape(told))
    browser.open(f"{service.url}/{past}")
    browser.wait_text("#person-status", re.escape(told))
    expect(address_now() == past, f"{address_now()} is not {past}")
    browser.open(f"{service.url}/{sought}")
    browser.wait_text("#near-status", re.escape(found))
    expect(browser.run("return document.querySelector('#facet-category').value") == "pump", "the filter is set")
    browser.run("location.hash = '#no/such/thing'")
    browser.wait("another address opens the first view", lambda: address_now().startswith("#near/15/"))


def search(browser, service, picture):
    """One box answers while one types: cities, places, stores by what they have, people; by keyboard, aborted when older."""
    browser.open(service.url + VALENCIA)
    browser.run("""window.asked = [];
        const before = fetch;
        window.fetch = (url, options) => {
            if (String(url).endsWith("/v1/query")) asked.push([JSON.parse(options.body).queries.find(one => one.list === "people")?.q, options.signal]);
            return before(url, options);
        };""")
    browser.type("#search-box", "valen")
    browser.wait_text("#search-list", r"(?s)Valencia\nCity · Venezuela.*Valencia\nCity · Spain")
    asked = browser.run("return asked.map(([q]) => q)")
    expect(asked[-1] == "valen" and len(asked) < 5, f"it asks after a pause: {asked}")
    state = """const box = document.querySelector("#search-box");
        return [box.getAttribute("aria-expanded"), document.getElementById(box.getAttribute("aria-activedescendant"))
            ?.querySelector(".name").nextSibling.textContent.split(" · ")[1] ?? null]"""
    expect(browser.run(state) == ["true", None], browser.run(state))
    browser.type("#search-box", KEYS["down"] * 2)
    expect(browser.run(state) == ["true", "Spain"], browser.run(state))
    browser.type("#search-box", KEYS["escape"])
    expect(browser.run(state) == ["false", None], "Escape closes the list")
    browser.type("#search-box", KEYS["down"] * 2 + KEYS["enter"])
    browser.wait_text("#card-name", "^Valencia$")
    browser.wait("the map goes there", lambda: re.match(r"#near/1\d/39\.4\d+/-0\.3", browser.run("return location.hash")))
    # A size is a number beside the words; Enter waits for the answer.
    for words, name, card in [("red pump 37", "Botines Romeralta", "Fuente pump"), ("calzados horma dorada", "Calzados Horma Dorada", "Ronda Norte 105"),
                              ("red pumps size 37", "Calzados|Botines", r"(?s)Your search.*pump"),
                              ("esteve moreno", "Elena Esteve Moreno|Andrés", "Last heard")]:
        browser.run("document.querySelector('#search-box').value = ''")
        browser.type("#search-box", words + KEYS["enter"])
        browser.wait_text("#card-name", name)
        browser.wait_text("#card-body", card)
    # A word before the size says what it is; all stores open in the form.
    browser.run("document.querySelector('#search-box').value = ''")
    browser.type("#search-box", "zapato rojo talla 37")
    browser.wait_text("#search-list", r"(?s)Store · .* red.* · size 37, \d left · .*See all stores with “zapato rojo talla 37”")
    browser.click("#search-list li:last-child")
    browser.wait_text("#near-status", "The nearest 20. The first is")
    expect(re.search(r"what=stores&q=zapato\+rojo.*&size=EU:37&", browser.run("return location.hash")), browser.run("return location.hash"))
    browser.run("document.querySelector('#search-box').value = ''")
    # People lead where the word is their name. The text goes with another card or view.
    browser.type("#search-box", "ana")
    browser.wait_text("#search-list", r"^Ana \w.*\nPerson")
    box = "return document.querySelector('#search-box').value"
    expect(browser.run(box) == "ana", "the text stays while one types")
    browser.click("#service-tab")
    expect(browser.run(box) == "", "another view empties the box")
    browser.type("#search-box", "valen")
    browser.wait_text("#search-list", "^Valencia")
    browser.click("#person-tab")
    browser.type("#search-box", "marí")
    browser.wait_text("#search-list", r"^María.*\nPerson")
    browser.type("#search-box", KEYS["enter"])
    browser.wait_text("#card-name", "María")
    expect(browser.run(box) == "", "a card empties the box")
    browser.click("#near-tab")
    browser.type("#search-box", "qwxyzzy")
    browser.wait_text("#search-status", "Nothing matches “qwxyzzy”. Try")
    # What a slow service answers late is not shown: the request before was aborted.
    browser.run("""asked.length = 0; const box = document.querySelector("#search-box");
        const type = text => { box.value = text; box.dispatchEvent(new Event("input")); };
        type("gan"); setTimeout(() => type("gandia"), 151);""")
    browser.wait_text("#search-list", "Gandia")
    browser.wait("the last text was asked for", lambda: browser.run("return asked.map(([q]) => q)")[-1:] == ["gandia"])
    expect(browser.run("return asked.every(([q, signal]) => q === 'gandia' || signal.aborted)"), "the older request was aborted")
    # Sizes in letters; other sizes if there is none, and a city at the end if nothing else is found.
    browser.open(service.url + VALENCIA)
    service.put("/v1/products/helmet", {"name": "Turia helmet", "sizes": ["M", "L"], "price": 4550, "currency": "EUR"})
    service.put("/v1/stores/zapateria-0032/stock/helmet", {"sizes": {"M": 2}})
    for words, status, line in [("turia m", "^1 result", "size M, 2 left"), ("turia size L", "None in size L; other sizes", "Turia helmet"),
                                ("zapato rojo talla 37 sevilla", "Around Sevilla", r"size 37.* · .*, Sevilla")]:
        browser.type("#search-box", words)
        browser.wait_text("#search-status", status)
        browser.wait_text("#search-list", line)
        browser.run("document.querySelector('#search-box').value = ''")
    service.request("DELETE", "/v1/products/helmet")


def cards(browser, service, picture):
    """A click on anything opens a card above the view that stays: a place with its hours, stock and directions, a person, a city."""
    browser.timezone("America/New_York")
    browser.open(service.url + VALENCIA)
    browser.click("#near-form button[type=submit]")
    browser.wait_text("#near-status", "The nearest 20")
    browser.click("#near-answers li:nth-child(3) button")
    browser.wait_text("#card-body", r"(?s)([Oo]pen until|[Cc]losed, opens) .*Spain Time.*(Today \d\d:\d\d–\d\d:\d\d.* Spain Time|Closed today|Open 24 hours)")
    browser.wait_text("#card-body", r"(?s)In stock: (the )?\d+.*€\d+\.\d\d\s+EU\s+\d\d")
    links = browser.run("return [...document.querySelectorAll('#card-body a')].map(one => [one.href, one.rel])")
    expect(re.fullmatch(r"geo:39\.\d+,-0\.\d+\?q=39\.\d+,-0\.\d+\(\S+\)", links[0][0]), links)
    expect(links[1][0].startswith("https://www.openstreetmap.org/directions?to=39.") and "noreferrer" in links[1][1], links)
    expect(browser.run("return document.querySelector('#near').offsetParent === null"), "the list is behind the card")
    address = browser.run("return location.hash")
    expect("&card=place:zapateria-" in address, address)
    name = browser.text("#card-name")
    browser.type("#card-name", KEYS["escape"])
    expect(browser.run("return document.activeElement.closest('#near-answers li:nth-child(3)') !== null"), "the focus is back")
    browser.run("history.back()")
    browser.wait_text("#card-name", re.escape(name))
    browser.open(service.url + "/" + address)
    browser.wait_text("#card-name", re.escape(name))
    browser.click("#card-close")
    # A name of a city on the map.
    browser.open(service.url + "/#8/39.47/-0.376")
    browser.wait("the city is named", lambda: browser.run(
        "return [...document.querySelectorAll('.city .name')].some(one => one.textContent === 'Valencia')"))
    browser.run("[...document.querySelectorAll('.city .name')].find(one => one.textContent === 'Valencia').click()")
    browser.wait_text("#card-name", "^Valencia$")
    browser.click("#card-body a")
    browser.wait_text("#near-status", "The nearest 20")
    # A person: their track and their cell by buttons, and never a photo.
    browser.open(service.url + "/#14/39.47/-0.376?card=person:elena2")
    browser.wait_text("#card-body", r"(?s)EE\s+elena2 · Valencia.*ago.*exact, ± \d+ m")
    for number, said in [(1, r"Positions on the track: \d+"), (2, r"somewhere in a cell [\d.]+ km wide")]:
        browser.click(f"#card .row button:nth-child({number})")
        browser.wait_text("#card-body", said)
    expect(browser.run("return document.querySelectorAll('img:not(.leaflet-tile)').length") == 0, "no photo is loaded")
    browser.click("#card .row a")
    browser.wait_text("#person-status", r"\(elena2\), last known position")
    browser.open(service.url + VALENCIA + "?card=place:nowhere")
    browser.wait_text("#card-body", "no place 'nowhere'")
    # Hours as the service has read them, or as written; a place that is not on the map; a link to copy.
    spot = {"kind": "store", "name": "Turia", "lat": 39.47, "lon": -0.3763, "timezone": "Europe/Madrid"}
    for place, said in [({**spot, "hours": "Lunes a domingo 9-14"}, "Today 09:00–14:00 Spain Time"),
                        ({**spot, "hours": "cuando puedo, 8-6:30"}, r"could not interpret them:\s+cuando puedo, 8-6:30"),
                        ({"kind": "store", "name": "Turia"}, "has no position")]:
        service.put("/v1/places/turia", place)
        browser.open(service.url + VALENCIA + "?card=place:turia")
        browser.wait_text("#card-body", said)
    browser.click("#card-body .row button")
    browser.wait_text("#card-body [role=status] code", r"/p/turia$")
    service.request("DELETE", "/v1/places/turia")
    faults = [fault for fault in browser.faults() if "404" not in fault]
    expect(faults == [], faults)


def fence_cards(browser, service, picture):
    """A fence has a card: from its outline where fences are drawn, from its inside in Live, and from each list."""
    service.put("/v1/fences/yard", {"area": {"lat": 39.4699, "lon": -0.3763, "within_m": 300}, "people": ["pablo"],
                                    "on": ["enter", "exit", "dwell"], "dwell_s": 600, "note": "The yard"})
    # A larger one around it lies below.
    service.put("/v1/fences/around", {"area": {"lat": 39.4699, "lon": -0.3763, "within_m": 3000}, "people": ["pablo"]})
    service.put("/v1/people/pablo/fences/yard", {"area": {"lat": 39.45, "lon": -0.3763, "within_m": 100}})
    browser.open(service.url + VALENCIA)
    browser.click("#fences-tab")
    browser.wait_text("#fences-list", "yard")
    radius = browser.run("""const {map, metersPerPixel} = await import("/page/map.js");
        return Math.round(300 / metersPerPixel(39.4699))""")
    browser.click_at("#map", radius - 40)
    browser.wait_text("#fence-points", r"Points: 1\.")
    expect(browser.run("return document.querySelector('#card').hidden"), "the inside is ground")
    browser.click("#fence-anew")
    browser.click_at("#map", radius)
    browser.wait_text("#card-name", "^yard$")
    browser.wait_text("#card-body", r"(?s)circle · 300 m.*pablo.*entering, leaving, staying \(10 minutes\).*The yard.*No events yet")
    browser.type("#card-name", KEYS["escape"])
    expect(browser.run("return document.querySelector('#card').hidden"), "Escape closes it")
    browser.click("#fences-list li:last-child button")
    browser.wait_text("#card-body", "No events yet")
    expect("?card=fence:yard" in browser.run("return location.hash"), browser.run("return location.hash"))
    browser.click("#card-body a")
    browser.wait_text("#fence-heading", "Change a fence")
    expect(browser.run("return document.querySelector('#fence-form [name=id]').value") == "yard", "the form has it")
    # In Live the card follows, and dots of places can be clicked through the canvas of people.
    browser.click("#live-tab")
    browser.wait_text("#live-status", "^In view: ")
    browser.click_at("#map", 12, 25)
    browser.wait_text("#card-body", "No events yet")
    for number, lat in enumerate([39.48, 39.4699]):
        service.post("/v1/pings", {"person": "pablo", "lat": lat, "lon": -0.3763, "accuracy_m": 5, "t": time.time() - 100 + 100 * number})
    browser.wait_text("#card-body .events", "Pablo entered yard")
    browser.click("#card-close")
    browser.click("#live-alerts button")
    browser.wait_text("#card-body .events", r"Pablo entered (yard|around)$")
    browser.click("#card-close")
    at = browser.run("""const {map, themeColor} = await import("/page/map.js");
        const {x, y} = map.getSize();
        let found;
        map.eachLayer(one => {
            const at = one.options.color === themeColor("place") && map.latLngToContainerPoint(one.getLatLng());
            if (at && at.x > 300 && at.x < x - 20 && at.y > 20 && at.y < y - 150) found ??= [at.x - x / 2, at.y - y / 2];
        });
        return found.map(Math.round)""")
    browser.click_at("#map", *at)
    browser.wait("the address has the place", lambda: "card=place:" in browser.run("return location.hash"))
    # The person's fence of that name is another one.
    browser.open(service.url + VALENCIA + "?card=fence:pablo/yard")
    browser.wait_text("#card-body", r"(?s)circle · 100 m.*pablo.*entering, leaving.*No events yet")
    browser.open(service.url + VALENCIA + "?card=fence:nothing")
    browser.wait_text("#card-body", "no fence 'nothing'")
    for fence in ("fences/yard", "fences/around", "people/pablo/fences/yard"):
        service.request("DELETE", f"/v1/{fence}")
    faults = [fault for fault in browser.faults() if "404" not in fault]
    expect(faults == [], faults)


def leaving(browser, service, picture):
    """Nothing stays drawn of a view that was left, or whose request failed."""
    def drawn(name):
        return browser.run("""const {map, themeColor} = await import("/page/map.js");
            let count = 0;
            map.eachLayer(one => { count += one.options.color === themeColor(arguments[0]); });
            return count""", name)

    def goes(name):
        browser.wait(f"nothing is drawn in the color of {name}", lambda: drawn(name) == 0)

    browser.open(service.url + VALENCIA)
    browser.click_at("#map")
    browser.wait_text("#near-status", "The nearest 20. The first is")
    pins = "return document.querySelectorAll('.pin').length"
    expect(browser.run(pins) == 20, browser.run(pins))
    browser.click("#person-tab")
    expect(browser.run(pins) == 0, "the pins are gone")
    browser.click_at("#map")
    expect(browser.run("return location.hash").startswith("#person/"), "a click on the map keeps the view")
    browser.type("#person-id", "elena2" + KEYS["enter"])
    browser.wait_text("#person-status", r"\(elena2\), last known position")
    expect(drawn("person") > 5, drawn("person"))
    browser.click("#service-tab")
    expect(drawn("person") + drawn("cell") == 0, "she and her cell are gone")
    browser.click("#person-tab")
    browser.wait("she is drawn again", lambda: drawn("person") > 5)
    browser.run("document.querySelector('#person-id').value = ''")
    browser.type("#person-id", "nobody-of-this-name" + KEYS["enter"])
    browser.wait_text("#person-status", "nobody-of-this-name")
    goes("person")
    browser.click("#near-tab")
    browser.wait("the answers are drawn again", lambda: browser.run(pins) == 20)
    faults = [fault for fault in browser.faults() if "404" not in fault]
    expect(faults == [], faults)


def joined(browser, service, picture):
    """A line of the list and its numbered pin light up together, and the chosen one stays lit."""
    def lit():
        return browser.run("""return [".pin.lit", "#near-answers li.lit"].map(selector =>
            [...document.querySelectorAll(selector)].map(one => selector[0] === "." ? +one.textContent
                : [...one.parentNode.children].indexOf(one) + 1))""")

    browser.open(service.url + VALENCIA)
    browser.type("#map", KEYS["enter"])
    browser.wait_text("#near-status", "The nearest 20. The first is")
    numbers = browser.run("return [...document.querySelectorAll('.pin')].map(one => +one.textContent)")
    expect(numbers == list(range(1, 21)), numbers)
    browser.run("document.querySelector('#near-answers li:nth-child(3) button').focus()")
    expect(lit() == [[3], [3]], lit())
    browser.run("document.querySelector('#near-answers li:nth-child(4) button').focus()")
    expect(lit() == [[4], [4]], lit())
    browser.run("document.querySelector('#near-answers li:nth-child(5) button').click()")
    browser.click("#card-close")
    browser.run("document.activeElement.blur()")
    expect(lit() == [[5], [5]], lit())
    browser.run("document.querySelectorAll('.pin')[1].click()")
    browser.wait_text("#card-name", re.escape(browser.run(
        "return document.querySelector('#near-answers li:nth-child(2) button').textContent")))
    browser.type("#card-name", KEYS["escape"])
    expect(lit() == [[2], [2]], lit())
    expect(browser.run("return document.activeElement.closest('li').querySelector('[aria-current=true]') !== null"),
           "the line of a pin that is clicked has the focus")
    # Far out the pins would hide each other's numbers: one stands for all, and a click comes closer.
    browser.open(service.url + "/#9/39.4699/-0.3763?what=places&at=39.4699,-0.3763")
    browser.wait_text("#near-status", "The nearest 20")
    groups = """return [...document.querySelectorAll(".pin:not(.behind)")].map(one => +(one.dataset.more ?? 0) + 1)"""
    expect(sum(browser.run(groups)) == 20 and len(browser.run(groups)) < 10, browser.run(groups))
    browser.run("document.querySelector('.pin[data-more]').click()")
    browser.wait("the map comes closer", lambda: re.match(r"#near/1[2-8]/", browser.run("return location.hash")))
    expect(browser.run("return document.querySelector('#card').hidden"), "no card is opened yet")
    expect(len(browser.run(groups)) > 10, browser.run(groups))


def state(browser, service, picture):
    """The service lives, is ready, and says how much it has."""
    browser.open(service.url + VALENCIA)
    browser.click("#service-tab")
    browser.wait_text("#service-state", r"(?s)Alive\nyes.*Ready\nyes.*People\n204.*Places\n1,379")
    browser.wait_text("#service-phones", r"(?s)OwnTracks 0 0.*OsmAnd 0 0.*GPSLogger")


def open_reference(browser, service):
    """Opens the reference in a window that shows all operations; beyond some 125, Swagger UI draws only visible ones."""
    browser.resize(1280, 16000)
    browser.open(f"{service.url}/docs")
    browser.wait_text("#operations-Friends-findNearestFriends", "Finds the nearest friends")


def reference(browser, service, picture):
    """The reference for programs asks what README asks, and shows the request in four languages."""
    browser.open(service.url + VALENCIA)
    browser.click("#service-tab")
    docs = browser.run("const link = document.querySelector('#service-docs'); return [link.target, link.href]")
    expect(docs[0] == "_blank", "the page stays")
    browser.open(docs[1])
    browser.wait_text("#operations-Health-checkLiveness", "Reports that the process runs")
    open_reference(browser, service)
    nearest = "#operations-Friends-findNearestFriends"
    browser.wait_text(f"{nearest} .opblock-summary-description", "Finds the nearest friends")
    browser.click(f"{nearest} .opblock-summary-control")
    browser.wait_text(f"{nearest} .execute", "Execute")
    browser.click(f"{nearest} .execute")
    browser.wait_text(f"{nearest} .live-responses-table tr.response td.response-col_status", "200")
    browser.wait_text(f"{nearest} .live-responses-table", '"luis"')
    for language, word in [("curl", "curl -X GET"), ("Python", "urllib"), ("JavaScript", "fetch"), ("Swift", "URLSession")]:
        browser.run("""[...document.querySelectorAll(".request-snippets button, .request-snippets .btn, .request-snippets h4")]
            .find(one => one.textContent.trim() === arguments[0])?.click()""", language)
        browser.wait_text(f"{nearest} .request-snippets", re.escape(word))
    expect("PowerShell" not in browser.text(f"{nearest} .request-snippets"), "curl is there once")
    browser.resize(1280, 800)


def executed(browser, service, picture):
    """Every GET of the reference is accepted as it is pre-filled, unless it needs a phone's token or a missing document."""
    open_reference(browser, service)
    blocks = browser.run("return [...document.querySelectorAll('.opblock-get')].map(block => block.id)")
    expect(len(blocks) > 50, blocks)
    refused = []
    for block in blocks:
        path = browser.run("return document.getElementById(arguments[0]).querySelector('[data-path]').dataset.path", block)
        browser.click(f"#{block} .opblock-summary-control")
        browser.click(f"#{block} .execute")
        # Swagger UI itself marks required parameters that have no example.
        status = browser.wait(f"{path} is answered", lambda: browser.run("""
            const block = document.getElementById(arguments[0]);
            const status = block.querySelector('.live-responses-table tr.response td.response-col_status');
            return status?.textContent ?? (block.querySelector('.parameters .invalid') ? 'no example' : '');""", block))
        phone = path.startswith("/ingest/") and status.startswith("401")
        if not phone and not status.startswith(("200", "204")) and not (status.startswith("404") and "{" in path):
            refused.append(f"{path}: {status}")
        browser.click(f"#{block} .opblock-summary-control")
    browser.resize(1280, 800)
    expect(refused == [], "\n".join(refused))
    faults = [fault for fault in browser.faults() if not re.search(" 40[14] ", fault)]
    expect(faults == [], faults)


def link(browser, service, picture):
    """Whoever has a link sees a person move without a token, and that it ended; a place has a page too."""
    sharing = {"precision": "exact", "for_s": 3600, "trail": True, "label": "To the beach"}
    link = service.post("/v1/people/elena2/shares", sharing)
    browser.open(service.url + link["url"])
    browser.wait_text("#label", "To the beach")
    browser.wait_text("#until", "Shown until")
    for ago, lat in [(300, 39.5), (0, 39.51)]:
        sent = service.post("/v1/pings", {"person": "elena2", "lat": lat, "lon": -0.4, "t": time.time() - ago})
        expect(sent["stored"] == 1, sent)
        browser.wait_text("#place", f"{lat}, -0.4")
    browser.wait_text("#status", r"Here, (just now|\d+ seconds?)")
    expect(browser.run("return [document.title, document.referrer]") == ["Cerca", ""], "nothing is told elsewhere")
    service.request("DELETE", f"/v1/people/elena2/shares/{link['id']}")
    browser.wait_text("#label", "This link has ended")
    browser.open(f"{service.url}/p/zapateria-0136")
    browser.wait_text("#label", "Botines Romeralta")
    others = [fault for fault in browser.faults() if link["url"] not in fault or "404" not in fault]
    expect(others == [], others)


def share(browser, service, picture):
    """A person's card and view create a link to the position, to be opened without a token, and end it."""
    browser.open(service.url + VALENCIA + "?card=person:elena2")
    browser.click("#card .share summary")
    browser.wait_text("#card .share", "There is no open link")
    browser.pick("#card .share [name=for_s]", "28800")
    expect(browser.run("return document.querySelector('#card .share [name=precision]').value") == "approximate", "the default")
    browser.pick("#card .share [name=precision]", "exact")
    browser.type("#card .share [name=label]", "On my way")
    browser.click("#card .share button[type=submit]")
    browser.wait_text("#card .share", r"(?s)shown only once.*On my way.*exact · until .* · opened: 0")
    made = service.get("/v1/people/elena2/shares")["items"]
    expect([(one["label"], one["precision"], one["trail"]) for one in made] == [("On my way", "exact", False)], made)
    url = browser.text("#card .share pre code")
    expect(re.match(re.escape(service.url) + "/s/.", url), f"the address is absolute: {url}")
    offered = browser.run("return [...document.querySelectorAll('#card .share a')].map(one => [one.href, one.target, one.rel])")
    expect(offered == [[url, "_blank", "noreferrer"]], offered)
    faults = axe_faults(browser, "share")
    # The receiver sees it, until it ends in the other view.
    browser.open(url)
    browser.wait_text("#label", "On my way")
    browser.wait_text("#place", r"39\.\d+, -0\.\d+")
    browser.open(service.url + "/#person/14/39.47/-0.376?id=elena2")
    browser.wait_text("#person-share summary", r"Share position \(1\)")
    browser.click("#person-share summary")
    browser.wait_text("#person-share li", "opened: 1")
    browser.click("#person-share li button")
    browser.wait_text("#person-share", "(?s)The link has ended.*There is no open link")
    browser.open(url)
    browser.wait_text("#label", "This link has ended")
    refused = [fault for fault in browser.faults() if "404" not in fault]
    expect(faults + refused == [], faults + refused)


def languages(browser, service, picture):
    """Another language writes everything anew, and keeps what was asked."""
    browser.open(service.url + VALENCIA)
    browser.click("#near-form button")
    browser.wait_text("#near-status", "The nearest 20. The first is")
    fits = """const box = document.querySelector("#search-box");
        const brush = document.createElement("canvas").getContext("2d");
        brush.font = getComputedStyle(box).font;
        return box.clientWidth - 24 - brush.measureText(box.placeholder).width"""
    expect(browser.run(fits) >= 0, f"the hint fits: {browser.run(fits)}")
    browser.pick("#language", "es")
    expect(browser.run(fits) >= 0, f"the hint fits in Spanish: {browser.run(fits)}")
    browser.wait_text("#near-status", "Los 20 más cercanos. El primero es")
    expect(browser.run("return document.documentElement.lang") == "es", "the document's language")
    expect(browser.text("#near-tab") == "Cerca de mí", browser.text("#near-tab"))


def accessible(browser, service, picture):
    """What is clicked or typed into has a name, ids are unique, and tabs follow the arrows."""
    browser.open(service.url + VALENCIA)
    nameless = browser.run("""return [...document.querySelectorAll("button, input, select, [role=application]")]
        .filter(e => !(e.labels?.[0]?.textContent ?? e.ariaLabel ?? e.textContent).trim()).map(e => e.outerHTML)""")
    expect(nameless == [], nameless)
    twice = browser.run("""const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
        return ids.filter((id, i) => ids.indexOf(id) !== i)""")
    expect(twice == [], twice)
    dangling = browser.run("""const named = e => e.getAttribute("aria-controls") ?? e.getAttribute("aria-labelledby");
        return [...document.querySelectorAll("[aria-controls], [aria-labelledby]")].map(named)
        .filter(id => !document.getElementById(id))""")
    expect(dangling == [], dangling)
    # Leaflet writes `outline: none` into the elements.
    for part in ["#locate", ".leaflet-control-zoom-in", ".leaflet-control-attribution a", "#map"]:
        seen = browser.run("""const part = document.querySelector(arguments[0]);
            part.style.outline = "none";
            part.focus();
            const border = getComputedStyle(part, part.id === "map" ? "::after" : null);
            return [border.outlineStyle, border.borderTopStyle]""", part)
        expect("solid" in seen, f"the focus on {part} is seen: {seen}")
    browser.type("#near-tab", KEYS["right"])
    expect(browser.run("return document.activeElement.id") == "person-tab", "the next tab has the focus")
    expect(browser.run("return document.getElementById('near').hidden"), "the panel before is gone")


def axe_faults(browser, name):
    """What axe finds serious or critical in the page as it is shown."""
    package = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    with open(f"{package}/axe.min.js", encoding="utf-8") as file:
        browser.run(file.read())
    # Colors in the middle of a transition would be checked wrongly.
    told = browser.run("""await Promise.all(document.getAnimations().map(one => one.finished.catch(() => {})));
        const {violations, passes} = await axe.run(document, {resultTypes: ["violations"]});
        return {passed: passes.length, faults: violations.filter(one => ["serious", "critical"].includes(one.impact))
            .map(one => `${one.id}: ${one.nodes.map(node => node.html + " " + node.any.map(any => any.message))}`)}""")
    expect(told["passed"] > 5, f"{name}: little was looked at")
    return [f"{name}: {fault}" for fault in told["faults"]]


def audit(browser, service, picture):
    """axe finds nothing serious or critical in any view, in the reference, and in the pages of links."""
    faults = []

    def check(name):
        faults.extend(axe_faults(browser, name))

    browser.open(service.url + VALENCIA)
    browser.click("input[name=what][value=stores]")
    browser.click("#near-form button")
    browser.wait_text("#near-status", "The nearest 20")
    browser.click("#near-request summary")
    check("near")
    browser.click("#near-answers button")
    browser.wait_text("#card-body", "In stock")
    check("card of a place")
    browser.click("#card-close")
    browser.type("#search-box", "valen")
    browser.wait_text("#search-list", "Valencia")
    check("search")
    browser.type("#search-box", KEYS["down"] + KEYS["enter"])
    browser.wait_text("#card-name", "Valencia")
    check("card of a city")
    browser.click("#person-tab")
    browser.type("#person-id", "elena2" + KEYS["enter"])
    browser.wait_text("#person-status", r"\(elena2\), last known position")
    browser.click("#person-request summary")
    check("person")
    browser.open(service.url + VALENCIA + "?card=person:elena2")
    browser.wait_text("#card-body", "Last heard")
    browser.click("#card .row button")
    browser.wait_text("#card-body", "Positions on the track")
    check("card of a person")
    service.put("/v1/fences/audited", {"area": {"lat": 39.47, "lon": -0.3763, "within_m": 300}, "everybody": True})
    browser.click("#fences-tab")
    browser.wait_text("#fences-list", "audited")
    check("fences")
    browser.click("#fences-list button")
    browser.wait_text("#card-body", "Last events")
    check("card of a fence")
    browser.click("#live-tab")
    browser.wait_text("#live-status", r"In view: \d+\.")
    service.post("/v1/pings", {"person": "carmen", "lat": 39.47, "lon": -0.3763})
    browser.wait_text("#live-alerts", "Carmen entered audited")
    check("live")
    service.request("DELETE", "/v1/fences/audited")
    browser.click("#service-tab")
    browser.wait_text("#service-state", "Products")
    check("service")
    # The other tables and forms are made by the same code.
    for page in office.look_around(browser, service, ["people", "devices", "deliveries", "import", "installation"]):
        check(f"office: {page}")
    open_reference(browser, service)
    browser.click("#operations-Friends-findNearestFriends .opblock-summary-control")
    browser.wait_text("#operations-Friends-findNearestFriends .execute", "Execute")
    check("docs")
    browser.resize(1280, 800)
    link = service.post("/v1/people/elena2/shares", {"precision": "exact", "for_s": 3600, "label": "To the beach"})
    for name, path, label in [("link", link["url"], "To the beach"), ("place", "/p/zapateria-0136", "Botines")]:
        browser.open(service.url + path)
        browser.wait_text("#label", label)
        check(name)
    expect(faults == [], "\n".join(faults))


def walk(browser, service, picture, steps):
    for step in steps:
        begun = time.monotonic()
        step(browser, service, picture)
        faults = browser.faults()
        expect(faults == [], f"{step.__name__}: {faults}")
        print(f"{step.__name__}: {step.__doc__} ({time.monotonic() - begun:.1f} s)", flush=True)


def tour(browser, service, picture):
    """The first visit has a tour of four steps beside a page that works; closed, it comes back by its button only."""
    def state():
        return browser.run("""return [document.querySelector("#tour").hidden, document.querySelector("#tour-count").textContent,
            [...document.querySelectorAll(".toured")].map(one => one.id).join(), document.activeElement.id]""")

    browser.open(service.url + VALENCIA)
    expect(state() == [False, "1 / 4", "search-box", ""], state())
    browser.click_at("#map", -200, -150)
    browser.wait_text("#near-status", "The nearest 20")
    faults = axe_faults(browser, "tour")
    expect(faults == [], faults)
    for number, pointed, focus, words in [(2, "map", "tour-next", "Click the map"), (3, "live-tab", "tour-next", "Live shows people"),
                                          (4, "office-tab", "tour-close", "The back office is for services")]:
        browser.type("#tour-next", KEYS["enter"])
        expect(state() == [False, f"{number} / 4", pointed, focus], state())
        browser.wait_text("#tour-text", words)
    browser.click("#office-tab")
    expect(browser.run("return getComputedStyle(document.querySelector('.toured')).outlineStyle") == "none", "no ring without the tour")
    browser.click("#near-tab")
    browser.pick("#language", "es")
    browser.wait_text("#tour-text", "La administración es para servicios")
    browser.type("#tour-close", KEYS["enter"])
    expect(state() == [True, "4 / 4", "", "tour-open"], state())
    browser.open(service.url + VALENCIA)
    expect(state()[0], "it is not shown again")
    browser.type("#tour-open", KEYS["enter"])
    expect(state() == [False, "1 / 4", "search-box", "tour-next"], state())
    browser.type("#tour-next", KEYS["escape"])
    expect(state() == [True, "1 / 4", "", "tour-open"], state())


def token(browser, service, picture):
    """With keys the page asks for a token, keeps it in its tab alone, and shows what it may show."""
    browser.open(service.url + VALENCIA)
    browser.click("#near-form button")
    browser.wait_text("#near-status", "requires a token")
    browser.type("#search-box", "ana" + KEYS["enter"])
    browser.wait_text("#search-status", "requires a token")
    browser.wait_text("#map-token", "requires a token")
    browser.click("#token-enter")
    expect(browser.run("return document.activeElement.id") == "token", "the button leads to the field")
    browser.type("#token", "abc" + KEYS["enter"])
    browser.wait_text("#near-status", "is refused: it is not a token of Cerca")
    browser.wait_text("#map-token", "not valid")
    browser.wait_text("#token-state", "Not valid")
    expect(browser.run("return document.querySelector('#token-state').classList.contains('fault')"), "it does not look accepted")
    browser.run("document.querySelector('#token').value = ''")
    luis = service.run("token", "--sub", "luis", "--scope", "person", "--expires", "1h")
    browser.type("#token", luis + KEYS["enter"])
    browser.wait_text("#near-status", "The nearest 20")
    browser.wait_text("#token-state", "Accepted: the token of a person")
    expect(not browser.run("return document.querySelector('#token-state').classList.contains('fault')"), "it looks accepted")
    expect(browser.run("return document.querySelector('#map-token').hidden"), "nothing more is asked on the map")
    # Of a refusal nothing stays, also if nothing has been searched.
    browser.open(service.url + VALENCIA)
    for typed, status in [("abc", "is refused"), (luis, "^$")]:
        browser.run("document.querySelector('#token').value = ''")
        browser.type("#token", typed + KEYS["enter"])
        browser.wait_text("#near-status", status)
    browser.click("#near-form button")
    browser.wait_text("#near-status", "The nearest 20")
    command = browser.run("return document.querySelector('#near-request code').textContent")
    expect("$TOKEN" in command and luis not in command, command)
    # Of the box's parts the token's person gets people too, and of a person who is no friend no position.
    browser.run("document.querySelector('#search-box').value = ''")
    browser.type("#search-box", "ana")
    browser.wait_text("#search-list", r"Ana.*\nPerson · ")
    browser.open(service.url + VALENCIA + "?card=person:nuria")
    browser.wait_text("#card-body", "none that you may see")
    expect(not browser.run("return document.querySelector('#card .share')"), "only the person and services share a position")
    browser.open(service.url + VALENCIA + "?card=person:luis")
    browser.wait_text("#card .share summary", "^Share position$")
    browser.click("#card-close")
    browser.click("#person-tab")
    browser.type("#person-id", "ana" + KEYS["enter"])
    browser.wait_text("#person-status", r"\(ana\), last known position")
    browser.wait_text("#person-cell", "visible to services only")
    # With a ticket instead of the token: luis receives the positions of friends and of no other people.
    browser.click("#live-tab")
    browser.wait_text("#live-status", r"^Friends: [1-9]\d?\.")
    known = int(re.search(r"\d+", browser.text("#live-status")).group())
    browser.click("#near-tab")
    browser.click("#live-tab")
    browser.wait_text("#live-status", rf"^Friends: {known}\.")
    browser.click("#fences-tab")
    browser.wait_text("#fences-status", "shows that person's fences")
    browser.type("#fences-person", "luis" + KEYS["enter"])
    browser.wait_text("#fences-status", r"Fences: 0\.")
    browser.open(service.url + VALENCIA)
    browser.click("#near-form button")
    browser.wait_text("#near-status", "The nearest 20")
    kept = browser.run("return [document.cookie, Object.keys(localStorage), Object.keys(sessionStorage).length]")
    expect(kept == ["", ["cerca-tour"], 1], kept)
    refused = [fault for fault in browser.faults() if not re.search(r"/v1/\S* - .* 40[13] ", fault)]
    expect(refused == [], refused)


class OtherPage(BaseHTTPRequestHandler):
    """A page of another origin."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Other</title><body data-ready=1>")

    def log_message(self, *_):
        pass


def foreign(browser, service, picture):
    """A page of an origin that is allowed writes and reads, also headers and problems; a page of another does not."""
    script = """const [url] = arguments;
        const headers = {"content-type": "application/json", "if-none-match": "*"};
        const send = (path, options) => fetch(url + path, options).then(
            async answer => [answer.status, answer.headers.get("etag") !== null, (await answer.json()).code ?? null],
            () => "refused");
        return Promise.all([
            send("/v1/people/ana"), send("/v1/people/nobody"),
            send("/v1/people/ana", {method: "PUT", headers, body: "{}"}),
            fetch(url + "/livez", {credentials: "include"}).then(() => "read", () => "refused")]);"""
    port = OTHER.server_address[1]
    browser.open(f"http://localhost:{port}")
    told = browser.run(script, service.url)
    expect(told == [[200, True, None], [404, False, "not_found"], [412, False, "precondition_failed"], "refused"], told)
    browser.faults()
    browser.open(f"http://127.0.0.1:{port}")
    expect(browser.run(script, service.url) == ["refused"] * 4, "another name is another origin")
    expect(all("CORS" in fault or "Failed to load" in fault for fault in browser.faults()), "nothing else is wrong")


def missing(browser, service, picture):
    """Without Leaflet the page says what to install."""
    browser.open(service.url)
    browser.wait_text("#missing", "apt-get install libjs-leaflet")
    others = [fault for fault in browser.faults() if "/page/leaflet." not in fault]
    expect(others == [], others)


def phone(browser, service, picture):
    """On a phone, dark, in Spanish: the map comes first, the panel is a sheet that is pulled up, nothing is wider than the screen."""
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics})
    browser.open(service.url + VALENCIA)

    def part(selector):
        return browser.run("return document.querySelector(arguments[0]).getBoundingClientRect().height / innerHeight", selector)

    expect(part("#map") > 0.7 and part("#sheet") < 0.2, "the map comes first")
    browser.click_at("#map")
    browser.wait_text("#near-status", "Los 20 más cercanos")
    expect(0.3 < part("#sheet") < 0.6, "what is found pulls the sheet up")
    shown = """const at = document.querySelector(".pin").getBoundingClientRect();
        return document.elementFromPoint(at.x + 12, at.y + 12).closest(".pin") !== null"""
    expect(browser.run(shown), "the nearest answer is seen above the sheet")
    for name in ["fences", "live", "person", "service", "near"]:
        browser.click(f"#{name}-tab")
        expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name}: nothing sticks out")
    rows = browser.run("return new Set([...document.querySelectorAll('[role=tab]')].map(one => one.offsetTop)).size")
    expect(rows == 1, "the tabs are in one row")
    expect(browser.run("return document.querySelector('#views').className") == "more-after", "a fade says that there are more")
    browser.click("#office-tab")
    seen = """const [tab, row] = ["#office-tab", "#views"].map(one => document.querySelector(one).getBoundingClientRect());
        return [tab.left >= row.left - 1 && tab.right <= row.right + 1, document.querySelector("#views").className]"""
    expect(browser.run(seen) == [True, "more-before"], f"the whole tab is seen: {browser.run(seen)}")
    browser.click("#near-tab")
    small = browser.run("""return [...document.querySelectorAll("button, select, input, summary, .chip span, .leaflet-bar a")]
        .filter(one => one.offsetParent && !one.matches(".chip input") && one.getBoundingClientRect().height < 40).map(one => one.outerHTML)""")
    expect(small == [], f"too low for a finger: {small}")
    expect(browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(22, 28, 34)", "it is dark")
    # The handle: by keyboard, and pulled.
    browser.type("#sheet-handle", KEYS["enter"])
    browser.wait("the sheet is high", lambda: part("#sheet") > 0.7)
    origin = {ELEMENT: browser.find("#sheet-handle")}
    browser.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
        {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}, {"type": "pointerDown", "button": 0},
        {"type": "pointerMove", "duration": 100, "x": 0, "y": 600, "origin": origin}, {"type": "pointerUp", "button": 0}]}]})
    browser.wait("the sheet is low", lambda: part("#sheet") < 0.2)
    # A card that closes leaves the sheet no higher than it was; a fence's form comes into view with the first corner.
    browser.open(service.url + VALENCIA + "?card=person:elena2")
    browser.wait_text("#card-body", "Última señal")
    browser.type("#sheet-handle", KEYS["enter"])
    browser.wait("the sheet is high", lambda: part("#sheet") > 0.7)
    browser.click("#card-close")
    browser.wait("the sheet is half", lambda: part("#sheet") < 0.6)
    browser.click("#fences-tab")
    browser.wait_text("#fences-status", r"Vallas: \d")
    browser.click_at("#map", 0, -100)
    browser.wait("the form is seen", lambda: browser.run("""const at = document.querySelector("#fence-heading").getBoundingClientRect();
        return at.top > innerHeight / 2 && at.bottom < innerHeight"""))
    # What a form finds pulls it up.
    browser.open(service.url + VALENCIA)
    browser.click("#person-tab")
    for _ in range(2):
        browser.type("#sheet-handle", KEYS["enter"])
    browser.wait("the sheet is low", lambda: part("#sheet") < 0.2)
    browser.type("#person-id", "ana" + KEYS["enter"])
    browser.wait_text("#person-status", r"Ana .* \(ana\), última posición conocida")
    browser.wait("the sheet is half", lambda: 0.3 < part("#sheet") < 0.6)
    browser.click("#near-tab")
    # A card raises it; the token is behind a button.
    browser.type("#search-box", "zapato rojo 37" + KEYS["enter"])
    browser.wait_text("#card-body", r"(?s)Cómo llegar con OpenStreetMap.*Lo que buscas.*Disponible")
    expect(0.3 < part("#sheet") < 0.6, "a card pulls the sheet up")
    expect(browser.run("return document.querySelector('#token').offsetParent === null"), "the token is put away")
    browser.click("#settings-open")
    expect(browser.run("return document.querySelector('#token').offsetParent !== null"), "and is there when it is needed")
    browser.wait_text("#token-help", "Una clave para los servicios que la piden")
    browser.type("#token", KEYS["escape"])
    expect(browser.run("return [document.querySelector('#token').offsetParent, document.activeElement.id]") == [None, "settings-open"], "Escape closes them")
    browser.click("#settings-open")
    # A card that the search box opened does not give it the focus, and with it the keyboard, when a view is opened.
    browser.click("#office-tab")
    expect(browser.run("return document.activeElement.id") == "office-tab", "the tab has the focus")
    expect(browser.run("return document.querySelector('.leaflet-control-zoom-in').title") == "Acercar", "the map speaks Spanish")
    expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out")


TILE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")


class Tiles(BaseHTTPRequestHandler):
    """A server of tiles, which keeps what it learns."""

    learned = []

    def do_GET(self):
        Tiles.learned.append((self.path, self.headers.get("referer"), self.headers.get("authorization")))
        self.send_response(200)
        self.send_header("content-type", "image/png")
        self.end_headers()
        self.wfile.write(b"no image" if self.path == "/broken" else TILE)

    def log_message(self, *_):
        pass


class Files(BaseHTTPRequestHandler):
    """The service, with the page's files from the sources in place of the embedded ones."""

    folder = f"{TOP}/Sources/PageFiles/web"

    def file(self, kind):
        path = self.path.split("?")[0]
        is_link = path.startswith(("/s/", "/p/")) and kind.startswith("text/html")
        name = {"/": "index.html", "/docs": "docs.html"}.get(path, "share.html" if is_link else path.removeprefix("/page/"))
        file = f"{self.folder}/{name}"
        return file if "/" not in name and os.path.isfile(file) else None

    def handle_request(self):
        length = int(self.headers.get("content-length") or 0)
        is_file = self.path in ("/", "/docs") or self.path.startswith("/page/")
        left_out = ["connection"] + (["accept-encoding", "if-none-match"] if is_file else [])
        headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
        upstream = self.server.connect()
        upstream.request(self.command, self.path, self.rfile.read(length) or None, headers)
        answer = upstream.getresponse()
        file = self.command == "GET" and self.file(answer.getheader("content-type") or "")
        changed = ["connection", "transfer-encoding"] + (["etag", "content-length", "content-encoding"] if file else [])
        # The program does not know a file that is newer than it.
        is_new = file and answer.status == 404 and self.path.startswith("/page/")
        self.send_response(200 if is_new else answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in changed + (["content-type"] if is_new else []):
                self.send_header(name, value)
        if is_new:
            self.send_header("content-type", mimetypes.guess_type(file)[0])
        self.end_headers()
        try:
            if file:
                with open(file, "rb") as source:
                    self.wfile.write(source.read())
            else:
                while piece := answer.read1(65536):
                    self.wfile.write(piece)
        except OSError:
            pass
        finally:
            upstream.close()

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = handle_request

    def log_message(self, *_):
        pass


class Weather(BaseHTTPRequestHandler):
    """The service behind a bad connection: answers come late, or none comes. It keeps the requests that it has seen."""

    delay = 0
    is_lost = False
    seen = []
    open = set()

    @classmethod
    def lose(cls):
        """Cuts all connections and takes no more."""
        cls.is_lost = True
        for one in list(cls.open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def is_given_up(self):
        try:
            return self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False

    def handle_request(self):
        if self.is_lost:
            return
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        is_data = not re.search(r"\.(js|css)$|^/$", self.path)
        request = {"what": (self.command, self.path, body), "begun": time.monotonic(), "given_up": False}
        if is_data:
            self.seen.append(request)
        end = time.monotonic() + (self.delay if is_data else 0)
        while time.monotonic() < end and not self.is_given_up():
            time.sleep(0.02)
        request["given_up"] = self.is_given_up()
        if request["given_up"]:
            return
        upstream = http.client.HTTPConnection(self.server.upstream, timeout=600)
        self.open.add(self.connection)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
            upstream.request(self.command, self.path, body or None, headers)
            answer = upstream.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "transfer-encoding"):
                    self.send_header(name, value)
            self.end_headers()
            while piece := answer.read1(65536):
                self.wfile.write(piece)
        except OSError:
            pass
        finally:
            request["ended"] = time.monotonic()
            self.open.discard(self.connection)
            upstream.close()

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_request

    def log_message(self, *_):
        pass


def weathered(service):
    """The URL of the service behind `Weather`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Weather)
    server.upstream = service.url.split("://")[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Weather.delay, Weather.is_lost = 0, False
    Weather.seen.clear()
    return f"http://127.0.0.1:{server.server_address[1]}"


def slow(browser, service, picture):
    """With three seconds a request the page works while it waits, asks nothing twice, and gives up what is outdated."""
    url = weathered(service)
    Weather.delay = 3

    def asked(path):
        return [one for one in Weather.seen if one["what"][1].startswith(path)]

    def is_loading():
        return browser.run("return !document.querySelector('#progress').hidden")

    browser.call("POST", "/url", {"url": url})
    browser.wait("the page says that it loads", is_loading)
    browser.click("#fences-tab")
    browser.wait("the list has room", lambda: browser.run("return document.querySelector('#fences-list').offsetHeight > 50"))
    browser.wait("the page begins", lambda: browser.run("return document.body.dataset.ready"))
    expect(browser.run("return location.hash").startswith("#fences/"), "the view that was opened stays")
    browser.wait_text("#fences-status", r"Fences: \d")
    Weather.seen.clear()
    browser.open(url + VALENCIA)
    browser.wait("all has come", lambda: not is_loading())
    what = [one["what"] for one in Weather.seen]
    again = {one for one in what if what.count(one) > 1}
    expect(not again, f"each is asked for once when the page is opened: {again}")
    Weather.seen.clear()
    # Of two clicks the second counts.
    browser.click_at("#map", -150)
    browser.wait_text("#near-status", "Searching")
    browser.wait("it is sent", lambda: asked("/v1/places/nearest"))
    browser.click_at("#map", 150)
    browser.wait_text("#near-status", "The nearest 20")
    expect([one["given_up"] for one in asked("/v1/places/nearest")] == [True, False], asked("/v1/places/nearest"))
    second = re.search(r"lat=[^&]+&lon=[^&]+", asked("/v1/places/nearest")[1]["what"][1]).group()
    expect(second in browser.run("return document.querySelector('#near-request code').textContent"), "what is shown is the second")
    # The box says that it searches, and Enter takes the answer when it comes.
    browser.type("#search-box", "valencia")
    browser.wait_text("#search-status", "Searching")
    browser.type("#search-box", KEYS["enter"])
    browser.wait_text("#card-name", "^Valencia$")
    queries = [one["given_up"] for one in asked("/v1/query")]
    expect(queries[-1] is False and all(queries[:-1]), queries)
    # A view that is left gives up its requests; a second click on a button sends nothing.
    browser.click("#fences-tab")
    browser.wait("it is sent", lambda: asked("/v1/fences"))
    browser.click("#service-tab")
    browser.wait("it is given up", lambda: asked("/v1/fences")[0]["given_up"])
    browser.click("#fences-tab")
    browser.wait_text("#fences-status", r"Fences: \d")
    browser.click_at("#map")
    browser.click("#fence-form [name=whom][value=everybody]")
    browser.type("#fence-form [name=id]", "slow")
    browser.run("const save = document.querySelector('#fence-save'); save.click(); save.click();")
    browser.wait_text("#fences-status", "slow was saved")
    expect(len([one for one in asked("/v1/fences/slow") if one["what"][0] == "PUT"]) == 1, "it is saved once")
    browser.wait("nothing is on its way", lambda: not is_loading())
    service.request("DELETE", "/v1/fences/slow")
    Weather.delay = 0


def lost(browser, service, picture):
    """When the service goes away the page says so; when it comes back, what was missed is shown without a reload."""
    url = weathered(service)
    service.put("/v1/fences/door", {"area": {"lat": 39.47, "lon": -0.376, "within_m": 200}, "people": ["mario", "rosa"]})

    def move(person, lat, ago):
        service.post("/v1/pings", {"person": person, "lat": lat, "lon": -0.376, "accuracy_m": 5, "t": time.time() - ago})

    def come_back(lost="The service does not answer. Trying again", again="The service is back"):
        browser.wait_text("#connection", lost)
        Weather.is_lost = False
        browser.wait_text("#connection", again)

    browser.open(url + "/#live/15/39.47/-0.376")
    browser.run("window.isSame = true")
    browser.wait_text("#live-status", "^In view: ")
    # Before any event the positions are read again.
    Weather.lose()
    move("rosa", 39.48, 0)
    come_back()
    browser.wait_text("#live-status", r"^In view: \d+\. Moves since you opened this view: 0")
    names = "const {map} = await import('/page/map.js'); let names = []; map.eachLayer(one => names.push(one.about?.().name)); return names.filter(Boolean)"
    browser.wait("she is there", lambda: "Rosa" in browser.run(names))
    move("mario", 39.48, 600)
    move("mario", 39.478, 300)
    browser.wait_text("#live-status", r"Moves since you opened this view: [1-9]")
    # After one the stream goes on where it ended: no crossing is missed.
    Weather.lose()
    move("mario", 39.47, 0)
    come_back()
    browser.wait_text("#live-alerts", "Mario entered door")
    expect(browser.text("#live-fault") == "", "the fault is gone")
    # Each view asks again for what it did not get.
    browser.click("#near-tab")
    Weather.lose()
    browser.click_at("#map", 80)
    browser.wait_text("#near-status", "The service does not answer")
    faults = axe_faults(browser, "lost")
    expect(faults == [], faults)
    browser.pick("#language", "es")
    browser.wait_text("#connection", "El servicio no responde")
    spanish = ("El servicio no responde. Se vuelve", "El servicio vuelve a responder")
    come_back(*spanish)
    browser.wait_text("#near-status", "Los 20 más cercanos")
    for tab, status, there in [("fences", "#fences-status", "Vallas: 1"), ("service", "#service-state", "sí, "),
                               ("office", "#office-page", "Todos:|mario")]:
        Weather.lose()
        browser.click(f"#{tab}-tab")
        browser.wait_text(status, "El servicio no responde")
        if tab == "office":
            top = browser.run("return document.querySelector('#connection').getBoundingClientRect().top")
            expect(top < 100, f"the line does not cover the buttons of a form: {top}")
        come_back(*spanish)
        browser.wait_text(status, there)
    Weather.lose()
    browser.run("location.hash = '#person/14/39.47/-0.376?id=elena2'")
    browser.wait_text("#person-status", "El servicio no responde")
    come_back(*spanish)
    browser.wait_text("#person-status", "última posición conocida")
    browser.wait("the line goes", lambda: browser.text("#connection") == "")
    size = "const {map} = await import('/page/map.js'); return [map.getSize().x, document.querySelector('#map').offsetWidth]"
    expect(len(set(browser.run(size))) == 1, "the map has its size again after the back office")
    expect(browser.run("return window.isSame"), "the page was not loaded again")
    # A link's page keeps the last position, says that it is not followed, and goes on.
    made = service.post("/v1/people/mario/shares", {"precision": "exact", "for_s": 3600, "label": "To the door"})
    browser.open(url + made["url"])
    browser.wait_text("#status", "Here, ")
    Weather.lose()
    browser.wait_text("#status", "The service does not answer")
    expect(browser.text("#place") == "39.47, -0.376", browser.text("#place"))
    Weather.is_lost = False
    browser.wait_text("#status", "Here, ")
    service.request("DELETE", "/v1/fences/door")
    faults = [fault for fault in browser.faults() if "ERR_" not in fault]
    expect(faults == [], faults)


TILES = ThreadingHTTPServer(("127.0.0.1", 0), Tiles)


def tiles(browser, service, picture):
    """Tiles come from their server, which learns where one looks and the origin, and nothing more; a link has none."""
    browser.open(service.url + "/#14/39.47/-0.376")
    browser.wait("tiles are shown", lambda: browser.run(
        "return document.querySelectorAll('.leaflet-tiles-pane img.leaflet-tile-loaded').length") > 0)
    expect(all(path.startswith("/14/") for path, _, _ in Tiles.learned), Tiles.learned[:3])
    expect({referrer for _, referrer, _ in Tiles.learned} == {service.url + "/"}, Tiles.learned[:3])
    expect({token for _, _, token in Tiles.learned} == {None}, Tiles.learned[:3])
    expect("<b>Tiles</b> Ltd" in browser.text("#map"), "the credit is plain text")
    Tiles.learned.clear()
    browser.open(service.url + "/p/zapateria-0136")
    browser.wait_text("#label", "Botines Romeralta")
    expect(Tiles.learned == [], "a link shows no foreign tiles")


def photos(browser, service, picture):
    """A photo comes from a server that is named, which learns neither page nor token; others are initials."""
    named = f"http://127.0.0.1:{TILES.server_address[1]}"
    for name, address in [("pia", f"{named}/pia.png"), ("nico", "http://localhost:9/nico.png"), ("tom", f"{named}/broken")]:
        service.put(f"/v1/people/{name}", {"name": name.capitalize(), "photo": address})
    Tiles.learned.clear()
    for name, shown in [("pia", "img.photo"), ("nico", ".initials"), ("tom", ".initials")]:
        browser.open(f"{service.url}/#14/39.47/-0.376?card=person:{name}")
        browser.wait_text("#card-name", name.capitalize())
        browser.wait(f"{name}: {shown}", lambda: browser.run(
            "const face = document.querySelector('#card-body .face').firstChild;"
            "return face.matches(arguments[0]) && (!face.matches('img') || face.naturalWidth > 0)", shown))
    learned = {one for one in Tiles.learned if not re.match(r"/\d+/", one[0])}
    expect(learned == {("/pia.png", None, None), ("/broken", None, None)}, learned)
    for name in ("pia", "nico", "tom"):
        service.request("DELETE", f"/v1/people/{name}")


def islands(browser, service, picture):
    """Where the coarse land of former days was sea there is land."""
    for view in ("9/28.0/-15.6", "10/35.88/14.42", "10/39.6/2.95"):
        browser.open(f"{service.url}/#{view}")
        browser.wait("the middle is land", lambda: browser.run("""
            const map = document.querySelector('#map').getBoundingClientRect();
            const [midX, midY] = [map.x + map.width / 2, map.y + map.height / 2];
            for (const tile of document.querySelectorAll('.leaflet-land-pane canvas')) {
              const box = tile.getBoundingClientRect();
              if (midX < box.left || midX >= box.right || midY < box.top || midY >= box.bottom) continue;
              const scale = tile.width / box.width;
              const pixel = [(midX - box.left) * scale, (midY - box.top) * scale];
              return tile.getContext('2d').getImageData(...pixel, 1, 1).data[3] === 255;
            }
            return false;"""))


def with_files(service, certificate):
    """Lets the service be reached through a server that has the page's files, with TLS if the service has it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    scheme, upstream = service.url.split("://")
    if scheme == "https":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        unverified = ssl._create_unverified_context()
        server.connect = lambda: http.client.HTTPSConnection(upstream, timeout=600, context=unverified)
    else:
        server.connect = lambda: http.client.HTTPConnection(upstream, timeout=600)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    service.url = f"{scheme}://127.0.0.1:{server.server_address[1]}"


OTHER = ThreadingHTTPServer(("127.0.0.1", 0), OtherPage)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=f"{TOP}/.build/release/cerca")
    parser.add_argument("--write", action="store_true", help="make the pictures of the documents anew")
    parser.add_argument("--web", action="store_true", help="serve the page's files from the sources")
    parser.add_argument("--only", metavar="WALKS", type=lambda text: text.split(","), help="some walks, separated by commas")
    options = parser.parse_args()
    threading.Thread(target=OTHER.serve_forever, daemon=True).start()
    threading.Thread(target=TILES.serve_forever, daemon=True).start()

    with tempfile.TemporaryDirectory(prefix="cerca-page-") as folder:
        keys = f"{folder}/keys.json"
        subprocess.run([options.program, "token", "--new-key", keys], check=True, capture_output=True)
        certificate = office.make_certificate(folder)
        for settings, look, steps in [
            ({}, {}, [near, kinds, islands, begin, search, cards, person, fences, fence_cards, slow, lost, address, leaving, joined, state, reference, executed, link, share, languages, accessible,
                      audit, vanishing, live]),
            ({}, {"dark": True}, [audit]),
            ({}, {"is_first_visit": True}, [tour]),
            ({}, {"is_first_visit": True, "dark": True}, [tour]),
            ({}, {"size": (500, 900), "dark": True, "language": "es-ES"}, [phone, office.on_phone]),
            ({"CERCA_WEBHOOKS_ALLOW": office.RECEIVER}, {}, [office.tables, office.new_members, office.parts, office.devices,
                                                             office.imports, office.webhooks, office.installation]),
            (office.tls(certificate), office.SECURE, [office.scan]),
            ({"CERCA_KEY_FILE": keys}, {}, [token, office.as_person]),
            ({"CERCA_CORS_ORIGINS": f"http://localhost:{OTHER.server_address[1]}"}, {}, [foreign]),
            ({"CERCA_LEAFLET": "/nonexistent"}, {}, [missing]),
            ({"CERCA_MAP_TILES": f"http://127.0.0.1:{TILES.server_address[1]}/{{z}}/{{x}}/{{y}}",
              "CERCA_MAP_ATTRIBUTION": "<b>Tiles</b> Ltd",
              "CERCA_MAP_PHOTOS": f"http://127.0.0.1:{TILES.server_address[1]}"}, {}, [tiles, photos]),
        ]:
            steps = [step for step in steps if options.only is None or step.__name__ in options.only]
            if not steps:
                continue
            with closing(Service(options.program, folder, settings)) as service, closing(Browser(**look)) as browser:
                if options.web:
                    with_files(service, certificate)
                picture = lambda name: browser.picture(f"{TOP}/docs/images/{name}.png") if options.write else None
                walk(browser, service, picture, steps)
    print("The page holds.")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"tools/page: {error}")
