"""Walks through the back office of the page; tools/page runs them."""

import base64
import http.client
import json
import re
import ssl
import subprocess
import tempfile
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browser import KEYS, expect

MAP = "/#office/13/39.47/-0.376"
PAGES = ["people", "places", "products", "fences", "webhooks", "import", "installation"]
ROW = "#office-page tbody tr"
FORM = "#office-page .office-form"
STATUS = "#office-page .office-split [role=status]"


def go(browser, service, page, **state):
    browser.open(service.url + MAP + "?" + urllib.parse.urlencode({"page": page, **state}))


def fill(browser, name, text):
    """Replaces what stands in a field."""
    browser.run("""const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event("input", {bubbles: true}))""", f"#office-page [name={name}]", text)


def label(browser, name):
    """The label of a field of the form."""
    return browser.run("return document.querySelector(arguments[0]).labels[0].querySelector('span').textContent", f"{FORM} [name={name}]")


def drop(browser, name, content):
    """Drops a file with a text, or with such bytes, onto the page of imports."""
    browser.run("""const data = new DataTransfer();
        data.items.add(new File([typeof arguments[1] === "string" ? arguments[1] : new Uint8Array(arguments[1])], arguments[0]));
        document.querySelector(".office-drop").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}))""",
                name, content)


def look_around(browser, service, pages=None):
    """Opens pages of the back office, by default all, and names each."""
    service.put("/v1/webhooks/audited", {"url": "https://hooks.example/cerca"})
    states = {page: {} for page in PAGES} | {"people": {"id": "ana"}, "webhooks": {"new": "yes"}, "devices": {"of": "ana"},
                                             "stock": {"of": "zapateria-0136", "id": "shoe-0005"}, "deliveries": {"of": "audited"}}
    for page in pages or states:
        state = states[page]
        go(browser, service, page, **state)
        browser.wait_text("#office-page", r"\w\w")
        if state.get("id") or state.get("new"):
            browser.wait_text(FORM, "Save|Guardar")
        yield page
    service.request("DELETE", "/v1/webhooks/audited")


def tables(browser, service, picture):
    """People and products are searched, turned page by page, changed, made and deleted; what is refused is said."""
    go(browser, service, "people")
    browser.wait_text(STATUS, r"50 shown, and there are more\.")
    browser.click("#office-page > .office-split > div > button")
    browser.wait_text(STATUS, "100 shown, and there are more")
    expect(not browser.run("return document.querySelector('#map').offsetParent"), "tables have the whole width")
    browser.type("#office-page [name=q]", "elena2")
    browser.wait_text(STATUS, r"1 shown\.")
    browser.click(".office-open[data-id=elena2]")
    browser.wait_text(FORM, "Save")
    before = service.get("/v1/people/elena2")
    expect(before["city"] == "Valencia", before)
    picture("office")
    options = browser.run("return [...document.querySelectorAll('.office-form [name=sex] option')].map(one => one.textContent)")
    expect(options == ["(not given)", "female", "male", "other"], options)
    fill(browser, "surname", "Nueva")
    # Members that a PUT keeps when it does not mention them must go too.
    fill(browser, "city", "")
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text(STATUS, "elena2 was saved")
    after = service.get("/v1/people/elena2")
    expect(after == {name: value for name, value in before.items() if name != "city"} | {"surname": "Nueva"}, after)
    # A change of another client is not overwritten.
    service.put("/v1/people/elena2", {**after, "about": "Changed elsewhere"})
    fill(browser, "surname", "Otra")
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text("#office-page aside [role=status]", "elena2 has changed in the meantime")
    expect(service.get("/v1/people/elena2")["surname"] == "Nueva", "the other change stands")
    # Text is text, whatever it contains.
    service.put("/v1/people/tagged", {"name": "<img src=x onerror=alert(1)>", "searchable": True})
    go(browser, service, "people", q="tagged")
    browser.wait_text(ROW, r"<img src=x onerror=alert\(1\)>\s+tagged")
    # What was typed and not saved is not lost by a click elsewhere.
    browser.click(".office-open[data-id=tagged]")
    browser.wait_text(FORM, "Save")
    fill(browser, "surname", "Typed")
    browser.run("window.confirm = text => { window.asked = text; return false }")
    browser.click("#office-pages button:nth-child(2)")
    expect("not saved" in browser.run("return window.asked"), "it is asked")
    expect(browser.run("return document.querySelector('.office-form [name=surname]').value") == "Typed", "it is still there")
    browser.click("#near-tab")
    browser.click("#office-tab")
    expect(browser.run("return document.querySelector('.office-form [name=surname]').value") == "Typed", "nor by another view")
    # A new document, first with a value that is refused; its name becomes an id.
    go(browser, service, "products", new="yes")
    browser.wait_text(FORM, "Save")
    for name, value in [("id", "Office boot"), ("name", "Botín"), ("colors", "red\nblack"), ("price", "4950"), ("currency", "euro")]:
        fill(browser, name, value)
    browser.wait_text(FORM, "Saved as office-boot")
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text(f"{FORM} .fault", "^is 'euro'; must be an ISO 4217 code such as EUR")
    browser.wait_text(f"{FORM} [role=status]", r"^Nothing was saved\. Check: Currency\.$")
    fill(browser, "currency", "EUR")
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text(STATUS, "office-boot was saved")
    boot = service.get("/v1/products/office-boot")
    expect(boot == {"id": "office-boot", "name": "Botín", "colors": ["red", "black"], "price": 4950, "currency": "EUR"}, boot)
    go(browser, service, "products", new="yes")
    browser.wait_text(FORM, "Save")
    fill(browser, "id", "office-boot")
    fill(browser, "name", "Another")
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text("#office-page aside [role=status]", r"office-boot exists already\.")
    # Deleting needs the name.
    go(browser, service, "products", id="office-boot")
    browser.wait_text(FORM, "Delete")
    browser.click(f"{FORM} [type=submit] + button")
    browser.type(".office-dialog input", "office-boo")
    expect(browser.run("return document.querySelector('.office-dialog [type=submit]').disabled"), "a part of the name is not enough")
    browser.type(".office-dialog input", "t" + KEYS["enter"])
    browser.wait_text(STATUS, "office-boot was deleted")
    browser.wait("the focus is on the result", lambda: browser.run("return document.activeElement.getAttribute('role')") == "status")
    expect(browser.run("return fetch('/v1/products/office-boot').then(answer => answer.status)") == 404, "it is gone")
    faults = [fault for fault in browser.faults() if not re.search("41[02]|400|404", fault)]
    expect(faults == [], faults)


def new_members(browser, service, picture):
    """A member that is new in the description has a field, of each type, without a change of the page."""
    go(browser, service, "people")
    browser.wait_text(STATUS, "50 shown")
    browser.run("""const {properties} = await (await fetch("/openapi.json")).json().then(all => (window.all = all).components.schemas.PersonForm);
        Object.assign(properties, {
            nick_name: {type: ["string", "null"], maxLength: 50}, rank: {type: ["integer", "null"], minimum: 1, maximum: 9},
            vip: {type: ["boolean", "null"]}, level: {anyOf: [{type: "string", enum: ["gold", "silver"]}, {type: "null"}]},
            aliases: {type: ["array", "null"], items: {type: "string"}}, shift: {anyOf: [{type: "object"}, {type: "null"}]}});
        const send = window.fetch;
        window.fetch = (path, options) => {
            if (new URL(path, location).pathname === "/openapi.json") return Promise.resolve(new Response(JSON.stringify(window.all), {headers: {"content-type": "application/json"}}));
            if (options?.method === "PATCH") { window.sent = JSON.parse(options.body); return Promise.resolve(new Response("{}")); }
            return send(path, options);
        }""")
    browser.click(".office-open[data-id=luis]")
    browser.wait_text(FORM, "nick name")
    shapes = browser.run("""return ["nick_name", "rank", "vip", "level", "aliases", "shift"].map(name => {
        const field = document.querySelector(`.office-form [name=${name}]`);
        return [field.tagName, field.type, field.max ?? ""].join(" ");
    })""")
    expect(shapes == ["INPUT text ", "INPUT number 9", "SELECT select-one ", "SELECT select-one ", "TEXTAREA textarea ", "TEXTAREA textarea "], shapes)
    for name, value in [("nick_name", "Lu"), ("rank", "3"), ("vip", "true"), ("level", "gold"), ("aliases", "a\nb"), ("shift", "{")]:
        fill(browser, name, value)
    browser.click(f"{FORM} [type=submit]")
    expect(browser.run("return window.sent === undefined && !document.querySelector('[name=shift]').validity.valid"), "JSON is checked")
    fill(browser, "shift", '{"days": [1]}')
    browser.click(f"{FORM} [type=submit]")
    sent = browser.wait("it is sent", lambda: browser.run("return window.sent"))
    expect(sent == {"nick_name": "Lu", "rank": 3, "vip": True, "level": "gold", "aliases": ["a", "b"], "shift": {"days": [1]}}, sent)


def parts(browser, service, picture):
    """The stock of a store and the fences of a person are tables of their own, with a way back."""
    go(browser, service, "places", id="zapateria-0136")
    browser.wait_text("#office-page aside", "Stock")
    browser.click("#office-page aside header + p button")
    browser.wait_text(STATUS, r"\d+ shown\.")
    browser.wait_text(".office-open[data-id=shoe-0005]", r"^Fuente pump\s+shoe-0005$")
    expect(browser.run("return document.querySelector('#office-page table').getAttribute('aria-label')") == "Stock", "the table has a name")
    browser.click(".office-open[data-id=shoe-0005]")
    browser.wait_text(FORM, "Save")
    fill(browser, "sizes", '{"EU:37": 7}')
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text(STATUS, "shoe-0005 was saved")
    stock = service.get("/v1/stores/zapateria-0136/stock/shoe-0005")
    expect(stock["sizes"] == {"EU:37": 7} and stock["price"] == 4950, stock)
    # Stock has no conditions: what is there already must not be overwritten by a new item of its name.
    go(browser, service, "stock", of="zapateria-0136", new="yes")
    browser.wait_text(FORM, "Save")
    fill(browser, "id", "shoe-0005")
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text("#office-page aside [role=status]", "shoe-0005 exists already")
    go(browser, service, "stock", of="zapateria-0136")
    browser.click(".office-path button")
    browser.wait_text("#office-page aside h2", "zapateria-0136")
    # The form says which hours the service does not understand, or reads in its own way.
    before = service.get("/v1/places/zapateria-0136")["hours"]
    for hours, told, status in [
        ("Mo-Fr mornings", r"Not understood \(.+\): the place never counts as open", r"saved\. Opening hours: Not understood"),
        ("Mo-Fr 10-14", "Read as: Monday to Friday: 10:00–14:00", r"saved\.$"),
    ]:
        browser.wait_text(FORM, "Save")
        fill(browser, "hours", hours)
        browser.click(f"{FORM} [type=submit]")
        browser.wait_text(STATUS, status)
        browser.wait_text(f"{FORM} label:has([name=hours])", told)
    # A field that the browser refuses is seen above the bar with the buttons.
    fill(browser, "lat", "139")
    browser.click(f"{FORM} [type=submit]")
    expect(browser.run("""const [field, bar] = ["[name=lat]", ".row"].map(one => document.querySelector(`.office-form ${one}`).getBoundingClientRect());
        return field.bottom <= bar.top"""), "the field is seen")
    fill(browser, "lat", "39.470476")
    fill(browser, "hours", before)
    browser.click(f"{FORM} [type=submit]")
    browser.wait("they are as before", lambda: service.get("/v1/places/zapateria-0136")["hours"] == before)
    service.put("/v1/people/luis/fences/home", {"area": {"lat": 39.47, "lon": -0.37, "within_m": 300}})
    go(browser, service, "ownFences", of="luis")
    browser.wait_text(ROW, "home")
    service.request("DELETE", "/v1/people/luis/fences/home")


def devices(browser, service, picture):
    """A new phone's token is shown once, is gone when the view is left, and has no code at an address that no phone reaches."""
    go(browser, service, "devices", of="ana")
    browser.wait_text("#office-page [role=status]", "There is no phone yet")
    # A code needs an address that phones reach, with TLS: that is said before the token is spent.
    browser.wait_text("#office-page .empty", rf"There is no QR code at {service.url}: .*not one of this machine only, and https")
    browser.type("#office-page [name=device]", "Móvil de Ana")
    browser.wait_text("#office-page form", "Saved as movil-de-ana")
    browser.run("document.querySelector('#office-page [name=device]').value = ''")
    browser.type("#office-page [name=device]", "pocket" + KEYS["enter"])
    browser.wait_text("#office-page .office-secret", r"cercadevice\.0\.")
    token = re.search(r"cercadevice\S+", browser.text("#office-page .office-secret")).group()
    browser.wait_text(ROW, r"pocket .* never")
    service.request("POST", "/ingest/osmand?token=" + token + "&lat=39.4751&lon=-0.3768")
    browser.click("#near-tab")
    browser.click("#office-tab")
    browser.wait_text(ROW, "pocket .* (seconds?|minutes?) ago|pocket .* now")
    expect(token not in browser.run("return document.documentElement.outerHTML"), "the token is gone")
    browser.click(f"{ROW} button")
    browser.wait_text("#office-page .office-secret", "cercadevice")
    expect(token not in browser.text("#office-page .office-secret"), "it is another one")
    browser.click(f"{ROW} button + button")
    browser.type(".office-dialog input", "pocket" + KEYS["enter"])
    browser.wait_text("#office-page [role=status]", "pocket was deleted")
    # With the setting public_url the service's links begin with an address that phones reach.
    browser.run("""const send = window.fetch;
        window.fetch = (path, options) => new URL(path, location).pathname !== "/ogc" ? send(path, options)
            : Promise.resolve(new Response('{"links": [{"href": "https://cerca.example/ogc"}]}', {headers: {"content-type": "application/json"}}))""")
    browser.click("#near-tab")
    browser.click("#office-tab")
    browser.wait_text("#office-page form", "Name of the phone")
    browser.type("#office-page [name=device]", "pocket" + KEYS["enter"])
    browser.wait_text("#office-page .office-secret", "Scan the code")
    config = browser.run("return atob(decodeURIComponent(document.querySelector('.office-code a').href.split('=')[1]))")
    expect(json.loads(config)["url"] == "https://cerca.example/ingest/owntracks", config)
    service.request("DELETE", "/v1/people/ana/devices/pocket")
    expect(service.get("/v1/people/ana/devices") == {"items": []}, "it is revoked")


def imports(browser, service, picture):
    """A file is checked first, its faults are a table, and then the same bytes are sent once; a dropped messy catalog too."""
    def sent():
        return browser.run("""return performance.getEntriesByType("resource").map(one => one.name)
            .filter(one => one.includes("/v1/imports/")).map(one => one.replace(/.*imports\\//, ""))""")

    go(browser, service, "import")
    with tempfile.NamedTemporaryFile("w", suffix="-people.csv") as file:
        file.write("id,name,born\noffice-a,Ada,1990-01-01\noffice-b,Bea,yesterday\noffice-c,Cleo,1992-01-01\n")
        file.flush()
        browser.type("#office-file", file.name)
        browser.wait_text("#office-page [role=status]", "2 rows can be imported, 1 cannot. Nothing has been written yet")
        browser.wait_text(ROW, r"^line 3: office-b Born wrong format .*yesterday")
        expect(browser.run("return fetch('/v1/people/office-a').then(answer => answer.status)") == 404, "nothing is written")
        # What stands in the file now was not checked.
        file.write("office-d,Dora,1993-01-01\n")
        file.flush()
        browser.click("#office-page .office-primary")
        browser.wait_text("#office-page [role=status]", "was imported: 2 rows, 1 refused")
    expect(service.get("/v1/people/office-c")["name"] == "Cleo", "it is imported")
    expect(browser.run("return fetch('/v1/people/office-d').then(answer => answer.status)") == 404, "the bytes are those of the check")
    expect(sent() == ["people?dry_run=true", "people"], sent())
    expect(browser.run("return document.querySelector('.office-primary').disabled"), "it cannot be sent again")
    expect(browser.run("return document.activeElement.getAttribute('role')") == "status", "the focus is on the result")
    # A kind is not guessed without a reason, least of all as that of the file before; a workbook is no text.
    kind = "return document.querySelector('#office-page [name=kind]').value"
    for name, content, told, expected in [
        ("list.csv", "id,name\nx,X\n", "Choose it above", ""), ("list.csv", "id,brand\n", "has no rows", "products"),
        ("stores.xlsx", [80, 75, 3, 4, 0], "is a workbook", "products"), ("stores.csv", "", "has no rows", "products"),
    ]:
        drop(browser, name, content)
        browser.wait_text("#office-page [role=status]", told)
        expect(browser.run(kind) == expected, f"{name}: {browser.run(kind)}")
        expect(browser.run("return document.querySelector('.office-primary').disabled"), "nothing can be imported")
    drop(browser, "catálogo artículos.csv", "Marca;Modelo;Precio;Tallas\nBrinquesa;Zueco;39,90 EUR;36-38\n")
    browser.wait_text("#office-page ul", "Every row lacks a required field. For catalogs in other formats tick “Correct a messy catalog”")
    expect(browser.run(kind) == "products", "the kind is guessed")
    browser.click("#office-page ul + p button")
    browser.wait_text("#office-page [role=status]", "1 row can be imported, 0 cannot")
    browser.wait_text("#office-page details summary", "Corrected: 1")
    browser.click("#office-page .office-primary")
    browser.wait_text("#office-page [role=status]", "was imported: 1 row, 0 refused")
    expect(sent()[-1] == "products?normalise=true", sent())
    # A check that is aborted leaves no progress bar.
    browser.run("window.sending = XMLHttpRequest.prototype.send; XMLHttpRequest.prototype.send = () => {}")
    drop(browser, "friends.csv", "person,friend\nana,luis\n")
    bar = "return document.querySelector('#office-page progress').hidden"
    browser.wait("the check is under way", lambda: not browser.run(bar))
    browser.pick("#office-page [name=kind]", "")
    browser.wait("the bar is gone", lambda: browser.run(bar))
    browser.run("XMLHttpRequest.prototype.send = window.sending")
    faults = [fault for fault in browser.faults() if not re.search("40[04]", fault)]
    expect(faults == [], faults)


class Receiver(BaseHTTPRequestHandler):
    """A receiver of webhooks, which keeps what it gets."""

    received = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        Receiver.received.append((self.headers["webhook-id"], body["type"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


RECEIVING = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
RECEIVER = f"127.0.0.1:{RECEIVING.server_address[1]}"


def webhooks(browser, service, picture):
    """A webhook is made with its secret shown once, tested, and sends an event again."""
    threading.Thread(target=RECEIVING.serve_forever, daemon=True).start()
    go(browser, service, "webhooks", new="yes")
    browser.wait_text(FORM, "Save")
    fill(browser, "id", "shop")
    fill(browser, "url", f"http://{RECEIVER}/hook")
    browser.click(f"{FORM} [value='place.created']")
    browser.click(f"{FORM} [type=submit]")
    browser.wait_text("#office-page .office-secret", "whsec_")
    browser.wait_text(ROW, rf"shop http://{RECEIVER}/hook place.created")
    browser.click("#office-page aside header + p button")
    browser.wait_text("#office-page", "Nothing has been sent")
    expect("whsec_" not in browser.run("return document.documentElement.outerHTML"), "the secret is gone")
    browser.click("#office-page .office-tools button")
    browser.wait_text("#office-page [role=status]", r"The test was accepted: 204, after \d+ ms")
    browser.wait_text(ROW, "test accepted · 204")
    service.put("/v1/places/office-kiosk", {"kind": "kiosk", "name": "Kiosk"})
    browser.wait("the event comes", lambda: [one for one in Receiver.received if one[1] == "place.created"])
    browser.click("#office-page .office-tools button:last-child")
    browser.wait_text(ROW, r"place.created \d+ accepted · 204 [\d,]+ ms Send again")
    browser.click(f"{ROW} button")
    browser.wait_text("#office-page [role=status]", r"Everything from event \d+ on is sent again")
    browser.wait("it comes again", lambda: len([one for one in Receiver.received if one[1] == "place.created"]) == 2)
    expect(len(set(Receiver.received)) == 2, Receiver.received)
    service.request("DELETE", "/v1/webhooks/shop")
    service.request("DELETE", "/v1/places/office-kiosk")


def installation(browser, service, picture):
    """The installation shows version, sizes, the newest backup and the findings of the doctor."""
    go(browser, service, "installation")
    browser.wait_text("#office-page dl", r"(?s)Version\n\d+\.\d+\.\d+.*Schema\n\d+.*Started\n.*Database\n[\d.]+ [kM]B.*Newest backup\nnone.*Places\n1,3")
    browser.wait_text("#office-page table", r"(?s)libraries fine.*service fine.*settings fine")


def on_phone(browser, service, picture):
    """On a phone, in Spanish, no page of the back office is wider than the screen."""
    for page in look_around(browser, service):
        expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"{page}: nothing sticks out")
        expect(browser.run("return document.querySelector('#office-pages [aria-current]').getBoundingClientRect().right <= innerWidth"),
               f"{page}: its name is seen")
    browser.wait_text("#office-pages", "Instalación")
    service.post("/v1/people/ana/devices", {"id": "pocket"})
    go(browser, service, "devices", of="ana")
    browser.wait_text(ROW, r"(?s)pocket.*nunca.*Renovar\s+Borrar")
    expect(browser.run("""return [...document.querySelectorAll("#office-page tbody button")].every(one =>
        one.getBoundingClientRect().right <= innerWidth && one.offsetHeight >= 40)"""), "all actions are seen, and a finger hits them")
    service.request("DELETE", "/v1/people/ana/devices/pocket")
    go(browser, service, "webhooks", new="yes")
    browser.wait_text(FORM, "(?s)Con https, salvo que.*Solo eventos sobre esta persona")
    bar = """const bar = document.querySelector(".office-form > .row").getBoundingClientRect();
        return [Math.round(bar.bottom), Math.round(document.querySelector("#panels").getBoundingClientRect().bottom)]"""
    expect(len(set(browser.run(bar))) == 1, f"the bar is at the bottom: {browser.run(bar)}")
    expect(browser.run("""return [...document.querySelectorAll(".office-set label")].every(one =>
        Math.abs(one.children[0].getBoundingClientRect().y - one.children[1].getBoundingClientRect().y) < 20)"""), "labels are beside their boxes")
    go(browser, service, "installation")
    browser.wait_text("#office-page table", r"(?s)reloj.*bien")
    # The report of an import is in Spanish too, and quotes what older programs write.
    go(browser, service, "import")
    drop(browser, "tiendas.csv", [*"Nombre;Latitud;Longitud\nNervión;37,3886;-5,9727\n".encode("cp1252")])
    browser.wait_text("#office-page ul", "A todas las filas les falta un campo obligatorio")
    browser.wait_text(ROW, "Nervión")
    browser.click("#office-page ul + p button")
    browser.wait_text("#office-page ul", "La columna «latitud» se lee como Latitud")
    browser.click("#office-page details:last-child summary")
    browser.wait_text(ROW, "(?s)Nervión.*la coma decimal se lee como punto")
    drop(browser, "tiendas.csv", "id,name,lat,lon\nN1,Nervión,37.3886,-5.9727\nN1,Nervión,37.3886,-5.9727\n")
    browser.wait_text("#office-page ul", "Aviso: filas que sustituyen a otra anterior con el mismo id: 1")
    go(browser, service, "people", id="ana")
    browser.wait_text(FORM, "Guardar")
    expect(label(browser, "surname") == "Apellidos", label(browser, "surname"))


def as_person(browser, service, picture):
    """With keys the back office opens for the token of a service or a reader, and not for a person's."""
    tokens = [service.run("token", "--sub", "luis", "--scope", scope, "--expires", "1h") for scope in ("person", "service", "reader")]
    browser.open(f"{service.url}/#office")
    browser.run("sessionStorage.clear()")
    go(browser, service, "people")
    browser.wait_text("#office-page [role=alert]", "requires a token")
    for token, selector, told in [(tokens[0], "[role=alert]", "for services"), (tokens[1], "tbody", "ana")]:
        browser.run("document.querySelector('#token').value = ''")
        browser.type("#token", token + KEYS["enter"])
        browser.wait_text(f"#office-page {selector}", told)
    as_reader(browser, service, tokens[2])
    faults = [fault for fault in browser.faults() if not re.search("40[13]", fault)]
    expect(faults == [], faults)


def as_reader(browser, service, token):
    """A reader sees tables and documents, and nothing with which to change them."""
    browser.run("sessionStorage.setItem('cerca-token', arguments[0])", token)
    for page, state, shown in [
        ("people", {"id": "ana"}, ".office-document dl"), ("people", {"new": "yes"}, "tbody"), ("devices", {"of": "ana"}, "summary"),
        ("fences", {}, "[role=status]"), ("installation", {}, "dl"), ("webhooks", {}, "tbody"), ("import", {}, "tbody"),
    ]:
        go(browser, service, page, **state)
        browser.wait_text(f"#office-page {shown}", r"\w\w")
        pages = browser.run("return [...document.querySelectorAll('#office-pages > button')].map(one => one.textContent)")
        expect(pages == ["People", "Places", "Products", "Fences", "Installation"], pages)
        forms = browser.run("return document.querySelectorAll('#office-page :is(form, .office-tools button:not([hidden]))').length")
        expect(forms == 0, f"{page}: nothing changes anything")
    browser.open(service.url + MAP.replace("office", "fences"))
    browser.wait_text("#fences-status", "Fences: ")
    expect(not browser.run("return document.querySelector('#fence-form').offsetParent"), "no fence is drawn")


NAME = "cerca.example"
SECURE = {"arguments": [f"--host-resolver-rules=MAP {NAME} 127.0.0.1", "--ignore-certificate-errors"]}


def make_certificate(folder):
    """A certificate that only this test trusts: its file and the key's."""
    files = f"{folder}/certificate.pem", f"{folder}/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-out", files[0], "-keyout", files[1]],
                   check=True, capture_output=True)
    return files


def tls(certificate):
    """The settings of a service with TLS and a name."""
    return {"CERCA_TLS_CERTIFICATE": certificate[0], "CERCA_TLS_KEY": certificate[1], "CERCA_HOSTS": NAME}


def scan(browser, service, picture):
    """A phone is set up by the code on the screen alone: the address and the token in it record a position."""
    def read():
        with tempfile.NamedTemporaryFile(suffix=".png") as image:
            browser.picture(image.name)
            found = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", image.name], capture_output=True, text=True)
            return found.stdout.strip()

    port = service.url.rsplit(":", 1)[1]
    browser.open(f"https://{NAME}:{port}{MAP}?page=devices&of=ana")
    browser.wait_text("#office-page [role=status]", "There is no phone yet")
    browser.type("#office-page [name=device]", "pocket" + KEYS["enter"])
    browser.wait_text("#office-page .office-secret", "Scan the code")
    shown = browser.wait("one code is there at once", read)
    expect(shown.startswith("owntracks:") and "\n" not in shown, shown)
    expect(browser.run("return document.querySelector('.office-code a').href") == shown, "a link opens the app on the phone itself")
    top = browser.run("return document.querySelector('.office-secret').getBoundingClientRect().top")
    expect(0 < top < 400, f"it is seen: {top}")
    readings = {}
    for number, app in enumerate(["OwnTracks", "Overland"], 1):
        browser.click(f"#office-page .office-secret .row button:nth-child({number})")
        browser.run("document.querySelector('.office-code canvas').scrollIntoView()")
        readings[app] = browser.wait(f"the code of {app} is read", read)
    config = readings["OwnTracks"]
    expect(config.startswith("owntracks:///config?inline="), config)
    owntracks = json.loads(base64.b64decode(urllib.parse.unquote(config.split("=", 1)[1])))
    overland = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(readings["Overland"]).query))
    basic = base64.b64encode(f"{owntracks['username']}:{owntracks['password']}".encode()).decode()
    for url, authorization, body in [
        (owntracks["url"], f"Basic {basic}", {"_type": "location", "lat": 39.5, "lon": -0.4, "tst": 1795168700, "tid": "a1"}),
        (overland["url"], f"Bearer {overland['token']}", {"locations": []}),
    ]:
        address = urllib.parse.urlsplit(url)
        expect(address.netloc == f"{NAME}:{port}", url)
        connection = http.client.HTTPSConnection("127.0.0.1", int(port), context=ssl._create_unverified_context())
        connection.request("POST", address.path, json.dumps(body),
                           {"host": address.netloc, "authorization": authorization, "content-type": "application/json"})
        answer = connection.getresponse()
        expect(answer.status == 200, f"{url}: {answer.status}")
        connection.close()
    browser.click("#near-tab")
    expect(read() == "" and not browser.run("return document.querySelector('.office-code')"), "the code is gone")
    browser.click("#office-tab")
    browser.wait_text(ROW, "pocket .* (seconds?|minutes?) ago|pocket .* now")
