#!/usr/bin/env python3
"""perfmodel report as a user meets it: what the JSON has, that Markdown and HTML are well-formed and
say the same as it, that names from files stay text, and that wrong words are told in one line.

PERFMODEL and PAGES name the programs, as ctest sets them.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import html.parser
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

PERFMODEL = os.environ["PERFMODEL"]
HOSTILE = "<script>window.hostile=1</script>|\"'&*`[x](javascript:1)"
VOID = {"meta", "input", "wbr", "br", "link", "img", "hr", "path", "polygon"}
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
    """Parser that matches start and end tags, and collects the text of table cells and of
    scripts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.scripts, self.links, self.text = [], [], [], [], ""
        self.feed(text)
        self.close()
        check(not self.open, f"elements are left open: {self.open}")

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        check(len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}")
        check(not any(name.startswith("on") for name in names), f"<{tag}> has a handler")
        for name, value in attributes:
            if name in ("src", "href", "xlink:href", "action", "data"):
                self.links.append(value)
        if tag in VOID:
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        check(self.open and self.open[-1] == tag, f"</{tag}> ends {self.open[-1:]}")
        self.open.pop()

    def handle_data(self, data):
        if "script" in self.open:
            self.scripts[-1] += data
        elif "style" not in self.open:
            self.text += data
            if self.open and any(tag in ("td", "th") for tag in self.open):
                self.rows[-1][-1] += data


def check_html(text):
    page = Page(text)
    check(text.startswith("<!DOCTYPE html>\n<html lang="), "the HTML starts otherwise")
    check(len(page.scripts) == 2, f"{len(page.scripts)} scripts")
    json.loads(page.scripts[0])
    check(all(link.startswith("#") for link in page.links), f"links leave the page: {page.links}")
    check(not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", text.split("<body>")[0]),
          "the style asks for something")
    check("default-src 'none'" in text, "no policy keeps the network out")
    check("NaN" not in page.text and "-nan" not in page.text, "a number is nan")
    return page


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
TRACE = {"variant": str,
         "kernels": [{"kernel": str, "launches": int, "sampled": NUMBER,
                      "counters": dict,
                      "accesses": [{"kind": str, "space": str, "bytes": int, "line": int,
                                    "executions": NUMBER, "transactions": NUMBER}]}]}
DOCUMENT = {
    "format": int, "tool": str, "date": str, "command": str, "leave_out": bool,
    "leave_out_unit": (str, None),
    "cost_options": {"hours": (*NUMBER, None), "hourly_rate": NUMBER, "gpu_hour": NUMBER,
              "runs_per_month": NUMBER, "passes": NUMBER, "gpus": NUMBER, "currency": (str, None)},
    "targets": [{"target": str, "gpu": str, "profile": dict,
                 "datasets": [{"name": str, "path": str, "rows": int, "provenance": (dict, None)}],
                 "validation": dict,
                 "programs": [{"program": str, "size": str, "basis": (str, None), "base": str,
                               "best": str, "candidate": str, "nakai": (str, None),
                               "choices": [CHOICE], "traces": list}]}],
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
        page = check_html(file.read())
    check(HOSTILE in page.text, "the hostile name is not there as text")
    for target in document["targets"]:
        check_ranking(target, page.rows, "HTML", lambda a, b: a + b)


def time_text(seconds):
    """Formats a time as the report does, with four digits."""
    for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if factor * seconds >= 0.9995:
            return f"{factor * seconds:.4g} {unit}"
    return f"{1e9 * seconds:.4g} ns"


def check_ranking(target, rows, what, join):
    """The table of versions has the numbers of the JSON. join: function that joins a number and its
    interval."""
    program = target["programs"][0]
    notes = {program["base"]: " (as it is)", program["best"]: " (proposed)"}
    if program["base"] == program["best"]:
        notes = {program["base"]: " (as it is; proposed)"}
    for choice in program["choices"]:
        gain = f"{choice['gain']:.2f}\u00d7"
        if choice["variant"] != program["base"]:
            gain = join(gain, f"{choice['lo']:.2f}\u00d7 to {choice['hi']:.2f}\u00d7")
        start = [choice["variant"] + notes.get(choice["variant"], ""),
                 join(time_text(choice["predicted_s"]),
                      f"{time_text(choice['lo_s'])} to {time_text(choice['hi_s'])}"), gain]
        check(start in [row[:3] for row in rows],
              f"{what} has no row {start}, but {[r for r in rows if r[0] == start[0]]}")


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
    check_ranking(document["targets"][0], rows, "Markdown", lambda a, b: f"{a} ({b})")
    check(f"{100 * document['targets'][0]['validation']['mape']:.1f} %" in text, "no mean error")


def test_without_rates(folder):
    """Without a rate the report says nothing about money."""
    path = os.path.join(folder, "plain.html")
    code, out, errors = run("--target", "h100", "--program", "sobel3x3", "--size", SIZE, "--runs", "1e6", "-o", path,
                            "--json")
    check(code == 0, f"code {code}: {errors}")
    document = json.loads(out)
    check(document["cost_options"] is None, "it has prices")
    choices = document["targets"][0]["programs"][0]["choices"]
    check(all(choice["cost"] is None for choice in choices), "a version has a cost")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    for words in ("paid", "Does it pay", "hourly_rate", "data-live", "Hours of work"):
        check(words not in page, f"the page has {words}")


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
        page = check_html(file.read())
    check("<script>window.hostile=1</script>" in page.text, "the hostile name is not there")
    check("<img src=x onerror=window.hostile=2>" in page.text, "the hostile version is not there")
    for told in ("1.31\u00d7 the speed of", "(measured; 90 % interval 1.27\u00d7 to 1.36\u00d7), which the prediction misses",
                 "gain 1.31\u00d7 (1.27\u00d7 to 1.36\u00d7), measured; the prediction misses it"):
        check(told in page.text, f"nothing says \"{told}\"")


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


def test_no_gnuplot(folder):
    """Without gnuplot the report has no figures, but everything else."""
    tools = os.path.join(folder, "bin")
    os.mkdir(tools)
    path = os.path.join(folder, "plain.html")
    more = {**os.environ, "PATH": tools}
    for tool in ("clang-19", "clang"):
        found = shutil.which(tool)
        if found:
            os.symlink(found, os.path.join(tools, tool))
    code, _, errors = run("--target", "h100", "--program", "sobel3x3", "--size", SIZE, "--rate", "100", "-o", path,
                          env=more)
    check(code == 0, f"code {code}: {errors}")
    check("gnuplot" in errors, f"nothing tells that figures are missing: {errors}")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    check_html(text)
    check("<svg" not in text and "Not drawn" in text, "figures without gnuplot")


def main():
    with tempfile.TemporaryDirectory(prefix="perfmodel-report.") as folder:
        test_wrong(folder)
        write_hostile(folder)
        test_formats(folder)
        test_markdown(folder)
        test_without_rates(folder)
        test_profile(folder)
        test_fixture(folder)
        test_no_gnuplot(folder)
    print(f"{checks} checks")


main()
