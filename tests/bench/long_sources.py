#!/usr/bin/env python3
"""Prints the processor time of `perfmodel trace` for long kernels, and its growth from length to length.

Each kernel has n straight statements (a third loads, a third sums, a third stores), or a switch of n
cases that each store one float. A time that is linear in n doubles when n does.
Usage: tests/bench/long_sources.py [--perfmodel build/bin/perfmodel] [--lengths 750,1500,3000]
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import resource
import subprocess
import tempfile


def straight(n):
    kinds = ("x = x * {0}.5f + in[i + {0}];", "x = x * x + {0}.25f;", "out[i + {0} * 4096] = x;")
    lines = [kinds[k % 3].format(k) for k in range(n)]
    return ("__kernel void straight(__global const float *in, __global float *out)\n"
            "{ int i = get_global_id(0); float x = 0;\n" + "\n".join(lines) + "\nout[i] = x; }\n")


def switch(n):
    lines = [f"case {k}: out[i] = x * {k}.5f + {k * 7}.5f; break;" for k in range(n)]
    return ("__kernel void choose(__global const int *which, __global const float *in, __global float *out)\n"
            "{ int i = get_global_id(0); float x = in[i];\nswitch (which[i]) {\n" + "\n".join(lines) +
            "\ndefault: out[i] = 0; } }\n")


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "PERFMODEL_CACHE": "off"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--perfmodel", default="build/bin/perfmodel")
    parser.add_argument("--lengths", default="750,1500,3000,6000")
    options = parser.parse_args()
    print("| kernel | length | processor time | growth |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (("straight", straight), ("switch", switch)):
            last = None
            for n in map(int, options.lengths.split(",")):
                path = os.path.join(folder, f"{name}.cl")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(write(n))
                took = processor_seconds([options.perfmodel, "trace", "--target", "h100", "--grid", "16",
                                          "--block", "256", path])
                print(f"| {name} | {n} | {took:.2f} s | {f'{took / last:.1f}' if last else ''} |", flush=True)
                last = took


if __name__ == "__main__":
    main()
