"""Workload files held against what their buffers have to hold in the end.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import struct

from program import Base, rows_of, run

# Kernels that exist and cannot be traced.
UNTRACED = """
kernel void show(global double *out) { printf("%f\\n", out[get_global_id(0)]); }
kernel void draw(read_only image2d_t from, global float4 *out)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

    out[0] = read_imagef(from, s, (int2)(0, 0));
}
"""


class Held(Base):
    def holds(self, workload, **expected):
        """Checks the final contents of buffers in the trace engine and on PoCL, and that wrong
        contents are detected."""
        path = self.write("a.workload", workload)
        for name, (letter, values) in expected.items():
            self.write(f"{name}.bin", struct.pack(f"<{len(values)}{letter}", *values))
        for wrong in (False, True):
            if wrong:
                name, (letter, values) = list(expected.items())[0]
                self.write(f"{name}.bin", struct.pack(f"<{len(values)}{letter}", *values[:-1], values[-1] + 1))
            traced = run("trace", "--workload", path, "--sample", "all")
            self.assertEqual(traced.returncode, int(wrong), traced.stderr)
            measured = run("collect", "--workload", path, "--device", "pocl", "--counters", "none", "-o",
                           self.folder / f"{wrong}.csv")
            self.assertEqual(measured.returncode, int(wrong), measured.stderr)
            self.assertEqual(bool(rows_of(self.folder / f"{wrong}.csv")), not wrong)
        name, (letter, values) = list(expected.items())[0]
        self.write(f"{name}.bin", struct.pack(f"<{len(values)}{letter}", *values))
        advice = self.json_of("advise", "--target", "h100", "--workload", path, "--clusters", "1")
        for choice in advice["choices"]:
            self.assertGreater(choice["predicted_s"], 0)
        return [choice["variant"] for choice in advice["choices"]]

    def traces(self, workload, **expected):
        """Programs that only a GPU can run are not run on PoCL."""
        path = self.write("a.workload", workload)
        for name, values in expected.items():
            self.write(f"{name}.bin", struct.pack(f"<{len(values)}i", *values))
        self.good("trace", "--workload", path, "--sample", "all")
        name, values = list(expected.items())[0]
        self.write(f"{name}.bin", struct.pack(f"<{len(values)}i", *values[:-1], values[-1] + 1))
        self.assertEqual(run("trace", "--workload", path, "--sample", "all").returncode, 1)
