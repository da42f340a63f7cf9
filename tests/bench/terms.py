#!/usr/bin/env python3
"""The units model, term by term: measured and predicted times of small kernels that are each bound by one unit
(tests/bench/terms/). On a machine with an NVIDIA GPU:

    tests/bench/terms.py [--perfmodel build/bin/perfmodel] [--target h200] [NAME ...]

collects every size but `check` of each workload, predicts it by `advise --target`, and prints a table; --json FILE
keeps it. Without a GPU it says so. --check instead runs the size `check` on any device against its reference.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import argparse
import concurrent.futures
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TERMS = os.path.join(HERE, "terms")
CHECK = "check"
ENOUGH_S = 600
SKIPPED = 77  # as ctest knows it


def run(options, *arguments):
    return subprocess.run([options.perfmodel, *arguments], check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=ENOUGH_S)


def last_line(done):
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


def path_of(name):
    return os.path.join(TERMS, name + ".workload")


def names_in_folder():
    return sorted(f[:-len(".workload")] for f in os.listdir(TERMS) if f.endswith(".workload"))


def sizes_of(name):
    with open(path_of(name), encoding="utf-8") as f:
        return [s for s in re.findall(r"^\[size (\S+)\]", f.read(), re.MULTILINE) if s != CHECK]


def known_devices(options):
    done = run(options, "devices", "--json")
    if done.returncode != 0:
        sys.exit(last_line(done))
    return json.loads(done.stdout)


def find_gpu(options):
    """Returns the first NVIDIA GPU and the profile with its name; None: there is no such GPU."""
    known = known_devices(options)
    for device in known["devices"]:
        if "nvidia" not in device["vendor"].lower():
            continue
        words = re.sub(r"[^a-z0-9]+", " ", device["name"].lower())
        fitting = [p for p in known["profiles"] if p in words.split() or p in words.replace(" ", "")]
        return device["id"], max(fitting, key=len, default=None)
    return None


def collect(options, device, name, sizes, path, counters):
    """Returns measured seconds by size, or a text with the reason if nothing was measured."""
    chosen = [word for s in sizes for word in ("--size", s)]
    done = run(options, "collect", "--device", device, "--counters", counters, "--workload", path_of(name), "-o",
               path, *chosen)
    if done.returncode != 0 or not os.path.exists(path):
        return {}, last_line(done)
    seconds = {}
    with open(path, encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            seconds[row["size"]] = seconds.get(row["size"], 0) + float(row["time_s"])
    return seconds, last_line(done)


def predict(options, target, name, size):
    done = run(options, "advise", "--json", "--target", target, "--workload", path_of(name), "--variant", "plain",
               "--size", size)
    if done.returncode != 0:
        return {"why": last_line(done)}
    choice = json.loads(done.stdout)["choices"][0]
    return {"predicted_s": choice["predicted_s"], "lo_s": choice["lo_s"], "hi_s": choice["hi_s"],
            "bound": choice["bound"], "terms": choice["terms"]}


def microseconds(seconds):
    return f"{1e6 * seconds:10.1f}" if seconds is not None else " " * 9 + "-"


def print_row(row):
    measured, predicted = row.get("measured_s"), row.get("predicted_s")
    ratio = f"{predicted / measured:6.2f}" if measured and predicted else "     -"
    inside = measured and predicted and row["lo_s"] <= measured <= row["hi_s"]
    print(f"{row['name']:24} {row['size']:9} {microseconds(measured)} {microseconds(predicted)} {ratio} "
          f"{'' if inside or not measured else '*':1} {row.get('bound') or row.get('why', '')}", flush=True)


def compare(options, device, target, names):
    rows = []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name in names:
            seconds, why = collect(options, device, name, sizes_of(name), os.path.join(folder, name + ".csv"),
                                   options.counters)
            rows += [{"name": name, "size": s, "measured_s": seconds.get(s),
                      **({} if s in seconds else {"why": why})} for s in sizes_of(name)]
        print("measured; now predicted", file=sys.stderr, flush=True)
        predicted = pool.map(lambda row: predict(options, target, row["name"], row["size"]), rows)
        print(f"{'benchmark':24} {'size':9} {'measured':>10} {'predicted':>10} {'ratio':>6}   bound by "
              f"(us; *: outside of the 90 % interval)")
        for row, of_row in zip(rows, predicted):
            row.update(of_row)
            print_row(row)
    return rows


def check(options, names):
    """Returns the number of workloads that are wrong or do not run."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(folder, name + ".csv")
            seconds, why = collect(options, options.device, name, [CHECK], path, "none")
            wrong += CHECK not in seconds
            print(f"{name:24} {'right' if CHECK in seconds else why}", flush=True)
    return wrong


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--perfmodel", default=os.path.join(HERE, "..", "..", "build", "bin", "perfmodel"))
    parser.add_argument("--device", default=None, help="as of perfmodel collect; default: the first NVIDIA GPU")
    parser.add_argument("--target", help="a row of devices.csv; default: by the GPU's name")
    parser.add_argument("--counters", default="cupti", choices=("cupti", "none"))
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--json", metavar="FILE", help="also the rows, with each unit's part")
    parser.add_argument("--check", action="store_true", help="the results, on a small size")
    parser.add_argument("names", nargs="*", metavar="NAME", help="workloads; default: all")
    options = parser.parse_args()
    strange = sorted(set(options.names) - set(names_in_folder()))
    if strange:
        parser.error(f"no workload {strange[0]} in {TERMS}; there are: {' '.join(names_in_folder())}")
    return options


def main():
    options = parse()
    names = options.names or names_in_folder()
    if options.check:
        devices = [d["id"] for d in known_devices(options)["devices"]]
        if not devices:
            print("SKIPPED: no OpenCL device here")
            sys.exit(SKIPPED)
        options.device = options.device or devices[0]
        sys.exit(1 if check(options, names) else 0)
    gpu = find_gpu(options)
    if not gpu and not options.device:
        print("no NVIDIA GPU here: nothing to measure (--check runs the small size on another device)")
        return
    device, target = options.device or gpu[0], options.target or (gpu and gpu[1])
    if not target:
        sys.exit(f"no profile has the name of {device}: say which with --target")
    rows = compare(options, device, target, names)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump({"device": device, "target": target, "rows": rows}, f, indent=1)
    if any(row.get("measured_s") is None or row.get("predicted_s") is None for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
