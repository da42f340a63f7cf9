#!/usr/bin/env python3
"""Makes a SYNTHETIC dataset for tests/bench/speed.sh and tests/model/test_more_rows.py: nothing in it was measured.

Usage: make_dataset.py PROGRAMS SIZES COUNTERS SEED [SHAPE] >FILE.csv

Times follow from the counters with 5 % of noise, so that a model has something to find. SHAPE is the form in which they
do: sum (the default), of shares of all counters; max, the longer of the shares of two; product, of powers of two
counters; uneven, a sum with 30 % of noise for the smallest size and less and less for larger ones.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import random
import sys

# Names of the first code counters in the table; names of counters must be in the table.
NAMES = """gld_request gst_request gld_sector gst_sector gld_tag gst_tag l1_global_load_hit
l1_global_load_miss shared_load shared_store shared_wavefront shared_bank_conflict local_load
local_store branch divergent_branch inst_executed inst_issued thread_inst_executed inst_fp32 inst_fp64
inst_int inst_special inst_conversion inst_control inst_memory pipe_fma pipe_alu l2_read_sector
l2_write_sector dram_read_bytes dram_write_bytes active_cycles active_warps""".split()

# Seconds of a row as a function of the cost of each counter, the row's counters, and the index of
# its size.
SHAPES = {
    "sum": lambda cost, values, size: sum(c * v for c, v in zip(cost, values)),
    "max": lambda cost, values, size: cost[0] * max(values[0], values[1]),
    "product": lambda cost, values, size: cost[0] * values[0] ** 0.7 * values[1] ** 0.5,
    "uneven": lambda cost, values, size: sum(c * v for c, v in zip(cost, values)),
}


def main():
    programs, sizes, counters, seed = (int(word) for word in sys.argv[1:5])
    shape = sys.argv[5] if len(sys.argv) > 5 else "sum"
    if not 2 <= counters <= len(NAMES) or shape not in SHAPES:
        sys.exit(f"2 to {len(NAMES)} counters, and one of the shapes {', '.join(SHAPES)}")
    draw = random.Random(seed)
    cost = [draw.lognormvariate(-24, 1) for _ in range(counters)]
    names = NAMES[:counters]
    print("device,program,variant,size,kernel,counter_source,time_s,time_mad_s,runs,work_items,"
          "work_group," + ",".join(names))
    for program in range(programs):
        share = [draw.lognormvariate(0, 1) for _ in range(counters)]
        for size in range(sizes):
            items = 65536 * (size + 1)
            noise = 0.3 / (size + 1) if shape == "uneven" else 0.05
            values = [round(s * items * draw.uniform(0.95, 1.05)) for s in share]
            time = 5e-6 + SHAPES[shape](cost, values, size) * draw.uniform(1 - noise, 1 + noise)
            print(f"synthetic,program{program},local,{size + 1},kernel,synthetic,{time:.9g},"
                  f"{time * 0.01:.3g},7,{items},256," + ",".join(str(v) for v in values))


if __name__ == "__main__":
    main()
