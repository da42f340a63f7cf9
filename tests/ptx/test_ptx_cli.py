#!/usr/bin/env python3
"""Kernels in PTX on the command line: as a bare source, in a workload file, and what is refused.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import ROOT, Base

PTX = (ROOT / "tests/ptx/twins/memory.ptx").read_text(encoding="utf-8")
# A loop of 64 times 4 products of 16 x 8 x 16.
TENSOR = """.version 8.4
.target sm_80
.address_size 64
.visible .entry products(.param .u64 out)
{
.reg .b64 %p; .reg .b32 %a<4>, %b<2>, %i; .reg .f32 %c<4>; .reg .pred %q;
ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p; mov.u32 %i, %tid.x; mad.wide.u32 %p, %i, 4, %p;
mov.b32 %a0, %i; mov.b32 %b0, %i; mov.f32 %c0, 0f00000000; mov.f32 %c1, %c0; mov.f32 %c2, %c0; mov.f32 %c3, %c0;
mov.u32 %i, 0;
AGAIN:
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a0,%a0,%a0}, {%b0,%b0}, {%c0,%c1,%c2,%c3};
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a0,%a0,%a0}, {%b0,%b0}, {%c0,%c1,%c2,%c3};
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a0,%a0,%a0}, {%b0,%b0}, {%c0,%c1,%c2,%c3};
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a0,%a0,%a0}, {%b0,%b0}, {%c0,%c1,%c2,%c3};
add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 64; @%q bra AGAIN;
st.global.f32 [%p], %c0;
ret;
}
"""
# A struct with one pointer, passed by value, and a struct with two numbers.
STRUCTS = """.version 8.4
.target sm_80
.address_size 64
.visible .entry scale(.param .align 8 .b8 box[8], .param .align 4 .b8 pair[8], .param .u32 n)
{
.reg .b64 %p; .reg .b32 %i, %a, %b, %x; .reg .pred %q;
ld.param.u64 %p, [box]; ld.param.u32 %a, [pair]; ld.param.u32 %b, [pair+4]; mov.u32 %i, %tid.x;
cvta.to.global.u64 %p, %p; mad.wide.u32 %p, %i, 4, %p;
ld.global.u32 %x, [%p]; mad.lo.u32 %x, %x, %a, %b; st.global.u32 [%p], %x;
ret;
}
"""
# The kernel does not use the pointer `spare`. It compares the pointer `extra` with null, and `extra` selects the sum.
SPARE = """.version 8.4
.target sm_80
.address_size 64
.visible .entry spared(.param .u64 in, .param .u64 spare, .param .u64 extra, .param .u64 out)
{
.reg .b64 %p<4>; .reg .b32 %i, %x; .reg .pred %q;
ld.param.u64 %p0, [in]; ld.param.u64 %p1, [extra]; ld.param.u64 %p2, [out]; mov.u32 %i, %tid.x;
setp.eq.s64 %q, %p1, 0; @%q bra DONE;
mad.wide.u32 %p0, %i, 4, %p0; mad.wide.u32 %p2, %i, 4, %p2;
ld.global.u32 %x, [%p0]; st.global.u32 [%p2], %x;
DONE: ret;
}
"""
# As in CUDA's libraries, the parameter `in` is an array of bytes, whose address is in a register. The kernel reads the
# number before the one to which `in` points.
BEFORE = """.version 8.4
.target sm_80
.address_size 64
.visible .entry before(.param .align 8 .b8 in[8], .param .u64 out)
{
.reg .b64 %p<4>; .reg .b32 %i, %x;
mov.b64 %p3, in; ld.param.u64 %p2, [out]; mov.u32 %i, %tid.x; ld.param.u64 %p0, [%p3]; ld.param.u64 %p1, [%p3];
mad.wide.u32 %p0, %i, 4, %p0; mad.wide.u32 %p2, %i, 4, %p2;
ld.global.u32 %x, [%p0+-4]; st.global.u32 [%p2], %x;
ret;
}
"""
WORKLOAD = """[workload]
name = add
source = {source}
[size small]
n = 65536
[buffer in]
type = float
count = n
contents = random
[buffer out]
type = float
count = n
output = yes
[launch add]
kernel = {kernel}
grid = n / 256
block = 256
arguments = {arguments}
"""

# PTX as nvcc makes it of a source with -lineinfo: the directive .file follows the code. The load is code of a header that
# was inlined into line 12 of the source.
COMPILED = """.version 8.5
.target sm_90
.address_size 64
.visible .entry _Z4copyIfEvPKfPf(.param .u64 a, .param .u64 b)
{
    .reg .b32 %r<3>;
    .reg .f32 %f;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    .loc 2 99 5, function_name $L__info_string0, inlined_at 1 12 9
    ld.global.f32 %f, [%rd4];
    .loc 1 13 5
    st.global.f32 [%rd5], %f;
    ret;
}
	.file	1 "/some/where/copy.ptx"
	.file	2 "/some/where/header.h"
.section .debug_str { $L__info_string0: .b8 0 }
.global .u64 pm_kernel_0 = _Z4copyIfEvPKfPf;
.global .b8 pm_kernel_name_0[11] = {99, 111, 112, 121, 60, 102, 108, 111, 97, 116, 62};
"""


class Ptx(Base):
    def test_lines_and_names_of_a_source(self):
        self.write("copy.ptx", COMPILED)
        kernel, = self.json_of("trace", "--target", "h100", "--quiet", "copy.ptx", "--kernel", "copy<float>", "--grid",
                               "1", "--block", "64", cwd=self.folder)["kernels"]
        self.assertEqual(kernel["kernel"], "copy<float>")
        self.assertEqual(sorted(access["line"] for access in kernel["accesses"]), [12, 13])

    def count(self, *arguments):
        """Returns the counters of the only kernel."""
        kernel, = self.json_of("trace", "--target", "h100", "--quiet", *arguments)["kernels"]
        return {name: counter["value"] for name, counter in kernel["counters"].items()}

    def workload(self, source="memory.ptx", kernel="add", arguments="in, out, int n"):
        self.write(source, PTX)
        return self.write("add.workload", WORKLOAD.format(source=source, kernel=kernel, arguments=arguments))

    def test_bare_source(self):
        counts = self.count(self.write("memory.ptx", PTX), "--kernel", "add", "--grid", "256", "--block", "256",
                            "--arg", "param_2=65536")
        self.assertEqual((counts["gld_request"], counts["gst_request"]), (2 * 2048, 2048))
        self.assertEqual(counts["gld_sector"], 2 * 4 * 2048)

    def test_workload_file_by_both_names(self):
        for kernel in ("add", "_Z3addPKfPfi"):
            counts = self.count(self.workload(kernel=kernel))
            self.assertEqual((counts["gld_request"], counts["gst_request"]), (2 * 2048, 2048))

    def test_lines_of_accesses(self):
        kernel, = self.json_of("trace", "--target", "h100", "--quiet", self.workload())["kernels"]
        lines = PTX.splitlines()
        self.assertEqual(len(kernel["accesses"]), 3)
        for access in kernel["accesses"]:
            opcode = "ld.global" if access["kind"] == "load" else "st.global"
            self.assertIn(opcode, lines[access["line"] - 1])

    def test_type_of_a_buffer(self):
        done = self.good("predict", "--target", "h100", self.write("memory.ptx", PTX), "--kernel", "add", "--arg",
                         "param_0=double[1048576]")
        self.assertIn("param_0: double[1048576]", done.stdout)

    def test_struct_with_one_pointer(self):
        """It is a buffer, as a pointer is. Captures record it so, too."""
        self.write("scale.ptx", STRUCTS)
        path = self.write("scale.workload", WORKLOAD.format(source="scale.ptx", kernel="scale",
                                                            arguments="in, bytes 0x0200000003000000, int n"))
        counts = self.count(path)
        self.assertEqual((counts["gld_request"], counts["gst_request"]), (2048, 2048))
        done = self.good("predict", "--target", "h100", self.folder / "scale.ptx", "--kernel", "scale")
        self.assertIn("box: int[", done.stdout)

    def test_pointers_that_the_kernel_does_not_use(self):
        """PTX does not declare pointers, so a buffer is allowed for any parameter of 8 bytes."""
        self.write("spared.ptx", SPARE)
        for arguments, requests in (("in, in + 4, out, out", 2048), ("in, null, in, out", 2048),
                                    ("in, out, null, out", 0), ("in, ulong 0, ulong 1, out", 2048)):
            path = self.write("spared.workload", WORKLOAD.format(source="spared.ptx", kernel="spared",
                                                                 arguments=arguments))
            counts = self.count(path)
            self.assertEqual((counts["gld_request"], counts["gst_request"]), (requests, requests))
        path = self.write("spared.workload", WORKLOAD.format(source="spared.ptx", kernel="spared",
                                                             arguments="in, local 8, in, out"))
        self.refused(["argument 2 of kernel spared (spare) takes a value"], "predict", "--target", "h100", path)

    def test_index_before_a_pointer(self):
        """A kernel may access the whole buffer, also before the element to which its argument points."""
        declared = ".param .align 8 .b8 in[8]"
        for parameter in (declared, ".param .u64 in"):
            text = BEFORE.replace(declared, parameter)
            self.write("before.ptx", text if parameter == declared else text.replace("%p3, in", "%p3, 0")
                       .replace("[%p3]", "[in]"))
            path = self.write("before.workload", WORKLOAD.format(source="before.ptx", kernel="before",
                                                                 arguments="in + 1, out"))
            counts = self.count(path)
            self.assertEqual((counts["gld_request"], counts["gst_request"]), (2048, 2048))
            path = self.write("before.workload", WORKLOAD.format(source="before.ptx", kernel="before",
                                                                 arguments="in, out"))
            self.refused(["before its start"], "predict", "--target", "h100", path, progress=True)

    def test_dynamic_shared_memory(self):
        counts = self.count(self.write("memory.ptx", PTX), "--kernel", "shared_of_launch", "--grid", "64", "--block",
                            "128", "--shared", "1024", "--arg", "param_2=8192")
        self.assertEqual(counts["shared_store"], 2 * 256)

    def test_time_of_tensor_cores(self):
        """The time is at least that of the multiply-adds at the published rates of devices.csv, of which mma.sync reaches
        72 % on an H100."""
        path, groups = self.write("products.ptx", TENSOR), 200000
        options = ("--target", "h100", "--quiet", path, "--kernel", "products", "--grid", str(groups), "--block",
                   "256", "--arg", "out=float[256]")
        kernel, = self.json_of("trace", *options)["kernels"]
        products = groups * 8 * 64 * 4 * 16 * 8 * 16
        self.assertAlmostEqual(kernel["counters"]["tensor_f16"]["value"] / products, 1, 6)
        predicted, = self.json_of("predict", *options)["predictions"]
        least = products / (2048 * 0.72 * 132 * 1980e6)
        self.assertGreater(predicted["predicted_s"], 0.99 * least)
        self.assertLess(predicted["predicted_s"], 2 * least)
        self.assertEqual(predicted["bound"], "tensor")

    def test_parameter_that_is_not_read(self):
        """PTX does not tell whether 64 bits are a pointer, so a buffer, null and a number are right."""
        self.write("scale.ptx", STRUCTS.replace(".param .u32 n", ".param .u64 n"))
        for argument in ("out", "null", "ulong 1"):
            path = self.write("scale.workload", WORKLOAD.format(
                source="scale.ptx", kernel="scale", arguments=f"in, bytes 0x0200000003000000, {argument}"))
            self.assertEqual(self.count(path)["gld_request"], 2048)

    def test_collected_rows_are_launched_by_cuda(self):
        """The times of PTX are those of launches in CUDA."""
        self.good("collect", "--device", "none", "--target", "h100", self.workload(), "-o", self.folder / "rows.csv")
        about = json.loads((self.folder / "rows.json").read_text(encoding="utf-8"))
        self.assertEqual(about["languages"], {"add": {"plain": "CUDA"}})

    def test_faults(self):
        for workload, message in (
                ({"kernel": "ad"}, "memory.ptx has no kernel ad; it has: add, wide"),
                ({"arguments": "in, out"}, "kernel add takes 3 arguments, given are 2"),
                ({"source": "memory.txt"}, "memory.txt: the source is PTX: give it a name that ends in .ptx")):
            self.refused([message], "predict", "--target", "h100", self.workload(**workload), progress=True)

    def test_other_warps(self):
        path = self.write("memory.ptx", PTX)
        self.refused(["PTX is for warps of 32 threads, and this target has 64"], "predict", "--target", "mi210", path,
                     "--kernel", "add", progress=True)


if __name__ == "__main__":
    unittest.main()
