#!/usr/bin/env python3
"""Compares traced counters with measured counters of the same GPU, sample by sample.

Usage: compare_counters.py MEASURED.csv COUNTED.csv [--markdown | --json] [--l2-bytes N] [--list N]

MEASURED is a dataset with counters of a GPU's hardware. COUNTED is a dataset with counters of the trace engine for the
same GPU. Samples with the same program, variant, size and kernel are compared. The relative difference of a counter is
|counted / measured - 1|. If both values are 0, the difference is 0. If only the measured value is 0, the difference is
infinite. Samples in which a counter is unknown in either dataset are left out for this counter, and the tables state
the number of compared samples. --markdown prints the tables of docs/results.md.

Exit code: 0 for any differences; 2, after a line on standard error, if an input or the command line is wrong.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import csv
import json
import math
import statistics
import sys

KEY = ("program", "variant", "size", "kernel")
# Counters that depend only on the executed code, so both datasets should have equal values.
# TOLERANCE: largest relative difference that counts as equal.
EXACT = ("gld_request", "gst_request", "shared_load", "shared_store", "barrier", "atomic")
TOLERANCE = 0.02
# Counters that depend on a model of the caches or of the compiler.
MODELLED = ("gld_sector", "gst_sector", "gld_tag", "gst_tag", "shared_wavefront",
            "l1_global_load_hit", "l1_global_load_miss", "l2_read_sector", "l2_write_sector",
            "l2_read_hit", "l2_read_miss", "branch", "divergent_branch", "local_load", "local_store",
            "inst_executed", "thread_inst_executed", "inst_fp32", "inst_fp64", "flop_fp32",
            "flop_fp64", "inst_int", "inst_special", "inst_conversion", "inst_control", "inst_memory")
# Columns of the breakdown that contain medians of relative differences.
BREAKDOWN = ("gld_sector", "gst_sector", "shared_wavefront", "inst_executed", "branch",
             "l2_read_sector", "l2_write_sector")
ALL_COUNTERS = frozenset(EXACT + MODELLED + ("dram_read_bytes", "dram_write_bytes"))


class BadInput(Exception):
    """An error of an input file, reported in one line."""


def number(text, path, line, column):
    """Returns the value of a cell; None if it is empty."""
    if text == "":
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise BadInput(f"{path}:{line}: {column} is \"{text[:40]}\", not a count")
    return value


def read(path):
    """Returns the samples of a dataset by key, each as {column: value or None}, and the names of
    the columns."""
    samples = {}
    try:
        with open(path, newline="", encoding="utf-8") as table:
            rows = csv.reader(table, strict=True)
            columns = next(rows, [])
            missing = [name for name in KEY if name not in columns]
            if missing:
                raise BadInput(f"{path}:1: no column {missing[0]}: this is no dataset")
            wanted = [name for name in columns if name in ALL_COUNTERS]
            for cells in rows:
                if len(cells) != len(columns):
                    raise BadInput(f"{path}:{rows.line_num}: {len(cells)} cells, the header has "
                                   f"{len(columns)}")
                row = dict(zip(columns, cells))
                key = tuple(row[name] for name in KEY)
                if key in samples:
                    raise BadInput(f"{path}:{rows.line_num}: {' '.join(key)} is there twice")
                samples[key] = {name: number(row[name], path, rows.line_num, name)
                                for name in wanted}
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path}: is no CSV text: {error}") from error
    return samples


def difference(measured, counted):
    """Returns the relative difference of a counter; None if one value is unknown."""
    if measured is None or counted is None:
        return None
    if measured == 0:
        return 0.0 if counted == 0 else math.inf
    return abs(counted - measured) / measured


def added(row, *names):
    """Returns the sum of several counters of a row; None if one is unknown."""
    values = [row.get(name) for name in names]
    return None if None in values else sum(values)


def hit_rate(row):
    """Returns the fraction of sectors of global loads that hit L1; None if there were no loads or a
    counter is unknown."""
    loads = added(row, "l1_global_load_hit", "l1_global_load_miss")
    return row["l1_global_load_hit"] / loads if loads else None


def quantile(values, share):
    """Returns the smallest value that at least the fraction `share` of the values does not
    exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


class Comparison:
    """Pairs of measured and traced samples, with statistics over some of the pairs."""

    def __init__(self, measured, counted, l2_bytes):
        self.pairs = {key: (row, counted[key]) for key, row in measured.items() if key in counted}
        self.only_measured = sorted(set(measured) - set(counted))
        self.only_counted = sorted(set(counted) - set(measured))
        self.l2_bytes = l2_bytes

    def differences(self, name, keys=None):
        """Returns {key: relative difference} of a counter over the samples (in `keys`) in which
        both values are known. Kernels without shared memory are left out for shared_wavefront,
        because an H100 counts at least one wavefront per warp even for them."""
        found = {key: difference(a.get(name), b.get(name)) for key, (a, b) in self.pairs.items()
                 if (keys is None or key in keys)
                 and (name != "shared_wavefront" or added(a, "shared_load", "shared_store"))}
        return {key: value for key, value in found.items() if value is not None}

    def exact(self, name, keys=None):
        """Returns the fraction of samples that are equal within TOLERANCE, and the number of
        samples."""
        found = self.differences(name, keys).values()
        equal = sum(value <= TOLERANCE for value in found)
        return {"counter": name, "samples": len(found), "equal": equal,
                "share": equal / len(found) if found else None}

    def spread(self, name, keys=None):
        """Returns the median and the 90 % quantile of a counter's relative differences."""
        found = list(self.differences(name, keys).values())
        return {"counter": name, "samples": len(found),
                "median": statistics.median(found) if found else None,
                "p90": quantile(found, 0.9) if found else None, "ratio": self.ratio(name)}

    def ratio(self, name):
        """Returns the median of counted / measured where measured is not 0. It shows the direction
        of the differences."""
        both = [(self.pairs[key][0][name], self.pairs[key][1][name])
                for key in self.differences(name)]
        found = [b / a for a, b in both if a]
        return statistics.median(found) if found else None

    def outliers(self):
        """Returns the samples in which a counter of EXACT differs by more than TOLERANCE."""
        return [{"counter": name, **dict(zip(KEY, key)), "measured": self.pairs[key][0][name],
                 "counted": self.pairs[key][1][name], "difference": value}
                for name in EXACT for key, value in self.differences(name).items()
                if value > TOLERANCE]

    def l1(self, keys=None):
        """Returns absolute differences of the L1 hit rate in percentage points."""
        rates = [(hit_rate(a), hit_rate(b)) for key, (a, b) in self.pairs.items()
                 if keys is None or key in keys]
        found = [100 * abs(a - b) for a, b in rates if a is not None and b is not None]
        return {"samples": len(found), "median_points": statistics.median(found) if found else None,
                "p90_points": quantile(found, 0.9) if found else None}

    def dram(self, keys=None):
        """Returns the relative difference of DRAM bytes, over samples that transfer more than twice
        the capacity of L2."""
        found = []
        for key, (a, b) in self.pairs.items():
            measured = added(a, "dram_read_bytes", "dram_write_bytes")
            counted = added(b, "dram_read_bytes", "dram_write_bytes")
            if (keys is None or key in keys) and measured is not None and counted is not None \
                    and measured > 2 * self.l2_bytes:
                found.append(difference(measured, counted))
        return {"samples": len(found), "median": statistics.median(found) if found else None,
                "p90": quantile(found, 0.9) if found else None}

    def breakdown(self):
        """Returns a row for each program and variant: fraction of equal samples for each counter of
        EXACT, and medians of relative differences for the others."""
        groups = {}
        for key in self.pairs:
            groups.setdefault(key[:2], set()).add(key)
        rows = []
        for (program, variant), keys in groups.items():
            row = {"program": program, "variant": variant, "samples": len(keys)}
            row.update({name: self.exact(name, keys)["share"] for name in EXACT})
            row.update({name: self.spread(name, keys)["median"] for name in BREAKDOWN})
            row["l1_points"] = self.l1(keys)["median_points"]
            row["dram"] = self.dram(keys)["median"]
            rows.append(row)
        return rows


def percent(value):
    """Formats a fraction as a percentage."""
    if value is None:
        return "-"
    return "inf" if math.isinf(value) else f"{100 * value:.1f} %"


def points(value):
    """Formats percentage points."""
    return "-" if value is None else f"{value:.1f}"


def unknown_note(total, rows):
    """Returns a note with the counters that could not be compared on all samples."""
    short = [f"{row['counter']} ({row['samples']} of {total})" for row in rows
             if row["samples"] < total]
    return "Unknown on one side, or not there, and left out: " + ", ".join(short) + "." \
        if short else ""


def tables(result, listed):
    """Yields (title, head, rows, note) of each table."""
    total = result["samples"]
    exact, spread = result["exact"], result["modelled"]
    yield (f"equal within {100 * TOLERANCE:.0f} %, {total} samples",
           ["counter", "samples", "equal", "share"],
           [[r["counter"], r["samples"], r["equal"], percent(r["share"])] for r in exact],
           unknown_note(total, exact))
    outliers = result["outliers"]
    if outliers:
        more = len(outliers) - listed
        yield ("differ by more than that", ["counter", *KEY, "measured", "counted", "difference"],
               [[r["counter"], *(r[k] for k in KEY), f"{r['measured']:.0f}", f"{r['counted']:.0f}",
                 percent(r["difference"])] for r in outliers[:listed]],
               f"And {more} more." if more > 0 else "")
    yield ("relative difference", ["counter", "samples", "median difference", "90th percentile",
                                   "traced / measured, median"],
           [[r["counter"], r["samples"], percent(r["median"]), percent(r["p90"]),
             "-" if r["ratio"] is None else f"{r['ratio']:.3f}"] for r in spread
            if r["samples"]], unknown_note(total, spread))
    l1, dram = result["l1_hit_rate"], result["dram"]
    yield ("caches", ["quantity", "samples", "median difference", "90th percentile"],
           [["L1 hit rate of global loads, points", l1["samples"], points(l1["median_points"]),
             points(l1["p90_points"])],
            [f"DRAM bytes, where more than {2 * result['l2_bytes']} are measured", dram["samples"],
             percent(dram["median"]), percent(dram["p90"])]], "")
    short = [name for name in EXACT if any(r[name] is not None for r in result["breakdown"])]
    yield ("by program: shares of equal samples, then medians of differences",
           ["program", "variant", "samples", *short, *BREAKDOWN, "L1 points", "DRAM"],
           [[r["program"], r["variant"], r["samples"], *(percent(r[n]) for n in short),
             *(percent(r[n]) for n in BREAKDOWN), points(r["l1_points"]), percent(r["dram"])]
            for r in result["breakdown"]], "")


def print_markdown(parts):
    """Prints the tables in Markdown, as in docs/results.md."""
    for title, head, rows, note in parts:
        print(f"**{title[0].upper()}{title[1:]}**\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
        for row in rows:
            print(f"| {' | '.join(map(str, row))} |")
        print("\n" + (note + "\n" if note else ""))


def print_text(parts):
    """Prints the tables for a terminal."""
    for title, head, rows, note in parts:
        lines = [head, *([str(cell) for cell in row] for row in rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
        print(title)
        for line in lines:
            print("  " + "  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip())
        print("  " + note + "\n" if note else "")


def compare(arguments):
    """Returns all results of comparing the two datasets as one JSON-like object."""
    whole = Comparison(read(arguments.measured), read(arguments.counted), arguments.l2_bytes)
    if not whole.pairs:
        raise BadInput(f"{arguments.counted}: no sample is in {arguments.measured} too")
    return {"measured": arguments.measured, "counted": arguments.counted,
            "samples": len(whole.pairs), "l2_bytes": arguments.l2_bytes, "tolerance": TOLERANCE,
            "only_measured": [" ".join(key) for key in whole.only_measured],
            "only_counted": [" ".join(key) for key in whole.only_counted],
            "exact": [whole.exact(name) for name in EXACT], "outliers": whole.outliers(),
            "modelled": [whole.spread(name) for name in MODELLED],
            "l1_hit_rate": whole.l1(), "dram": whole.dram(), "breakdown": whole.breakdown()}


def without_infinity(value):
    """JSON has no infinity: it becomes the text "inf"."""
    if isinstance(value, dict):
        return {key: without_infinity(member) for key, member in value.items()}
    if isinstance(value, list):
        return [without_infinity(member) for member in value]
    return "inf" if isinstance(value, float) and math.isinf(value) else value


def natural(text):
    """Parses a whole number of the command line, which must be 0 or more."""
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def parse():
    """Parses the command line. argparse exits with code 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", maxsplit=1)[0],
        epilog="Example: compare_counters.py datasets/h100.csv h100-trace.csv --markdown")
    parser.add_argument("measured", metavar="MEASURED.csv")
    parser.add_argument("counted", metavar="COUNTED.csv")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="tables for docs/results.md")
    form.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--l2-bytes", type=natural, default=52428800, metavar="N",
                        help="L2 of the GPU; default: 50 MiB, an H100's")
    parser.add_argument("--list", type=natural, default=1000, metavar="N",
                        help="name at most N samples that differ")
    return parser.parse_args()


def main():
    """Returns 0, or 2 after a line on standard error."""
    arguments = parse()
    try:
        result = compare(arguments)
    except BadInput as error:
        print(f"compare_counters: {error}", file=sys.stderr)
        return 2
    for what, path in (("only_measured", arguments.counted), ("only_counted", arguments.measured)):
        if result[what]:
            print(f"compare_counters: {len(result[what])} samples are not in {path}: "
                  f"{', '.join(result[what][:4])}{' ...' if len(result[what]) > 4 else ''}",
                  file=sys.stderr)
    if arguments.json:
        print(json.dumps(without_infinity(result), indent=1))
    elif arguments.markdown:
        print_markdown(tables(result, arguments.list))
    else:
        print_text(tables(result, arguments.list))
    return 0


if __name__ == "__main__":
    sys.exit(main())
