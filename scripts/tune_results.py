#!/usr/bin/env python3
"""Compares the versions that `perfmodel tune` ranks first with the fastest version of a space whose times are all known.

    tune_results.py cache TABLE.csv COLUMN -o CACHE.json [--parameters NAME=COLUMN,...] [--kernel NAME]
    tune_results.py table RANKING.json CACHE.json [RANKING.json CACHE.json ...] [--strategies NAME,...] [--repeats N]
    tune_results.py elsewhere CACHE.json...

`cache` writes a cache file of Kernel Tuner. Its input is a table with a column for each parameter and a column of times (in
milliseconds; in microseconds or seconds if the column is named time_us or time_s), or a dataset of perfmodel whose variants are
versions (tune:NAME=VALUE,...).
`table` reads the output of `perfmodel tune --json` and such a cache file. It prints the fraction of the best performance that is
reached after k runs in different orders: the order that `perfmodel tune` recommends, random order (the expected value)
and, if Kernel Tuner is installed, the order of its strategies in simulation mode (the mean over --repeats). Each space has a row, and
the last row has the means over spaces.
`elsewhere` prints the same fraction for another order: by the versions' mean log time in the other cache files.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import contextlib
import csv
import io
import json
import math
import pathlib
import random
import statistics
import sys

RUNS = (1, 5, 10, 50)
UNITS = {"time_s": 1e3, "time_us": 1e-3}


class BadInput(Exception):
    """An error of an input file, reported in one line."""


# ---- measured times --------------------------------------------------------------------------------------------------------

def versions_of_dataset(rows):
    """Returns (values by name, milliseconds) of the versions of a dataset of perfmodel. The time is
    the sum over a version's kernels, which run one after another."""
    times = {}
    for row in rows:
        if row["variant"].startswith("tune:"):
            times[row["variant"]] = times.get(row["variant"], 0) + float(row["time_s"]) * 1e3
    for variant, time in times.items():
        yield {name: int(value) for name, value in (pair.split("=") for pair in variant[5:].split(","))}, time


def versions_of_table(rows, column, names):
    """Returns (values by name, milliseconds) of the versions of a table with a column per
    parameter. A version that was measured several times has the median; a version without a time
    has failed."""
    times = {}
    for row in rows:
        found = times.setdefault(tuple(int(float(row[names[name]])) for name in names), [])
        if row[column]:
            found.append(float(row[column]) * UNITS.get(column, 1))
    for key, all_times in times.items():
        yield dict(zip(names, key)), statistics.median(all_times) if all_times else "RuntimeFailedConfig"


def cache_of(versions, device, kernel):
    """Returns the document of a Kernel Tuner cache file."""
    versions = list(versions)
    if not versions:
        raise BadInput("the table has no version with a time")
    names = list(versions[0][0])
    return {"device_name": device, "kernel_name": kernel, "tune_params_keys": names,
            "tune_params": {name: sorted({values[name] for values, _ in versions}) for name in names}, "objective": "time",
            "cache": {",".join(str(values[name]) for name in names):
                      {**values, "time": time, "times": [], "compile_time": 0, "verification_time": 0, "benchmark_time": 0,
                       "strategy_time": 0, "framework_time": 0} for values, time in versions}}


def make_cache(options):
    """Writes a Kernel Tuner cache file."""
    with open(options.table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or options.column not in rows[0]:
        raise BadInput(f"{options.table}: it has no column {options.column}")
    if "variant" in rows[0]:
        versions = versions_of_dataset(rows)
    else:
        names = {c: c for c in rows[0] if not c.startswith("time")}
        if options.parameters:
            names = dict(pair.split("=") if "=" in pair else (pair, pair) for pair in options.parameters.split(","))
        versions = versions_of_table(rows, options.column, names)
    document = cache_of(versions, options.column, options.kernel)
    pathlib.Path(options.output).write_text(json.dumps(document), encoding="utf-8")
    print(f"{options.output}: {len(document['cache'])} versions")


# ---- fraction of the best that a number of runs reaches --------------------------------------------------------------------

def times_of(cache):
    """Returns the milliseconds by key of the versions that ran."""
    return {key: entry["time"] for key, entry in cache["cache"].items() if isinstance(entry["time"], (int, float))}


def reached_by_ranking(ranking, cache):
    """Returns the fraction of the best performance reached after each number of runs. A version
    without a time in the cache counts as a run."""
    times, names = times_of(cache), cache["tune_params_keys"]
    choices = {choice["variant"]: choice for choice in ranking["choices"]}
    # first the versions to run first, then all others
    ordered = dict.fromkeys([*ranking["first"], *choices])
    order = [times.get(",".join(str(choices[variant]["parameters"][name]) for name in names)) for variant in ordered]
    best = min(times.values())
    return [best / min((t for t in order[:k] if t), default=float("inf")) for k in RUNS]


def reached_at_random(cache):
    """Returns the expected fraction for random order: sums over the chance that the i-th fastest of
    n versions is the fastest of k drawn ones."""
    times = sorted(times_of(cache).values())
    n, best = len(times), min(times_of(cache).values())
    found = []
    for k in RUNS:
        none, mean = 1.0, 0.0
        for i, time in enumerate(times):
            if n - i < k:
                break
            chance = none * k / (n - i)  # chance that version i is the fastest drawn
            mean += chance * best / time
            none *= 1 - k / (n - i)
        found.append(mean)
    return found


def reached_by_strategy(path, cache, strategy, repeats):
    """Returns the mean fraction that a strategy of Kernel Tuner reaches in simulation mode, over
    several repeats, by the order in which it ran the versions."""
    import kernel_tuner  # pylint: disable=import-outside-toplevel,import-error
    import numpy  # pylint: disable=import-outside-toplevel
    keys, names, best = set(cache["cache"]), cache["tune_params_keys"], min(times_of(cache).values())

    def is_there(values):
        return ",".join(str(values[name]) for name in names) in keys

    found = []
    for repeat in range(repeats):
        random.seed(repeat)
        numpy.random.seed(repeat)
        with contextlib.redirect_stdout(io.StringIO()):
            results, _ = kernel_tuner.tune_kernel(
                cache["kernel_name"], f"void {cache['kernel_name']}() {{}}", (1,), [], cache["tune_params"], restrictions=is_there,
                cache=str(path), lang="OpenCL", simulation_mode=True, strategy=strategy, quiet=True,
                strategy_options={"max_fevals": max(RUNS)})
        order = list(dict.fromkeys(",".join(str(result[name]) for name in names) for result in results))
        ran = [cache["cache"][key]["time"] for key in order]
        found.append([best / min((t for t in ran[:k] if isinstance(t, (int, float))), default=float("inf")) for k in RUNS])
    return [statistics.mean(column) for column in zip(*found)]


def logarithms_of(cache):
    """Returns the logarithm of time over fastest time by version. A failed version has the longest
    time."""
    times = {frozenset((name, entry[name]) for name in cache["tune_params_keys"]): entry["time"] for entry in cache["cache"].values()}
    ran = [time for time in times.values() if isinstance(time, (int, float)) and time > 0]
    if not ran:
        raise BadInput(f"a cache of {cache['kernel_name']} has no time")
    return {key: math.log(time if isinstance(time, (int, float)) and time > 0 else max(ran)) - math.log(min(ran)) for key, time in times.items()}


def reached_by_others(cache, others):
    """Returns the fraction reached if versions run in the order of their mean log time in other
    caches. A version that another cache lacks has that cache's mean."""
    own, score = logarithms_of(cache), {}
    for other in map(logarithms_of, others):
        mean = statistics.mean(other.values())
        for key in own:
            score[key] = score.get(key, 0) + other.get(key, mean)
    order = [own[key] for key in sorted(own, key=score.get)]
    return [math.exp(-min(order[:k])) for k in RUNS]


def row_of(name, way, fractions):
    """Returns a row of the Markdown table."""
    return f"| {name} | {way} | " + " | ".join(f"{100 * f:.1f} %" for f in fractions) + " |"


def print_table(options):
    """Prints a row for each space and each order of runs, then the means."""
    if len(options.files) % 2:
        raise BadInput("RANKING.json and CACHE.json come in pairs")
    found = {}
    print("| space | runs | " + " | ".join(map(str, RUNS)) + " |\n|---|---|" + "---|" * len(RUNS))
    for ranking_path, cache_path in zip(options.files[::2], options.files[1::2]):
        ranking, cache = (json.loads(pathlib.Path(p).read_text(encoding="utf-8")) for p in (ranking_path, cache_path))
        ways = {"run first": reached_by_ranking(ranking, cache), "at random": reached_at_random(cache)}
        for strategy in filter(None, options.strategies.split(",")):
            ways[strategy] = reached_by_strategy(cache_path, cache, strategy, options.repeats)
        for way, fractions in ways.items():
            found.setdefault(way, []).append(fractions)
            print(row_of(f"{ranking['program']}, {ranking['target']}", way, fractions), flush=True)
    for way, rows in found.items():
        print(row_of(f"mean of {len(rows)}", way, [statistics.mean(column) for column in zip(*rows)]))


def print_elsewhere(options):
    """Prints a row for each cache, then the mean."""
    caches = [(path, json.loads(pathlib.Path(path).read_text(encoding="utf-8"))) for path in options.files]
    for path, cache in caches:
        if not {"kernel_name", "tune_params_keys", "cache"} <= set(cache):
            raise BadInput(f"{path}: no cache file of Kernel Tuner")
    found = []
    print("| space | " + " | ".join(map(str, RUNS)) + " |\n|---|" + "---|" * len(RUNS))
    for path, cache in caches:
        others = [other for _, other in caches if other is not cache and other["kernel_name"] == cache["kernel_name"]]
        if not others:
            raise BadInput(f"{path}: no other cache is of {cache['kernel_name']}")
        found.append(reached_by_others(cache, others))
        print(f"| {pathlib.Path(path).name} | " + " | ".join(f"{100 * f:.1f} %" for f in found[-1]) + " |")
    print(f"| mean of {len(found)} | " + " | ".join(f"{100 * statistics.mean(column):.1f} %" for column in zip(*found)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    cache = commands.add_parser("cache")
    cache.add_argument("table")
    cache.add_argument("column")
    cache.add_argument("-o", "--output", required=True)
    cache.add_argument("--parameters", default="")
    cache.add_argument("--kernel", default="kernel")
    cache.set_defaults(work=make_cache)
    table = commands.add_parser("table")
    table.add_argument("files", nargs="+")
    table.add_argument("--strategies", default="")
    table.add_argument("--repeats", type=int, default=10)
    table.set_defaults(work=print_table)
    elsewhere = commands.add_parser("elsewhere")
    elsewhere.add_argument("files", nargs="+")
    elsewhere.set_defaults(work=print_elsewhere)
    options = parser.parse_args()
    try:
        options.work(options)
    except (BadInput, OSError, json.JSONDecodeError) as error:
        print(f"tune_results.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
