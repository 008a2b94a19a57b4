"""A headless Chromium, driven over HTTP as WebDriver (W3C) says."""

import base64
import json
import re
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"enter": "\ue007", "escape": "\ue00c", "right": "\ue014", "down": "\ue015", "home": "\ue011", "end": "\ue010"}


def expect(holds, what):
    assert holds, what


class NotThere(AssertionError):
    """An element that is not there yet, or not any more: the page has just written that part anew."""


class Browser:
    def __init__(self, language="en-US", dark=False, size=(1280, 800), arguments=(), is_first_visit=False):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = (re.search(r"successfully on port (\d+)", line) for line in self.driver.stdout)
        port = next(filter(None, said)).group(1)
        self.session = f"http://127.0.0.1:{port}"
        # Screenshots would show animations halfway.
        arguments = [*arguments, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--lang={language}",
                     "--force-prefers-reduced-motion", "--window-size=%d,%d" % size]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        options = {"args": arguments, "prefs": {"intl.accept_languages": language}}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session += "/session/" + made["sessionId"]
        if not is_first_visit:
            # The tour would cover a part of the map.
            closed = "try { localStorage['cerca-tour'] = 'closed'; } catch {}"
            self.call("POST", "/goog/cdp/execute", {"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": closed}})

    def call(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.session + path, data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            told = json.load(error)["value"]
            kind = NotThere if told["error"] in ("no such element", "stale element reference") else AssertionError
            raise kind(told["message"].splitlines()[0]) from None

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def timezone(self, name):
        """Sets the zone of the reader's clock, such as Europe/Paris."""
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setTimezoneOverride", "params": {"timezoneId": name}})

    def open(self, url):
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": url})
        self.wait("the page begins", lambda: self.run("return document.body.dataset.ready"))

    def resize(self, width, height):
        self.call("POST", "/window/rect", {"width": width, "height": height})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        def holds():
            return self.call("POST", f"/element/{self.find(selector)}/click") is None

        self.wait(f"{selector} can be clicked", holds)

    def type(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def text(self, selector):
        return self.call("GET", f"/element/{self.find(selector)}/text")

    def pick(self, selector, value):
        """Chooses an option of a select."""
        offers = "return [...document.querySelector(arguments[0])?.options ?? []].some(o => o.value === arguments[1])"
        self.wait(f"{selector} offers {value}", lambda: self.run(offers, selector, value))
        self.click(f'{selector} option[value="{value}"]')

    def click_at(self, selector, x=0, y=0):
        """Clicks so many pixels from the middle of an element."""
        origin = {ELEMENT: self.find(selector)}
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": origin},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def wait(self, what, holds, seconds=20):
        """Waits until something holds, and returns it."""
        end = time.monotonic() + seconds
        while True:
            try:
                if value := holds():
                    return value
            except NotThere:
                pass
            assert time.monotonic() < end, f"not within {seconds} s: {what}"
            time.sleep(0.05)

    def wait_text(self, selector, pattern, seconds=20):
        """Waits until the text of an element matches."""
        try:
            return self.wait(f"{selector} says {pattern}", lambda: re.search(pattern, self.text(selector)), seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}; it says: {self.text(selector)}") from None

    def answer(self, choice):
        """Accepts or dismisses the browser's own question, and returns its text."""
        text = self.call("GET", "/alert/text")
        self.call("POST", f"/alert/{choice}")
        return text

    def faults(self):
        """What the browser complained of since it was last asked."""
        log = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] == "SEVERE"]

    def picture(self, file):
        with open(file, "wb") as image:
            image.write(base64.b64decode(self.call("GET", "/screenshot")))
