#!/usr/bin/env python3
"""perfmodel report as a user runs it: the content of the JSON, Markdown that is well-formed and has
the same numbers, an HTML page that holds the same JSON, hostile names that stay text, and errors of
one line. test_report_browser.py looks at the page in a browser.

PERFMODEL and PAGES name the programs, as ctest sets them.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import html.parser
import json
import math
import os
import re
import stat
import subprocess
import sys
import tempfile

PERFMODEL = os.environ["PERFMODEL"]
HOSTILE = "<script>window.hostile=1</script>|\"'&*`[x](javascript:1)"
VOID = {"meta"}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZE = "1536x1536"
checks = 0


def check(sound, what):
    """Counts a check; ends the test if it does not hold."""
    global checks
    checks += 1
    if not sound:
        sys.exit("FAILED: " + what)


def run(*words, **more):
    """Runs perfmodel report and returns exit code, standard output and standard error."""
    done = subprocess.run([PERFMODEL, "report", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", check=False, **more)
    return done.returncode, done.stdout, done.stderr


class Page(html.parser.HTMLParser):
    """Parser that matches start and end tags, and collects the text of scripts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts = [], []
        self.feed(text)
        self.close()
        check(not self.open, f"elements are left open: {self.open}")

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        check(len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}")
        check(not any(name.startswith("on") or name in ("src", "href", "action", "data") for name in names),
              f"<{tag}> has a handler or asks for something")
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        check(self.open and self.open[-1] == tag, f"</{tag}> ends {self.open[-1:]}")
        self.open.pop()

    def handle_data(self, data):
        if "script" in self.open:
            self.scripts[-1] += data


def check_html(text):
    """Checks a page without running its scripts. Returns its JSON."""
    page = Page(text)
    check(text.startswith("<!DOCTYPE html>\n<html lang="), "the HTML starts otherwise")
    check(len(page.scripts) == 3, f"{len(page.scripts)} scripts")
    check("<noscript>" in text, "nothing is said to readers without scripts")
    nonces = set(re.findall(r"<script nonce=\"(\w{32})\"|script-src 'nonce-(\w{32})'", text))
    check(len({a or b for a, b in nonces}) == 1, f"nonces are {nonces}")
    check(not re.search(r"url\(|@import|https?://", text.split("<body>")[0]), "the style asks for something")
    check("default-src 'none'" in text, "no policy keeps the network out")
    check("{{" not in text.split("<script")[0], "a name of the template is not replaced")
    return json.loads(page.scripts[0])


def near(one, other):
    """True if two JSON values are equal, except that numbers may differ after nine digits."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(near(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=1e-8, abs_tol=1e-300)
    return one == other


def split_row(line):
    """Returns the cells of a Markdown row. An escaped bar does not separate cells."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def check_markdown(text):
    """Checks that every table has a header, a rule and rows of equal length. Returns the cells of
    all rows."""
    rows, width = [], 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("|"):
            width = 0
            check("|" not in re.sub(r"\\\|", "", line), f"line {number}: a bar outside of a table")
            continue
        cells = split_row(line)
        if not width:
            check(lines[number - 1] == "", f"line {number}: no blank line before a table")
            check(re.fullmatch(r"(\|--[-:])+\|", lines[number + 1]), f"line {number}: no rule")
            width = len(cells)
        check(len(cells) == width, f"line {number}: {len(cells)} cells and not {width}")
        rows.append(cells)
    check("<" not in text and ">" not in text, "HTML in Markdown")
    check(not re.search(r"(?<!\\)\[[^\]]*(?<!\\)\]\(", text), "a link in Markdown")
    return rows


NUMBER = (int, float)


def check_types(value, wanted, where):
    """Checks the type of a value. wanted: a type, None for null, a tuple of alternatives,
    [members], or {key: wanted}."""
    if isinstance(wanted, dict):
        check(isinstance(value, dict), f"{where} is no object")
        for key, inner in wanted.items():
            check(key in value, f"{where} has no {key}")
            check_types(value[key], inner, f"{where}.{key}")
    elif isinstance(wanted, list):
        check(isinstance(value, list), f"{where} is no list")
        for i, item in enumerate(value):
            check_types(item, wanted[0], f"{where}[{i}]")
    else:
        kinds = wanted if isinstance(wanted, tuple) else (wanted,)
        plain = tuple(kind for kind in kinds if kind is not None)
        check((value is None and None in kinds) or isinstance(value, plain),
              f"{where} is {value!r}")


RANGE = {"lo": (*NUMBER, None), "mid": (*NUMBER, None), "hi": (*NUMBER, None)}
CHOICE = {"variant": str, "predicted_s": NUMBER, "gain": NUMBER, "lo": (*NUMBER, None),
          "hi": (*NUMBER, None), "lo_s": (*NUMBER, None), "hi_s": (*NUMBER, None),
          "chance": (*NUMBER, None), "measured_s": (*NUMBER, None),
          "measured_gain": (*NUMBER, None), "measured_lo": (*NUMBER, None),
          "measured_hi": (*NUMBER, None), "missed": bool, "bound": (str, None),
          "terms": [{"unit": str, "alone_s": NUMBER, "added_s": NUMBER}],
          "rewrite": {"kernels": int, "structs": int, "source_lines": int, "host_lines": int,
                      "by_hand": bool},
          "cost": (dict, None)}
COST = {"hours": RANGE, "cost": RANGE, "saving_a_month": RANGE, "break_even_runs": RANGE,
        "break_even_days": RANGE, "net_a_year": RANGE, "chance_a_year": (*NUMBER, None)}
TRACE = {"variant": str, "groups": str, "items": str,
         "kernels": [{"kernel": str, "launches": int, "sampled": NUMBER,
                      "counters": dict,
                      "accesses": [{"kind": str, "space": str, "bytes": int, "line": int,
                                    "executions": NUMBER, "transactions": NUMBER}]}]}
DOCUMENT = {
    "format": int, "tool": str, "date": str, "command": str, "leave_out": bool,
    "leave_out_unit": (str, None),
    "cost_options": {"hours": (*NUMBER, None), "hourly_rate": NUMBER, "gpu_hour": NUMBER,
              "runs_per_month": NUMBER, "passes": NUMBER, "gpus": NUMBER, "currency": (str, None)},
    "energy_options": (dict, None),
    "effort_rates": [{"name": str, "value": NUMBER, "what": str, "source": str}],
    "targets": [{"target": str, "gpu": str, "profile": dict,
                 "datasets": [{"name": str, "path": str, "rows": int, "provenance": (dict, None)}],
                 "validation": dict,
                 "programs": [{"program": str, "size": str, "basis": (str, None), "base": str,
                               "best": str, "candidate": str, "nakai": (str, None),
                               "choices": [CHOICE], "traces": list,
                               "money": (dict, None)}]}],
    "measured_gpus": [{"target": str, "profile": dict, "datasets": list}],
    "left_out": [{"target": str, "program": str, "reason": str}]}


def write_hostile(folder):
    """Writes datasets of a GPU that equal the H100's except for the name of the GPU and of one
    program."""
    for ending in ("", "-trace"):
        with open(os.path.join(ROOT, "datasets", f"h100{ending}.csv"), newline="",
                  encoding="utf-8") as file:
            rows = list(csv.reader(file))
        at = {name: i for i, name in enumerate(rows[0])}
        for row in rows[1:]:
            row[at["device"]] = "evil"
            if row[at["program"]] == "aes128":
                row[at["program"]], row[at["kernel"]] = HOSTILE, HOSTILE + row[at["kernel"]]
        with open(os.path.join(folder, f"evil{ending}.csv"), "w", newline="",
                  encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        with open(os.path.join(folder, f"evil{ending}.json"), "w", encoding="utf-8") as file:
            json.dump({"format": 1, "device": {"id": "evil"},
                       "runs": [{"date": "2026-01-01T00:00:00Z", "tool": HOSTILE,
                                 "command": HOSTILE, "driver": HOSTILE}]}, file)
    with open(os.path.join(ROOT, "datasets", "devices.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    for name, column in (("evil", 1),):
        row = list(next(r for r in rows if r[0] == "h100"))
        row[0], row[column], row[-1] = name, HOSTILE, HOSTILE
        rows.append(row)
    with open(os.path.join(folder, "devices.csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def test_formats(folder):
    """Makes reports of two GPUs, one of them with hostile names, as HTML, JSON and Markdown."""
    path = os.path.join(folder, "report.html")
    words = ["--datasets", folder, "--target", "h100", "--target", "evil", "--program", "sobel3x3",
             "--size", SIZE, "--currency", "<b>E</b>", "--rate", "100", "--runs", "1e6"]
    code, out, errors = run(*words, "-o", path, "--json")
    check(code == 0, f"code {code}: {errors}")
    document = json.loads(out)
    check_types(document, DOCUMENT, "the document")
    check(document["format"] == 2, "another format")
    check([t["target"] for t in document["targets"]] == ["h100", "evil"], "other targets")
    check("--currency <b>E</b>" in document["command"], f"the command is {document['command']}")
    for target in document["targets"]:
        program = target["programs"][0]
        check(program["size"] == SIZE, "another size")
        for trace, variant in zip(program["traces"], (program["base"], program["candidate"])):
            check_types(trace, TRACE, "a trace")
            check(trace["variant"] == variant, f"the trace is of {trace['variant']}")
            check(len(trace["kernels"][0]["accesses"]) > 0, "a trace without accesses")
        validation = target["validation"]
        check(validation["n"] == len(validation["samples"]) > 100, "another number of samples")
        names = [c["variant"] for c in program["choices"]]
        check(sorted(names) == ["local", "nolocal", "shared"], f"versions are {names}")
    names = {s["program"] for s in document["targets"][1]["validation"]["samples"]}
    check(HOSTILE in names, "the hostile program is not in the JSON")
    check(document["targets"][1]["datasets"][0]["provenance"]["runs"][0]["tool"] == HOSTILE,
          "no provenance")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    check(near(document, {**check_html(page), "date": document["date"]}), "the page has other numbers than the JSON")
    check("<script>window.hostile" not in page, "a hostile name is not escaped in the page")


def time_texts(seconds, lo, hi):
    """Formats a time and its interval as the report does: three digits if both ends are within 10 %,
    else two."""
    digits = 3 if lo >= 0.9 * seconds and hi <= 1.1 * seconds else 2
    unit, factor = next(((u, f) for u, f in (("s", 1), ("ms", 1e3), ("us", 1e6)) if f * seconds >= 0.9995), ("ns", 1e9))

    def text(value):
        power = math.floor(math.log10(value))
        value = round(value / 10 ** (power - digits + 1)) * 10 ** (power - digits + 1)
        return f"{value:.{max(0, digits - 1 - math.floor(math.log10(value) + 1e-9))}f}"
    return f"{text(factor * seconds)} {unit}", f"{text(factor * lo)} to {text(factor * hi)} {unit}"


def check_ranking(target, rows):
    """The table of versions has the numbers of the JSON."""
    program = target["programs"][0]
    notes = {program["base"]: " (as it is)", program["best"]: " (proposed)"}
    if program["base"] == program["best"]:
        notes = {program["base"]: " (as it is; proposed)"}
    for choice in program["choices"]:
        gain = f"{choice['gain']:.2f}\u00d7"
        if choice["variant"] != program["base"]:
            gain += f" ({choice['lo']:.2f}\u00d7 to {choice['hi']:.2f}\u00d7)"
        time, interval = time_texts(choice["predicted_s"], choice["lo_s"], choice["hi_s"])
        start = [choice["variant"] + notes.get(choice["variant"], ""), f"{time} ({interval})", gain]
        check(start in [row[:3] for row in rows],
              f"Markdown has no row {start}, but {[r for r in rows if r[0] == start[0]]}")


def test_markdown(folder):
    """Markdown has the numbers of the JSON."""
    path = os.path.join(folder, "report.md")
    code, out, errors = run("--datasets", folder, "--target", "h100", "--program", "sobel3x3",
                            "--size", SIZE, "--rate", "100", "--runs", "1e6", "-o", path, "--json")
    check(code == 0, f"code {code}: {errors}")
    check(re.search(r"^\[\d/\d\] h100 sobel3x3: ", errors, re.M), f"no progress: {errors}")
    document = json.loads(out)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = check_markdown(text)
    check(text.startswith("# "), "no title")
    check_ranking(document["targets"][0], rows)
    check(f"{100 * document['targets'][0]['validation']['mape']:.1f} %" in text, "no mean error")


def test_without_rates(folder):
    """Without a rate the report says nothing about money, but it has the energy that is asked for."""
    path = os.path.join(folder, "plain.md")
    code, out, errors = run("--target", "h100", "--program", "sobel3x3", "--size", SIZE, "--runs", "1e6",
                            "--energy-price", "0.25", "-o", path, "--json")
    check(code == 0, f"code {code}: {errors}")
    document = json.loads(out)
    check(document["cost_options"] is None, "it has prices")
    check(document["energy_options"] == {"price": 0.25, "co2_g_a_kwh": None, "runs_per_month": 1e6, "currency": None},
          f"the prices of energy are {document['energy_options']}")
    program = document["targets"][0]["programs"][0]
    check(program["money"] is None, "it has money")
    check(all(choice["cost"] is None or list(choice["cost"]) == ["energy"] for choice in program["choices"]),
          "a version has a cost")
    energy = next(c for c in program["choices"] if c["variant"] == program["candidate"])["cost"]["energy"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for words in ("paid", "Does it pay", "Hours of work"):
        check(words not in text, f"the report has {words}")
    check(f"| {energy['joules']:.4g} | {energy['kwh_a_month']:.4g} | {energy['money_a_month']:.4g} |" in text, "no energy")


def test_profile(folder):
    """A GPU without measurements."""
    path = os.path.join(folder, "gtx980.json")
    code, out, errors = run("--target", "gtx980", "--program", "sobel3x3", "--size", SIZE, "--rate", "100", "-o", path)
    check(code == 0, f"code {code}: {errors}")
    check(out == path + "\n", f"it prints {out}")
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    target = document["targets"][0]
    check_types(document, DOCUMENT, "the document")
    check(target["programs"][0]["basis"] == "profile", "another basis")
    names = [os.path.basename(d["path"]) if "path" in d else d["name"] for d in target["datasets"]]
    check("missing" in target["validation"] and all("-trace" in name for name in names),
          f"gtx980 has been measured: {names}")
    check({"h100", "h200"} <= {gpu["target"] for gpu in document["measured_gpus"]}, "no H100")
    for choice in target["programs"][0]["choices"]:
        check(abs(sum(u["added_s"] for u in choice["terms"]) / choice["predicted_s"] - 1) < 1e-6,
              f"the units of {choice['variant']} do not add up")
        if choice["variant"] == target["programs"][0]["base"]:
            check(choice["cost"] is None, "the source as it is costs something")
        else:
            check_types(choice["cost"], COST, "a cost")
            check(0 <= choice["chance"] <= 1, f"the chance is {choice['chance']}")


def test_fixture(folder):
    """A hand-made report with hostile names."""
    subprocess.run([os.environ["PAGES"], folder], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "page0.html"), encoding="utf-8") as file:
        text = file.read()
    names = [c["variant"] for c in check_html(text)["targets"][0]["programs"][0]["choices"]]
    check(any("<img src=x onerror=window.hostile=2>" in name for name in names), "the hostile version is not there")
    check("<img" not in text and "<script>window" not in text, "a hostile name is not escaped in the page")
    with open(os.path.join(folder, "page0.md"), encoding="utf-8") as file:
        text = file.read()
    for told in ("1.31\u00d7 the speed of", "(measured; 90 % interval 1.27\u00d7 to 1.36\u00d7), which the prediction misses",
                 "gain 1.31\u00d7 (1.27\u00d7 to 1.36\u00d7), measured; the prediction misses it"):
        check(told in text, f"nothing says \"{told}\"")


def test_wrong(folder):
    """A wrong option gives one line and exit code 2, and nothing is written."""
    report = os.path.join(folder, "wrong.html")
    one = ["--target", "h100", "--program", "sobel3x3"]
    closed = os.path.join(folder, "closed")
    os.mkdir(closed, 0o500)
    # A path that is not a regular file is not replaced.
    pipe, link = os.path.join(folder, "pipe"), os.path.join(folder, "link")
    os.mkfifo(pipe)
    os.symlink("/proc/self/fd/1", link)
    for words, told in (
            (["-o", report], "--target is missing"),
            (one, "-o is missing"),
            (["--target", "gtx98o", "--program", "sobel3x3", "-o", report], "gtx980"),
            (["--target", "h100", "--program", "sobel", "-o", report], "sobel3x3"),
            (["--target", "h100", "--program", "copy", "-o", report], "nothing to advise"),
            ([*one, "--size", "17", "-o", report], "17"),
            ([*one, "--target", "h100", "-o", report], "twice"),
            ([*one, "-o", os.path.join(folder, "wrong.pdf")], ".html, .md or .json"),
            ([*one, "-o", report, "--format", "pdf"], "html, md or json"),
            ([*one, "-o", os.path.join(folder, "none", "wrong.html")], "-o"),
            ([*one, "-o", folder, "--format", "html"], "-o"),
            ([*one, "-o", pipe, "--format", "html"], "cannot be written"),
            ([*one, "-o", link, "--format", "html"], "cannot be written"),
            ([*one, "-o", report, "--instead", "h200"], "--target"),
            ([*one, "-o", report, "--leave-out", "sample"], "--leave-out"),
            (["--target", "h100", "--workload", os.path.join(folder, "no.ini"), "-o", report],
             "no.ini"),
            (["--target", "h100", "--workload", "x.ini", "--program", "idw", "-o", report],
             "one of them"),
            ([*one, "-o", report, "more"], "more")):
        before = sorted(os.listdir(folder))
        code, out, errors = run(*words)
        complaint = [line for line in errors.split("\n") if line and not line.startswith("[")]
        check(code == 2, f"{words}: code {code}: {errors}")
        check(len(complaint) == 1 and complaint[0].startswith("perfmodel"), f"{words}: {errors}")
        check(told in complaint[0], f"{words}: '{complaint[0]}' does not have '{told}'")
        check(not out, f"{words}: prints {out}")
        check(sorted(os.listdir(folder)) == before, f"{words}: leaves something")
    check(stat.S_ISFIFO(os.stat(pipe).st_mode) and os.path.islink(link), "a pipe or a link is replaced")
    if os.geteuid() != 0:
        code, _, errors = run(*one, "-o", os.path.join(closed, "wrong.html"))
        check(code == 2 and "cannot be written" in errors, f"a closed folder: {errors}")


def main():
    with tempfile.TemporaryDirectory(prefix="perfmodel-report.") as folder:
        test_wrong(folder)
        write_hostile(folder)
        test_formats(folder)
        test_markdown(folder)
        test_without_rates(folder)
        test_profile(folder)
        test_fixture(folder)
    print(f"{checks} checks")


main()
