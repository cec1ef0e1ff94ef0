"""A headless Chromium, driven over WebDriver with nothing but Python's standard library.

    with Browser() as browser:
        browser.size(1280, 900)
        browser.open("/tmp/report.html")
        browser.click("#R1 summary")
        browser.keys("#query", "balance")
        browser.run("return document.title")

The driver listens on the loopback only, and the browser gets a profile of its own, which is
removed with it. What the page says on its console is kept: browser.console().
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class BrowserError(Exception):
    pass


def missing():
    """The programs that are needed and not there."""
    return [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    def __init__(self, dark=False, scripts=True, timeout=120):
        self.timeout = timeout
        self.profile = tempfile.mkdtemp(prefix="heddle-browser-")
        self.port = free_port()
        # a session of its own, so that the end of the driver is the end of the browser
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=%d" % self.port, "--silent"], start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        try:
            self._wait()
            self._start(dark, scripts)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def _start(self, dark, scripts):
        words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--hide-scrollbars", "--disable-background-networking", "--no-first-run",
                 "--user-data-dir=" + self.profile]
        if dark:
            words.append("--force-dark-mode")
            words.append("--blink-settings=preferredColorScheme=0")
        options = {"args": words}
        if not scripts:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        answer = self.call("POST", "", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"}}}}, start=True)
        self.session = answer["sessionId"]
        self.call("POST", "/timeouts", {"script": self.timeout * 1000})

    def _wait(self):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                urllib.request.urlopen("http://127.0.0.1:%d/status" % self.port, timeout=5).read()
                return
            except (OSError, urllib.error.URLError):
                time.sleep(0.05)
        raise BrowserError("chromedriver does not answer")

    def call(self, method, path, body=None, start=False):
        url = "http://127.0.0.1:%d/session" % self.port
        if not start:
            url += "/%s%s" % (self.session, path)
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserError("%s: %s" % (value["error"], value["message"].splitlines()[0]))

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except (BrowserError, OSError):
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- pages ---------------------------------------------------------------------------

    def open(self, path):
        self.call("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def size(self, width, height):
        """Of what the page has for itself, also narrower than a window may be."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=width < 600)

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def scheme(self, name):
        """What the system prefers: light or dark."""
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": name}])

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The script calls its last argument with the result."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.call("POST", "/element",
                         {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", "/element/%s/click" % self.find(selector))

    def keys(self, selector, text):
        self.call("POST", "/element/%s/value" % self.find(selector), {"text": text})

    def press(self, key):
        """A key for whatever has the focus."""
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def console(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def screenshot(self, path, whole=False):
        if whole:
            data = self.devtools("Page.captureScreenshot", format="png",
                                 captureBeyondViewport=True)["data"]
        else:
            data = self.call("GET", "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
