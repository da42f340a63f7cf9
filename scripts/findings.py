#!/usr/bin/env python3
"""Compares measurements of four papers (datasets/published.csv) with perfmodel's predictions, as Markdown.

perfmodel does not learn from the times of the papers. `perfmodel trace` traces each kernel by a GPU's rules to get its
counters. `perfmodel predict --target` predicts times from these counters, from the GPU's row of devices.csv, and by a
model that is fitted to measurements of other programs or GPUs. The script prints the tables and writes them to
docs/findings.md. scripts/findings.sh runs this script with the perfmodel of the build folder.

Usage: scripts/findings.py [--perfmodel PATH] [--published FILE] [--output FILE] [--particles N] [--order N]
                           [--only takada|kamiya|nakai|shimada]... [--leave-out program]
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import particles
import points

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TOLERANCE = 30  # largest deviation from Kamiya's ratio, in percent of the ratio
# Gains smaller than this number of percentage points count as a tie, without a sign.
TIE = 0.5
# Largest difference in percentage points of gains that count as nearly equal.
STEADY = 10
STEADY_SIZES = ["100000", "500000", "800000"]
# The layouts of Takada's figures 8 and 9; first the layouts without alignment.
UNALIGNED = ["aos", "soa", "4-4-3", "3-3-3-2", "8-3"]
LAYOUTS = UNALIGNED + ["aos-align", "4-4-3-align", "3-3-3-2-align", "8-3-align"]
# Layouts that the method of Nakai and Ohno chooses for programs of the suite (docs/layout.md), and
# the sizes at which they are compared. The paper does not give its sizes.
NAKAI = {"sph": ("8-3-align", "800000"),
         "idw": ("aos-align", "10240"),
         "particlefilter": ("cluster-align:cdf/x+y+xj+yj+weight+likelihood+u+seed", "8192"),
         "cfd": ("soa", "98304")}
WIDTHS = ["float", "float2", "float4", "float8", "float16"]
COPY_MIB = "128"
# Programs that are not in the suite. WORKLOADS has their workload files. WRITTEN has modules that
# write a workload for a variant and size. They have names of their own (NAMES), because times of
# the suite's program with the same name are for other code.
WORKLOADS = {"matmul_rows": HERE / "findings" / "matmul_rows.workload",
             "inverse": HERE / "findings" / "inverse_columns.workload"}
WRITTEN = {"sph": particles, "idw": points}
NAMES = {"inverse": "inverse_columns"} | {program: module.NAME for program, module in WRITTEN.items()}

Claim = collections.namedtuple("Claim", "source gpu program size what published predicted right points note")


class Failed(Exception):
    """A prediction failed; the text is the reason."""


class Predictions:
    """Times predicted by perfmodel. Each version is traced only once."""

    def __init__(self, arguments):
        self.arguments, self.known = arguments, {}

    def run(self, *words):
        """Runs a command of perfmodel and returns its JSON output."""
        command = [self.arguments.perfmodel, *map(str, words), "--json"]
        done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Failed((done.stderr.strip() or "failed").splitlines()[-1].removeprefix("perfmodel: "))
        return json.loads(done.stdout)

    def times(self, gpu, program, size, variants):
        """Returns {variant: predicted seconds, summed over its kernels}."""
        missing = [v for v in variants if (gpu, program, size, v) not in self.known]
        if missing:
            self.predict(gpu, program, size, missing)
        times = {v: self.known[gpu, program, size, v] for v in variants}
        for time in times.values():
            if isinstance(time, Failed):
                raise time
        return times

    def predict(self, gpu, program, size, variants):
        """Traces and predicts versions of a program. Stores the predictions, or the error if they
        fail."""
        print(f"findings: {gpu} {program} {size}: {' '.join(variants)}", file=sys.stderr, flush=True)
        sums = collections.Counter()
        name = NAMES.get(program, program)
        try:
            with tempfile.TemporaryDirectory() as folder:
                rows = [row for variant in variants for row in self.trace(gpu, program, size, variant)]
                write_dataset(pathlib.Path(folder) / f"{gpu}-trace.csv", rows)
                words = ["--leave-out", "program"] if self.arguments.leave_out else []
                predicted = self.run("predict", "--target", gpu, "--datasets", folder, *words)
            if predicted["basis"] != "profile":
                raise Failed(f"{gpu} has a dataset: not from its profile alone")
            for row in predicted["predictions"]:
                if (row["program"], row["size"]) == (name, size):
                    sums[row["variant"]] += row["predicted_s"]
        except Failed as why:
            for variant in variants:
                self.known[gpu, program, size, variant] = why
        else:
            for variant in variants:
                self.known[gpu, program, size, variant] = (
                    sums[variant] if sums[variant] > 0 else Failed(f"{variant}: no prediction"))

    def trace(self, gpu, program, size, variant):
        """Returns one row of a dataset for each kernel, with counters by the rules of the GPU."""
        with tempfile.TemporaryDirectory() as folder:
            if program in WRITTEN:
                what = ["--workload", WRITTEN[program].write_workload(pathlib.Path(folder), variant, int(size))]
            else:
                what = ["--workload", WORKLOADS[program]] if program in WORKLOADS else ["--program", program]
                what += ["--variant", variant]
            traced = self.run("trace", "--target", gpu, *what, "--size", size)
        for kernel in traced["kernels"]:
            row = {"device": gpu, "program": NAMES.get(program, program),
                   "variant": variant, "size": size, "kernel": kernel["kernel"],
                   "counter_source": "trace", "time_s": "", "launches": kernel["launches"]}
            for name, counter in kernel["counters"].items():
                row[name], row[f"{name}_se"] = counter["value"], counter["error"]
            yield row


def write_dataset(path, rows):
    """Writes a dataset of traced rows."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns.sort(key=lambda name: name.endswith("_se"))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def gain(times, variant, base):
    """Returns the gain of a variant over the base in percent."""
    return 100 * (times[base] / times[variant] - 1)


def sign(percent):
    """Returns the sign of a gain: -1, 0 or 1. 0 is a tie."""
    return 0 if abs(percent) < TIE else math.copysign(1, percent)


def claim(row, published, predicted, right, points=None, note="", size=None):
    """Returns a claim made of a row of the published figures."""
    return Claim(row["source"], row["device"], row["program"], size or row["size"], describe(row), published, predicted,
                 right, points, note)


def describe(row):
    """Describes a row of the published figures in words."""
    quantity = row["quantity"]
    if quantity.startswith("gain_over_"):
        return f"`{row['variant']}` over `{quantity.removeprefix('gain_over_')}`" if row["variant"] else quantity
    return {"rank": f"`{row['variant']}` is the fastest",
            "rank_unaligned": f"`{row['variant']}` is the fastest that is not aligned"}.get(quantity, quantity)


# ---- Takada and Ohno 2016 ------------------------------------------------------------------------------------------

def takada(rows, predictions, arguments):
    """Yields a claim for each published gain over aos and each published order of layouts on a
    GPU."""
    told = set()
    for row in rows:
        key = row["device"], row["variant"], row["quantity"]
        if row["program"] != "sph" or not row["device"] or key in told:
            continue
        told.add(key)
        size = arguments.particles or row["size"]
        if row["quantity"].startswith("gain_over_") and row["size"].isdigit():
            yield gain_claim(row, predictions, size)
        elif row["quantity"] in ("rank", "rank_unaligned"):
            yield rank_claim(row, predictions, size, UNALIGNED if row["quantity"] == "rank_unaligned" else LAYOUTS)
        elif row["quantity"] == "gain_over_aos_growth":
            yield steady_claim(row, predictions, [arguments.particles] if arguments.particles else STEADY_SIZES)


def gain_claim(row, predictions, size):
    """Claims that a layout is faster or slower than another by the published percentage."""
    value, base = float(row["value"]), row["quantity"].removeprefix("gain_over_")
    numeric = row["unit"] == "%"
    published = f"{value:+.0f} %" if numeric else ("faster" if value > 0 else "slower")
    try:
        predicted = gain(predictions.times(row["device"], row["program"], size, LAYOUTS), row["variant"], base)
    except Failed as why:
        return claim(row, published, "", None, note=str(why), size=size)
    return claim(row, published, f"{predicted:+.1f} %", sign(predicted) == math.copysign(1, value),
                 predicted - value if numeric else None, size=size)


def steady_claim(row, predictions, sizes):
    """Claims that a gain is nearly the same at all sizes."""
    what = f"`{row['variant']}` gains nearly the same at all sizes"
    try:
        gains = [gain(predictions.times(row["device"], row["program"], size, ["aos", row["variant"]]), row["variant"],
                      "aos") for size in sizes]
    except Failed as why:
        return claim(row, "yes", "", None, note=str(why))._replace(what=what)
    return claim(row, "yes", ", ".join(f"{g:+.1f}" for g in gains) + " %",
                 max(gains) - min(gains) <= STEADY)._replace(what=what)


def rank_claim(row, predictions, size, versions):
    """Claims that a version is the fastest of several."""
    try:
        times = predictions.times(row["device"], row["program"], size, versions)
    except Failed as why:
        return claim(row, "fastest", "", None, note=str(why), size=size)
    best = min(versions, key=times.get)
    slower = 100 * (times[row["variant"]] / times[best] - 1)
    return claim(row, "fastest", "fastest" if best == row["variant"] else f"{slower:.1f} % slower than `{best}`",
                 best == row["variant"], size=size)


# ---- Nakai and Ohno 2017 -------------------------------------------------------------------------------------------

def nakai(rows, predictions, arguments):
    """Yields claims on the method's choices: whether each is the fastest of itself, aos and soa,
    and their largest gain over soa."""
    choices = NAKAI | ({"sph": (NAKAI["sph"][0], arguments.particles)} if arguments.particles else {})
    for row in rows:
        if row["quantity"] == "chosen_is_best":
            yield chosen_claim(row, predictions, *choices[row["program"]])
        elif row["quantity"] == "gain_over_soa_most":
            yield most_claim(row, predictions, choices)


def chosen_claim(row, predictions, chosen, size):
    """Claims that the method's choice is the fastest, or that it is not."""
    wanted = row["value"] == "1"
    what = f"`{chosen}`, the method's choice, is faster than `aos` and `soa`"
    entry = row | {"size": size}
    try:
        times = predictions.times(row["device"], row["program"], size, sorted({"aos", "soa", chosen}))
    except Failed as why:
        return claim(entry, "yes" if wanted else "no", "", None, note=str(why))._replace(what=what)
    best = min(times, key=times.get)
    slower = 100 * (times[chosen] / times[best] - 1)
    return claim(entry, "yes" if wanted else "no", "yes" if best == chosen else f"no: `{best}` by {slower:.1f} %",
                 (best == chosen) == wanted)._replace(what=what)


def most_claim(row, predictions, choices):
    """Claims the largest gain of the method's choices over soa."""
    gains = {}
    value, what = float(row["value"]), "largest gain of the method's choice over `soa` among four programs"
    try:
        for program, (chosen, size) in choices.items():
            times = predictions.times(row["device"], program, size, sorted({"aos", "soa", chosen}))
            gains[program] = gain(times, chosen, "soa")
    except Failed as why:
        return claim(row, f"{value:+.0f} %", "", None, note=str(why))._replace(what=what)
    best = max(gains, key=gains.get)
    return claim(row, f"{value:+.0f} %", f"{gains[best]:+.1f} % ({best})", sign(gains[best]) > 0,
                 gains[best] - value)._replace(what=what)


# ---- Shimada et al. 2010 -------------------------------------------------------------------------------------------

def shimada(rows, predictions, _arguments):
    """Yields claims on which vector width copies fastest."""
    for row in rows:
        if row["program"] == "copy" and row["quantity"] == "rank" and row["device"]:
            yield rank_claim(row, predictions, COPY_MIB, WIDTHS)


# ---- Kamiya et al. 2013 --------------------------------------------------------------------------------------------

# predicted: {version: seconds}. It is empty if the prediction failed, and note is the reason.
Staging = collections.namedtuple("Staging", "gpu program size published predicted note")
# Versions with shared memory: the version that perfmodel generates, and the paper's code if the
# paper shows it.
VERSIONS = {"matmul_rows": ["shared", "figure14"], "inverse": ["shared"]}


def kamiya(rows, predictions, arguments):
    """Yields times without and with shared memory, published and predicted, for each GPU, program
    and size."""
    published = {(r["device"], r["program"], r["size"], r["variant"]): float(r["value"])
                 for r in rows if r["quantity"] == "time"}
    for gpu, program, size in dict.fromkeys(key[:3] for key in published):
        if arguments.order and size != arguments.order:
            continue
        pair = {v: published[gpu, program, size, v] for v in ("nolocal", "shared")}
        try:
            times = predictions.times(gpu, program, size, ["nolocal", *VERSIONS[program]])
            yield Staging(gpu, program, size, pair, times, "")
        except Failed as why:
            yield Staging(gpu, program, size, pair, {}, str(why))


# ---- Markdown ------------------------------------------------------------------------------------------------------

HEAD = """# Published findings, predicted

`scripts/findings.sh` made this page. The page compares figures of four papers with perfmodel's predictions.
[published.md](published.md) describes the figures, and the reasons for differences. perfmodel has no measurements of
its own on these GPUs. The model learns from times of other programs on them that others published
([datasets](datasets.md)), but from no figure of the four papers.

"A over B" is the gain of A: the time of B over that of A, minus 1. "Sign right" says whether the prediction has the
same direction as the paper. "Points" is the predicted minus the published gain, in percentage points.
"""


def yes(right):
    """Returns a cell for a bool; empty for None."""
    return "" if right is None else "yes" if right else "no"


def table(out, title, heads, lines):
    """Writes a Markdown table with a title."""
    print(f"\n## {title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}", file=out)
    for cells in lines:
        print(f"| {' | '.join(cells)} |", file=out)


def claim_table(out, title, claims):
    """Writes the table of the claims of one paper."""
    table(out, title, ["GPU", "program", "size", "finding", "published", "predicted", "sign right", "points"],
          [[c.gpu, c.program, c.size, c.what, c.published, c.predicted or f"not predicted: {c.note}", yes(c.right),
            "" if c.points is None else f"{c.points:+.1f}"] for c in claims])


def ratio(times, version="shared"):
    """Returns the time of a version over the time without shared memory, in percent; None if it is
    unknown."""
    return 100 * times[version] / times["nolocal"] if version in times else None


def off(staging, version="shared"):
    """Returns the relative error of the predicted ratio in percent."""
    return 100 * (ratio(staging.predicted, version) / ratio(staging.published) - 1)


def is_right(staging):
    """Returns whether prediction and paper agree that shared memory gains."""
    return (ratio(staging.predicted) < 100) == (ratio(staging.published) < 100)


def staging_table(out, title, stagings):
    """Writes the table of published and predicted times without and with shared memory, and their ratios."""
    lines = []
    for s in stagings:
        cells = [s.gpu, s.program, s.size, *(f"{s.published[v]:.4g}" for v in ("nolocal", "shared")),
                 f"{ratio(s.published):.1f} %"]
        if s.predicted:
            own = ratio(s.predicted, "figure14")
            cells += [f"{s.predicted['nolocal']:.4g}", f"{s.predicted['shared']:.4g}", f"{ratio(s.predicted):.1f} %",
                      f"{off(s):+.0f} %", yes(is_right(s)), f"{own:.1f} %" if own else ""]
        else:
            cells += [f"not predicted: {s.note}", "", "", "", "", ""]
        lines.append(cells)
    table(out, title, ["GPU", "program", "size", "published: without shared memory, s", "with, s", "with / without",
                       "predicted: without shared memory, s", "with, s", "with / without", "error of the ratio",
                       "sign right", "predicted: figure 14 / without"], lines)


def summary(out, claims, stagings):
    """Writes the summary: the number of findings with the right sign, and some findings by name."""
    known = [c.right for c in claims if c.right is not None]
    known += [is_right(s) for s in stagings if s.predicted]
    total = len(claims) + len(stagings)
    print("\n## Summary\n", file=out)
    print(f"- sign right: {sum(known)} of {len(known)} findings"
          + (f" ({100 * sum(known) / len(known):.0f} %)" if known else "")
          + (f"; {total - len(known)} of {total} were not predicted" if len(known) < total else ""), file=out)
    print("- two choices were made after we had seen the figures (published.md has the reasons): the loop of matmul_rows "
          "is unrolled, as by the paper's compiler; idw and inverse were written from the papers' texts, and are not "
          "the suite's programs", file=out)
    for c in claims:
        if c.what == "`aos-align` over `aos`":
            print(f"- aligned AoS, {c.gpu}: published {c.published}, predicted {c.predicted or 'nothing'}"
                  + (f", {c.points:+.1f} points" if c.points is not None else ""), file=out)
    for s in stagings:
        if s.size == "2048" and s.predicted:
            for version in VERSIONS[s.program]:
                print(f"- {s.program} 2048, {s.gpu}: time of `{version}` over that without shared memory: published "
                      f"{ratio(s.published):.1f} %, predicted {ratio(s.predicted, version):.1f} %, "
                      f"error {off(s, version):+.0f} %: "
                      f"{'within' if abs(off(s, version)) <= TOLERANCE else 'not within'} {TOLERANCE} %", file=out)


PAPERS = {"takada": (takada, "Takada and Ohno 2016"), "nakai": (nakai, "Nakai and Ohno 2017"),
          "shimada": (shimada, "Shimada et al. 2010")}


def write(out, arguments, rows, predictions):
    """Writes all tables. Returns whether everything was predicted."""
    claims, stagings = [], []
    print(HEAD, end="", file=out)
    for name, (find, title) in PAPERS.items():
        if name in arguments.only:
            found = list(find([r for r in rows if r["source"] == title], predictions, arguments))
            claim_table(out, title, found)
            claims += found
    if "kamiya" in arguments.only:
        stagings = list(kamiya([r for r in rows if r["source"] == "Kamiya et al. 2013"], predictions, arguments))
        staging_table(out, "Kamiya et al. 2013", stagings)
    summary(out, claims, stagings)
    return all(c.right is not None for c in claims) and all(s.predicted for s in stagings)


def main():
    """Reads the published figures, predicts them and prints the tables."""
    papers = [*PAPERS, "kamiya"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perfmodel", default="perfmodel")
    parser.add_argument("--published", type=pathlib.Path, default=ROOT / "datasets" / "published.csv")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "findings.md")
    parser.add_argument("--particles", help="of Takada's program; default: as published")
    parser.add_argument("--order", help="only this size of Kamiya's matrices; default: all")
    parser.add_argument("--only", action="append", choices=papers, help="findings of this paper; may be repeated")
    parser.add_argument("--leave-out", choices=["program"], help="by models that have seen the program on no GPU")
    arguments = parser.parse_args()
    arguments.only = arguments.only or papers
    with open(arguments.published, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    part = arguments.output.with_name(arguments.output.name + ".part")
    with open(part, "w", encoding="utf-8") as out:
        done = write(out, arguments, rows, Predictions(arguments))
    part.replace(arguments.output)
    print(arguments.output.read_text(encoding="utf-8"), end="")
    sys.exit(0 if done else 1)


if __name__ == "__main__":
    main()
