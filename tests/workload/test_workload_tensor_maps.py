#!/usr/bin/env python3
"""Tensor maps as arguments of workload files: the boxes that a kernel in PTX copies by them, and faults in maps.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import struct
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

# Each block writes a box of 8 x 4 floats, beginning at column 8 x and row 4 y.
SOURCE = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry boxes(.param .align 64 .b8 map[128], .param .u64 out)
{
    .reg .b64 %m, %q; .reg .b32 %l, %x, %y, %n, %r<9>, %bar, %tile; .reg .pred %p<3>;
    .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 barrier;
    mov.u32 %tile, tile; mov.u32 %bar, barrier; mov.u32 %l, %tid.x; setp.eq.u32 %p0, %l, 0;
    mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u64 %q, [out]; cvta.to.global.u64 %q, %q;
    mov.u32 %x, %ctaid.x; mov.u32 %y, %ctaid.y; mov.u32 %n, %nctaid.x; mad.lo.u32 %r1, %y, %n, %x;
    mad.lo.u32 %r1, %r1, 32, %l; mad.wide.u32 %q, %r1, 4, %q; shl.b32 %x, %x, 3; shl.b32 %y, %y, 2;
    @%p0 mbarrier.init.shared::cta.b64 [%bar], 1; bar.sync 0;
    @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 128;
    @%p0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%tile], [%m, {%x, %y}], [%bar];
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%bar], 0;
    @!%p1 bra WAIT;
    mad.lo.u32 %r2, %l, 4, %tile; ld.shared.b32 %r3, [%r2]; st.global.b32 [%q], %r3;
    ret;
}
"""

WORKLOAD = """[workload]
name = maps
source = boxes.ptx
[size s]
columns = 20
rows = 7
[buffer a]
type = float
count = 4 + 24 * rows
contents = range 0, 1
[buffer bytes]
type = uchar4
count = 64
[buffer out]
type = float
count = 6 * 32
expected = file out.bin
[launch boxes]
grid = 3, 2
block = 32
arguments = MAP, out
"""


class TensorMaps(Base):
    def setUp(self):
        super().setUp()
        self.write("boxes.ptx", SOURCE)

    def trace(self, text):
        """Traces the workload with a tensor map."""
        return run("trace", "--target", "h100", "--workload", self.write("maps.workload", WORKLOAD.replace("MAP", text)),
                   "--sample", "all")

    def gives(self, text, values):
        """The boxes must have these values."""
        for wrong in (False, True):
            self.write("out.bin", struct.pack("<192f", *values[:-1], values[-1] + wrong))
            done = self.trace(text)
            self.assertEqual(done.returncode, int(wrong), done.stderr)

    def test_boxes(self):
        places = [(x, y) for by in (0, 4) for bx in (0, 8, 16) for y in range(by, by + 4) for x in range(bx, bx + 8)]
        self.gives("tensor_map (a + 4, sizes (columns, rows), strides 24 * 4, box (8, 4))",
                   [4 + 24 * y + x if x < 20 and y < 7 else 0 for x, y in places])
        self.gives("tensor_map (a, sizes (columns, rows), box (8, 4), type f32, swizzle 0)",
                   [20 * y + x if x < 20 and y < 7 else 0 for x, y in places])
        self.gives("tensor_map (a, sizes (24, rows), strides (96), box (8, 7), steps (1, 2), swizzle 32)",
                   [24 * y + x ^ (row % 8 // 4 << 2) if y < 7 else 0 for by in (0, 4) for bx in (0, 8, 16) for row in range(4)
                    for y in [by + 2 * row] for x in range(bx, bx + 8)])

    def test_faults(self):
        self.write("out.bin", bytes(768))
        for text, message in (
                ("tensor_map (a, sizes (20, 7))", "a tensor map needs sizes and box"),
                ("tensor_map (a, sizes (20, 7), box 8)", "box and steps have a number for each of the sizes"),
                ("tensor_map (a, sizes (20, 7), box (8, 4), strides (80, 80))", "and strides one less"),
                ("tensor_map (a, sizes (20, 7), box (8, 4), strides 40)", "a stride is a multiple of 16 bytes"),
                ("tensor_map (a, sizes (20, 7), box (6, 4))", "a row of a box is a multiple of 16 bytes"),
                ("tensor_map (a, sizes (20, 7), box (8, 300))", "a box has 1 to 256 elements in each dimension"),
                ("tensor_map (a, sizes (20, 7), box (16, 4), swizzle 32)", "a row of a box must be as long as the swizzle"),
                ("tensor_map (a, sizes (20, 7), box (8, 4), swizzle 16)", "a tensor map has swizzle 0, 32, 64 or 128"),
                ("tensor_map (a, sizes (20, 7), box (8, 4), type half4)", "the type is u8, u16, u32, s32"),
                ("tensor_map (bytes, sizes (20, 7), box (16, 4))", "the type of the elements is not known from the buffer"),
                ("tensor_map (a, sizes (20, 7), box (8, 4), colour 3)", "a tensor map has a buffer, and then sizes"),
                ("tensor_map (a, sizes (20, 0), box (8, 4))", "\"0\" is 0 in size s: at least 1 is possible"),
                ("tensor_map (a, sizes (1, 1, 1, 1, 1, 1), box 8)", "numbers for one to five dimensions"),
                ("tensor_map (b, sizes (20, 7), box (8, 4))", "no buffer is called b"),
                ("tensor_map a", "write a tensor map as tensor_map (a, sizes"),
                ("a", "argument 1 of kernel boxes (map) takes a value"),
                ("tensor_map (a, sizes 160, box 32)", "the tensor map has another number of dimensions"),
                ("tensor_map (a, sizes (28, 7), box (8, 4))", "buffer a has 688 bytes")):
            done = self.trace(text)
            self.assertEqual(done.returncode, 2, text + done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
