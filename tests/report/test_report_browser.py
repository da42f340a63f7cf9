#!/usr/bin/env python3
"""The HTML report in a browser: what its script computes is what the library does, for pages of the
same report with other rates and for `advise`; it runs no script of a file, asks the network for
nothing, complains about nothing, and fits a phone. Without Chromium it says so and ends with 77.

PERFMODEL and PAGES name the two programs, as ctest sets them.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import browser as chromium

RATES = ("hourly_rate", "hours", "gpu_hour", "runs_per_month", "passes", "gpus")
LIVE = """Array.from(document.querySelectorAll("[data-live]"),
    (e) => e.dataset.live + " of " + e.dataset.of + ": " + e.textContent)"""
checks = 0


def check(sound, what):
    """Counts a check; ends the test if it does not hold."""
    global checks
    checks += 1
    if not sound:
        sys.exit("FAILED: " + what)


def set_rate(page, key, value):
    """Types into a field as a reader does."""
    page.run(f"""(() => {{ const input = document.getElementById("in-{key}");
        input.value = {json.dumps("" if value is None else repr(value))};
        input.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()""")


def set_rates(page, options):
    for key in RATES:
        set_rate(page, key, options[key])


def options_of(page):
    return page.run('JSON.parse(document.getElementById("data").textContent).options')


def check_silent(page, path):
    """The page causes no error, no other request, and loads no script from a file."""
    for event in page.events:
        method, told = event.get("method"), event.get("params", {})
        check(method != "Runtime.exceptionThrown", f"{path}: {told}")
        check(method != "Log.entryAdded", f"{path}: {told}")
        check(method != "Runtime.consoleAPICalled", f"{path}: {told}")
        if method == "Network.requestWillBeSent":
            url = told["request"]["url"]
            check(url == "file://" + os.path.abspath(path), f"{path} asks for {url}")
    check(page.run("window.hostile") is None, f"{path}: a script of a file ran")


def check_names(page, path):
    """Names are shown as text and do not create elements."""
    check(page.run('document.body.textContent.includes("<script>window.hostile=1</script>")'),
          f"{path}: a name is not there as text")
    check(page.run('document.querySelectorAll("img, script:not([nonce]):not(#data)").length') == 0,
          f"{path}: a name has become an element")


def check_fit(page, path):
    """With all folds open, the page is not wider than a phone. Wide elements scroll in boxes of
    their own."""
    page.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    for width in (360, 800):
        page.size(width, 740, width == 360)
        wide = page.run("document.documentElement.scrollWidth")
        check(wide <= width, f"{path}: {wide} pixels wide on a screen of {width}")
    check(page.run("""Array.from(document.querySelectorAll("table, figure svg"))
        .every((e) => e.closest(".scroll"))"""), f"{path}: something wide has no box of its own")
    page.size(1200, 900)


def check_accessible(page, path):
    check(page.run("document.querySelectorAll('h1').length") == 1, f"{path}: not one h1")
    for what, script in {
            "a figure without a text": "document.querySelectorAll('figure [role=img]:not([aria-label])')",
            "a table without a caption": "Array.from(document.querySelectorAll('table')).filter((t) => "
                                         "!t.caption || !t.caption.textContent)",
            "a header cell without a scope": "document.querySelectorAll('th:not([scope])')",
            "a field without a label": "Array.from(document.querySelectorAll('input')).filter((i) => "
                                       "!i.labels.length)",
            "an id that is there twice": "Array.from(document.querySelectorAll('[id]')).filter((e) => "
                                         "document.getElementById(e.id) !== e)",
            "a link to nowhere": "Array.from(document.querySelectorAll('a')).filter((a) => "
                                 "!document.querySelector(a.getAttribute('href')))"}.items():
        check(page.run(f"({script}).length") == 0, f"{path}: {what}")


CONTRAST = """(() => {
  const channel = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (rgb) => { const [r, g, b] = rgb.match(/[0-9.]+/g).map(Number).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  let least = 21;
  for (const e of document.querySelectorAll("h1, h2, p, th, td, caption, figcaption, a, summary, " +
      "label, .unit, legend, button, figure svg text")) {
    const style = getComputedStyle(e);
    const a = light(e instanceof SVGElement ? style.fill : style.color), b = light(back(e));
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least; })()"""


def check_contrast(page, path):
    """Text is readable in light and dark, figures too: 4.5 to 1 (WCAG 2.1, 1.4.3)."""
    for scheme in ("light", "dark"):
        page.media(scheme=scheme)
        least = page.run(CONTRAST)
        check(least >= 4.5, f"{path}: contrast {least:.2f} in {scheme}")
    page.media()


def test_rates(page, pages):
    """At the page's own rates, the script writes the same texts as the library wrote."""
    written = []
    for path in pages:
        page.open(path)
        written.append((options_of(page), page.run(LIVE)))
        check_silent(page, path)
    check(len({str(live) for _, live in written}) == len(pages), "two pages are the same")
    page.open(pages[0])
    check_names(page, pages[0])
    check_accessible(page, pages[0])
    check_contrast(page, pages[0])
    check_fit(page, pages[0])
    for (options, live), path in zip(written, pages):
        set_rates(page, options)
        for there, here in zip(live, page.run(LIVE)):
            check(there == here, f"{path}: the library wrote '{there}', the script '{here}'")
        check(page.run("document.querySelectorAll('#curve svg').length") == 1, f"{path}: no curve")
    check_contrast(page, pages[0])
    check_silent(page, pages[0])


def test_wrong_rates(page, path):
    """An invalid rate changes nothing and is reported. Reset restores the first value."""
    page.open(path)
    before = page.run(LIVE)
    for key, value in (("runs_per_month", 0), ("gpus", 1.5), ("hourly_rate", -1), ("passes", 0.5),
                       ("gpu_hour", 1e10), ("hours", -2)):
        first = options_of(page)[key]
        set_rate(page, key, value)
        check(page.run(LIVE) == before, f"{key} {value} changes something")
        check(page.run(f"document.getElementById('in-{key}').getAttribute('aria-invalid')") == "true",
              f"{key} {value} is not marked")
        check(page.run("document.getElementById('rates-note').textContent") != "",
              f"{key} {value} is not told")
        set_rate(page, key, first)
        check(page.run("document.getElementById('rates-note').textContent") == "",
              f"{key} {first} is told")
    set_rate(page, "hourly_rate", 12345.0)
    check(page.run(LIVE) != before, "another rate changes nothing")
    page.run("document.querySelector('button[type=reset]').click()")
    page.run("new Promise((done) => setTimeout(done, 50))")
    check(page.run(LIVE) == before, "Reset does not bring the first rates back")
    check_silent(page, path)


def test_advise(page, folder):
    """At other rates the page shows the results of advise at these rates."""
    program = ["--target", "h100", "--program", "sobel3x3", "--size", "1536x1536"]
    other = {"hourly_rate": 60.0, "hours": None, "gpu_hour": 3.5, "runs_per_month": 2e9, "passes": 2.0,
             "gpus": 4.0}
    path = os.path.join(folder, "advise.html")
    subprocess.run([os.environ["PERFMODEL"], "report", *program, "--rate", "100", "-o", path], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    advice = json.loads(subprocess.run(
        [os.environ["PERFMODEL"], "advise", *program, "--rate", "60", "--gpu-hour", "3.5", "--runs",
         "2e9", "--passes", "2", "--gpus", "4", "--json"], check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout)
    page.open(path)
    name = page.run('JSON.parse(document.getElementById("data").textContent).cases[0].name')
    choice = next(c for c in advice["choices"] if name.endswith(": " + c["variant"]))
    days = choice["cost"]["break_even_days"]["mid"]
    before = page.run("document.querySelector('td [data-live=days]').textContent")
    set_rates(page, other)
    shown = page.run("document.querySelector('td [data-live=days]').textContent")
    check(shown != before, f"the break-even stays at {before}")
    number, unit = float(shown.split()[0]), shown.split()[1]
    factor = {"hours": 1 / 24, "days": 1, "months": 365.25 / 12, "years": 365.25}[unit]
    last = 0.5 * 10 ** -len(shown.split()[0].partition(".")[2])
    check(abs(number - days / factor) <= 1.001 * last,
          f"the page has '{shown}', advise {days} days of {choice['variant']}")
    check_silent(page, path)
    check_fit(page, path)


def main():
    program = chromium.find()
    if not program:
        print("SKIPPED: no Chromium (Debian: apt-get install chromium)")
        sys.exit(77)
    page = chromium.Browser(program)
    try:
        with tempfile.TemporaryDirectory(prefix="perfmodel-report.") as folder:
            subprocess.run([os.environ["PAGES"], folder], check=True, stdout=subprocess.DEVNULL)
            pages = sorted(glob.glob(os.path.join(folder, "page*.html")))
            test_rates(page, pages)
            test_wrong_rates(page, pages[0])
            test_advise(page, folder)
    finally:
        page.close()
    print(f"{checks} checks")


main()
