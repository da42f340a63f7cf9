"""A headless Chromium for tests, driven by the DevTools protocol over its pipe: no packages.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """Returns the path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """A page in the browser. Events are stored in self.events."""

    def __init__(self, program, seconds=60):
        self.folder = tempfile.mkdtemp(prefix="perfmodel-browser.")
        self.seconds = seconds
        self.events, self.buffer, self.number = [], b"", 0
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def descriptors():  # Chromium reads from descriptor 3 and writes to 4
            kept = [os.dup(to_read), os.dup(to_write)]
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking",
             "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=descriptors, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.session = None
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self):
        """The next message."""
        end = time.monotonic() + self.seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise TimeoutError("the browser says nothing")
            got = os.read(self.read_end, 1 << 20)
            if not got:
                raise EOFError("the browser has ended")
            self.buffer += got
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, event):
        """Waits for the next event with this name."""
        while True:
            answer = self.message()
            self.events.append(answer)
            if answer.get("method") == event:
                return

    def open(self, path):
        """Opens a file and waits until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        if not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.wait("Page.loadEventFired")

    def run(self, script):
        """Returns the value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def size(self, width, height, mobile=False):
        """Sets the size of the window in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=mobile)

    def media(self, media="", scheme="light"):
        """Sets the medium (screen, print) and the colour scheme."""
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path, clip=None):
        """Writes a PNG of the whole page, or of [x, y, width, height] of it."""
        more = {}
        if clip:
            more["clip"] = dict(zip(("x", "y", "width", "height"), clip), scale=1)
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         **more)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        """Ends the browser."""
        self.session = None
        try:
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            self.process.kill()
        self.process.wait()
        os.close(self.read_end)
        os.close(self.write_end)
        shutil.rmtree(self.folder, ignore_errors=True)
