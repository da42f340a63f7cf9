#!/usr/bin/env python3
"""The HTML report in a browser. Its tables and paragraphs are those that the library writes as
Markdown, also at other rates. The page runs no script of a file, asks the network for nothing,
reports no error, has its figures, fits a phone, and can be read in the dark and by keyboard. Without
Chromium the test says so and ends with 77.

PERFMODEL and PAGES name the two programs, as ctest sets them.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import base64
import glob
import html
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import browser as chromium

RATES = ("hourly_rate", "hours", "gpu_hour", "runs_per_month", "passes", "gpus")
# Captions and rows of all tables; a cell is [text, interval].
TABLES = """Array.from(document.querySelectorAll("table"), (t) => [t.caption.textContent,
    Array.from(t.querySelectorAll("tr"), (r) => Array.from(r.cells, (c) => {
      const range = c.querySelector(".range"), interval = range ? range.textContent : "";
      const text = c.textContent.slice(0, c.textContent.length - interval.length);
      return interval ? (text ? text + " " : "") + "(" + interval + ")" : text; }))])"""
PARAGRAPHS = "Array.from(document.querySelectorAll('main p'), (p) => p.textContent)"
LIVE = """Array.from(document.querySelectorAll("[data-live]"),
    (e) => e.dataset.live + " of " + e.dataset.of + ": " + e.textContent)"""
checks = 0


def check(sound, what):
    """Counts a check; ends the test if it does not hold."""
    global checks
    checks += 1
    if not sound:
        sys.exit("FAILED: " + what)


# Texts of numbers, as the functions of report/table/format.c write them. Values halfway between two texts become the
# even one.
FORMATS = {"money": {0.125: "0.12", 99.995: "100", -1234.5: "\u22121,234", 1.185e15: "1.18e+15"},
           "days": {0: "at once", 0.5: "12.0 hours", 59.6: "60 days", 400: "13.1 months", 40000: "over 100 years"},
           "count": {12.01: "13", 1234567: "1,234,567"}, "hours": {9.95: "9.9", 12.5: "12"},
           "gain": {1.005: "1.00\u00d7", 12.34: "12.3\u00d7", 2905: "2.9e+03\u00d7"},
           "chance": {0.001: "under 1 %", 0.125: "12 %", 0.995: "over 99 %"},
           "rate": {999.4: "999", 999.6: "1 k", 66.9e12: "66.9 T", 1.225e18: "1.22e+03 P"},
           "number": {0.25: "0.25", 1234.5: "1,234", 12345678: "12,345,678", 1e-7: "1e-07"},
           "time": {9.9949e-4: "999.5 us", 9.996e-4: "0.9996 ms", 1.2345: "1.234 s", 27565: "2.756e+04 s", 1e-11: "0.01 ns"}}
# Times and their intervals.
TIMES = {(1e-3, 0.95e-3, 1.05e-3): ["1.00 ms", "0.950 to 1.05 ms"], (0.996e-3, 0.9e-3, 1.3e-3): ["1000 us", "900 to 1300 us"],
         (12.34, None, 13): ["12.3 s", ""], (None, 1, 2): ["unknown", ""]}


def test_formats(page, path):
    """The page writes numbers as the library does."""
    page.open(path)
    for name, texts in FORMATS.items():
        for value, text in texts.items():
            shown = page.run(f"format.{name}({value!r})")
            check(shown == text, f"{name} of {value} is '{shown}', not '{text}'")
        check(page.run(f"format.{name}(null)") == "unknown", f"{name} of an unknown number")
    for numbers, texts in TIMES.items():
        shown = page.run(f"format.timeInterval({', '.join('null' if n is None else repr(n) for n in numbers)})")
        check(shown == texts, f"the time {numbers} is {shown}")


def set_rate(page, key, value):
    """Types into a field as a reader does."""
    page.run(f"""(() => {{ const input = document.getElementById("in-{key}");
        input.value = {json.dumps("" if value is None else repr(value))};
        input.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()""")


def set_rates(page, options):
    for key in RATES:
        set_rate(page, key, options[key])


def data_of(page):
    return page.run('JSON.parse(document.getElementById("data").textContent)')


def plain(markdown):
    """Returns the text of a piece of Markdown without its escapes."""
    return html.unescape(re.sub(r"\\([|\\`*\[\]])", r"\1", markdown))


def read_markdown(path):
    """Returns the tables of a Markdown report, as the browser gives those of a page, and its
    paragraphs."""
    tables, paragraphs, caption = [], [], None
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("|-"):
                continue
            if line.startswith("| "):
                if caption is not None:
                    tables.append([caption, []])
                    caption = None
                tables[-1][1].append([plain(cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
            elif line.startswith("**"):
                caption = plain(line[2:-2])
            elif line and not line.startswith("#"):
                paragraphs.append(plain(line))
    return tables, paragraphs


def check_content(page, path, markdown, left=None):
    """The page has the tables and paragraphs of the Markdown. The rates are input fields. left: name
    of a column that may differ in tables of versions."""
    tables, paragraphs = read_markdown(markdown)
    shown = page.run(TABLES)
    for caption, rows in tables + shown:
        if left in rows[0] and caption.startswith("Versions of"):
            at = rows[0].index(left)
            for row in rows:
                del row[at]
    there = [caption for caption, _ in shown]
    for caption, rows in tables:
        if caption == "Rates and runs":
            continue
        check(caption in there, f"{path} has no table '{caption}', but {there}")
        found = [[[cell.strip() for cell in row] for row in t[1]] for t in shown if t[0] == caption]
        check(rows in found, f"{path}: '{caption}' has {found}, the Markdown {rows}")
    check(len(shown) == len([c for c, _ in tables if c != "Rates and runs"]), f"{path} has other tables: {there}")
    told = [" ".join(text.split()) for text in page.run(PARAGRAPHS)]
    for text in paragraphs[1:]:
        check(" ".join(text.split()) in told, f"{path} does not say '{text}', but {told}")


def check_figures(page, path, least):
    """Every figure is drawn when the reader comes to it, and says what it shows."""
    page.run("""(async () => { for (const box of document.querySelectorAll(".chart")) {
        box.scrollIntoView(); await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); } })()""")
    blank = page.run("""Array.from(document.querySelectorAll("canvas")).filter((c) => {
        const pixels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        const colours = new Set();
        for (let i = 0; i < pixels.length; i += 4)
          if (pixels[i + 3] === 255) colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
        return colours.size < 2; }).length""")
    count = page.run("document.querySelectorAll('figure canvas').length")
    check(count >= least, f"{path} has {count} figures")
    check(blank == 0, f"{path}: {blank} of {count} figures are blank")
    page.run("scrollTo(0, 0)")


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
    check(page.run("""Array.from(document.querySelectorAll("table")).every((e) => e.closest(".scroll[tabindex='0']"))"""),
          f"{path}: a table has no box of its own that the keyboard reaches")
    page.size(1200, 900)


def check_accessible(page, path):
    check(page.run("document.querySelectorAll('h1').length") == 1, f"{path}: not one h1")
    for what, script in {
            "a figure without a text": "document.querySelectorAll('canvas:not([role=img][aria-label])')",
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
      "label, .unit, legend, button")) {
    const a = light(getComputedStyle(e).color), b = light(back(e));
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least; })()"""


def check_contrast(page, path):
    """Text is readable in light and dark: 4.5 to 1 (WCAG 2.1, 1.4.3)."""
    for scheme in ("light", "dark"):
        page.media(scheme=scheme)
        least = page.run(CONTRAST)
        check(least >= 4.5, f"{path}: contrast {least:.2f} in {scheme}")
    page.media()


def test_rates(page, pages):
    """At any rates, the page has the texts that the library writes as Markdown."""
    written = []
    for path in pages:
        page.open(path)
        written.append(data_of(page)["cost_options"])
        check_content(page, path, path.replace(".html", ".md"))
        check_silent(page, path)
    page.open(pages[0])
    check_names(page, pages[0])
    check_accessible(page, pages[0])
    check_contrast(page, pages[0])
    check_fit(page, pages[0])
    check_figures(page, pages[0], 6)
    shown = set()
    for options, path in zip(written, pages):
        set_rates(page, options)
        check_content(page, pages[0] + " at the rates of " + path, path.replace(".html", ".md"),
                      "Hours of work")
        shown.add(str(page.run(LIVE)))
    check(len(shown) == len(pages), "two pages are the same")
    check_contrast(page, pages[0])
    check_silent(page, pages[0])


def test_wrong_rates(page, path):
    """An invalid rate changes nothing and is reported. Reset restores the first value."""
    page.open(path)
    before = page.run(LIVE)
    for key, value in (("runs_per_month", 0), ("gpus", 1.5), ("hourly_rate", -1), ("passes", 0.5),
                       ("gpu_hour", 1e10), ("hours", -2)):
        first = data_of(page)["cost_options"][key]
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


def make(folder, name, *words, **more):
    """Makes a report. Returns its path and the messages."""
    path = os.path.join(folder, name)
    done = subprocess.run([os.environ["PERFMODEL"], "report", "--program", "sobel3x3", "--size", "1536x1536", *words,
                           "-o", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
                          **more)
    return path, done.stderr


def test_report(page, folder):
    """A report of the suite has the same content as its Markdown."""
    words = ["--target", "h100", "--target", "gtx980", "--rate", "100", "--energy-price", "0.25"]
    path, _ = make(folder, "real.html", *words)
    markdown, _ = make(folder, "real.md", *words)
    with open(markdown, encoding="utf-8") as file:
        text = re.sub(r"Command: .*", "", file.read())
    with open(markdown, "w", encoding="utf-8") as file:
        file.write(re.sub(r"^perfmodel .*\n", "", text, flags=re.M))
    page.open(path)
    check_content(page, path, markdown)
    check_figures(page, path, 7)
    check_accessible(page, path)
    check_fit(page, path)
    check(page.run("Array.from(document.querySelectorAll('nav a'), (a) => a.textContent)") ==
          ["Summary", "Does it pay?", "sobel3x3", "Roofline", "Predicted against measured", "How sure, and why",
           "Where this comes from"], "other sections")
    check_silent(page, path)


def test_without_rates(page, folder):
    """Without a rate the page says nothing about money. Without Chart.js it has no figures, and says
    so."""
    share = os.path.join(folder, "share")
    os.mkdir(share)
    there = os.path.realpath(os.path.join(os.environ["BUILD"], "share", "perfmodel"))
    for name in os.listdir(there):
        if name != "chart.js":
            os.symlink(os.path.join(there, name), os.path.join(share, name))
    path, told = make(folder, "plain.html", "--target", "h100", "--runs", "1e6",
                      env={**os.environ, "PERFMODEL_SHARE": share})
    check("figures are missing" in told and "libjs-chart.js" in told, f"nothing tells that figures are missing: {told}")
    page.open(path)
    for words in ("paid", "Does it pay", "Hours of work"):
        check(words not in page.run("document.querySelector('main').textContent"), f"the page has {words}")
    check(page.run("document.querySelectorAll('form, [data-live], canvas').length") == 0, "money or figures in a page without")
    check(page.run("Array.from(document.querySelectorAll('figcaption')).every((f) => f.textContent.includes('Not drawn'))"),
          "the page does not say that figures are missing")
    check(page.run("document.querySelectorAll('figcaption').length") > 2, "no figure is told of")
    check_silent(page, path)


def test_advise(page, folder):
    """At other rates the page shows the results of advise at these rates."""
    program = ["--target", "h100", "--program", "sobel3x3", "--size", "1536x1536"]
    other = {"hourly_rate": 60.0, "hours": None, "gpu_hour": 3.5, "runs_per_month": 2e9, "passes": 2.0,
             "gpus": 4.0}
    path, _ = make(folder, "advise.html", "--target", "h100", "--rate", "100")
    advice = json.loads(subprocess.run(
        [os.environ["PERFMODEL"], "advise", *program, "--rate", "60", "--gpu-hour", "3.5", "--runs",
         "2e9", "--passes", "2", "--gpus", "4", "--json"], check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout)
    page.open(path)
    name = data_of(page)["targets"][0]["programs"][0]["candidate"]
    choice = next(c for c in advice["choices"] if c["variant"] == name)
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


def test_print(page, path, folder):
    """The page prints in the colours of paper, also where the reader's system is dark."""
    page.media(scheme="dark")
    page.open(path)
    pdf = page.call("Page.printToPDF", landscape=True, printBackground=False)["data"]
    check(base64.b64decode(pdf).startswith(b"%PDF") and len(pdf) > 50000, "the page does not print")
    page.media()


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
            test_formats(page, pages[0])
            test_rates(page, pages)
            test_wrong_rates(page, pages[0])
            test_advise(page, folder)
            test_report(page, folder)
            test_without_rates(page, folder)
            test_print(page, pages[0], folder)
    finally:
        page.close()
    print(f"{checks} checks")


main()
