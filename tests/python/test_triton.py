#!/usr/bin/env python3
"""perfmodel.triton and perfmodel.numba: counts of kernels against what their launches access, ranking, and faults.

Tests with Triton or Numba are skipped where these are not installed. PYTHONPATH has the package; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock
import warnings

try:
    import perfmodel
    import perfmodel.numba as of_numba
    import perfmodel.triton as of_triton
    from perfmodel import _ptx_launch, _tensors
except ImportError as error:
    print(f"no Python package: {error}")
    sys.exit(77)
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")      # Triton 3.9 warns if it is not set
try:
    import numpy
except ImportError:
    numpy = None
try:
    import triton

    import triton_kernels as kernels
except ImportError:
    triton = None


def nothing():
    """A kernel that does nothing."""


try:
    from numba import cuda
    cuda.compile_ptx(nothing, (), cc=(8, 0))
except Exception:       # Numba is missing, or it does not find NVVM
    cuda = None

warnings.simplefilter("ignore", perfmodel.Notice)
tensor = of_triton.tensor
COPY = """.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 copy_param_0, .param .u64 copy_param_1, .param .u32 copy_param_2)
{
    .reg .b32 %r<9>;
    .reg .b64 %d<9>;
    ld.param.u64 %d1, [copy_param_0];
    ld.param.u64 %d2, [copy_param_1];
    ld.param.u32 %r1, [copy_param_2];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %d3, %r2, 4;
    add.s64 %d1, %d1, %d3;
    ld.global.b32 %r3, [%d1];
    mul.lo.u32 %r4, %r3, %r1;
    mul.wide.u32 %d4, %r4, 4;
    add.s64 %d2, %d2, %d4;
    st.global.b32 [%d2], %r2;
    ret;
}
"""


def counts(result):
    """Returns the counters of a trace of one kernel."""
    return {name: counter.value for name, counter in result.kernels[0].counters.items()}


class Tensors(unittest.TestCase):
    def test_types_have_many_names(self):
        names = {"fp16": "fp16", "torch.bfloat16": "bf16", "float32": "fp32", "torch.float8_e4m3fn": "fp8e4nv", "bool": "u1",
                 "int64": "i64", "uint8": "u8"}
        self.assertEqual({name: tensor(1, name).dtype for name in names}, names)
        with self.assertRaisesRegex(perfmodel.BadInput, "complex64: no type of a tensor's elements; write one of fp64, fp32"):
            tensor(1, "complex64")

    def test_strides_and_sizes(self):
        found = tensor((3, 4, 5), "fp16")
        self.assertEqual((found.stride(), found.stride(1), found.numel(), found.span, found.element_size()),
                         ((20, 5, 1), 5, 60, 60, 2))
        padded = tensor((3, 4), strides=(8, 1))
        self.assertEqual((padded.span, padded.numel(), padded.is_contiguous()), (20, 12, False))
        self.assertEqual(tensor((0, 4)).span, 4)
        with self.assertRaisesRegex(perfmodel.BadInput, "as many strides as dimensions"):
            tensor((3, 4), strides=(1,))

    @unittest.skipUnless(numpy, "no numpy")
    def test_integers_of_arrays_are_contents(self):
        found = _tensors.tensor_of(numpy.arange(6, dtype=numpy.int16).reshape(2, 3))
        self.assertEqual((found.shape, found.strides, found.dtype, found.contents.tolist()),
                         ((2, 3), (3, 1), "i16", [[0, 1, 2], [3, 4, 5]]))
        self.assertIsNone(_tensors.tensor_of(numpy.ones(4)).contents)
        self.assertFalse(_tensors.is_tensor(numpy.float32(2)))
        with self.assertRaisesRegex(perfmodel.BadInput, "contents of shape"):
            tensor(3, "i32", numpy.arange(4))

    def test_numbers_become_arguments(self):
        self.assertEqual([_ptx_launch.value_text(*each) for each in (
            (3, "i", 32), (-3, "i", 64), (3, "u", 64), (0.5, "f", 32), (True, "u", 8), (-2, "i", 16), (0.5, "f", 16),
            (float("inf"), "f", 32))], ["int 3", "long -3", "ulong 3", "float 0.5", "bytes 0x01", "bytes 0xfeff",
                                        "bytes 0x0038", "bytes 0x0000807f"])
        with self.assertRaisesRegex(perfmodel.BadInput, "300 is no number of 8 bits"):
            _ptx_launch.value_text(300, "u", 8)

    def test_a_launch_is_written_with_its_contents(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            buffers = _ptx_launch.Buffers(folder)
            values = (tensor(64, "i32", "each i % 32"), tensor(4096, "i32"))
            ptx = _ptx_launch.rename_parameters(COPY, "copy", ["index", "out", "step"])
            self.assertEqual(_ptx_launch.parameters_of(ptx, "copy"), [64, 64, 32])
            path = _ptx_launch.write_workload(
                folder, "copy", ptx, "copy", (2, 1, 1), (64, 1, 1), 0,
                [*map(buffers.name_of, ("index", "out"), values), _ptx_launch.value_text(16, "i", 32)], buffers)
            found = perfmodel.trace(workload=path)
        self.assertEqual([access.buffer for access in found.kernels[0].accesses], ["index", "out"])
        self.assertEqual((counts(found)["gld_sector"], counts(found)["gst_sector"]), (2 * 2 * 4, 2 * 2 * 32))
        self.assertEqual(buffers.assumed, ["out: i32[4096], random 0, 65535"])

    def test_without_triton_and_numba_the_error_says_how_to_install_them(self):
        with unittest.mock.patch.dict(sys.modules, {"triton": None}):
            with self.assertRaisesRegex(ImportError, "pip install triton"):
                of_triton.predict(None, 1, ())
        with unittest.mock.patch.dict(sys.modules, {"numba": None}):
            with self.assertRaisesRegex(ImportError, r"pip install 'numba-cuda\[cu13\]'"):
                of_numba.predict(len, None, 1, 1, ())


@unittest.skipUnless(triton, "no Triton")
class Triton(unittest.TestCase):
    N = 1 << 16

    def double(self, step, function=of_triton.trace, n=N, **meta):
        return function(kernels.double, lambda meta: (triton.cdiv(n, meta["BLOCK"]),),
                        (tensor(n * step), tensor(n), n, step), **{"BLOCK": 1024, **meta})

    def test_descriptors_are_copied_by_bulk(self):
        try:
            from triton.tools.tensor_descriptor import TensorDescriptor
        except ImportError:
            self.skipTest("this version of Triton has no descriptors")
        rows, columns, grid = 256, 1024, (4, 8)
        x, out = tensor((rows, columns), "fp16"), tensor((rows, columns), "fp16")
        pair = [TensorDescriptor.from_tensor(each, [64, 128]) for each in (x, out)]
        for kernel, args in ((kernels.double_box, pair), (kernels.double_own_box, (x, out, rows, columns))):
            found = counts(of_triton.trace(kernel, grid, args, "h100", ROWS=64, COLUMNS=128))
            self.assertEqual((found["gld_request"], found["gst_request"], found["l2_read_sector"]),
                             (0, 0, rows * columns * 2 / 32))
            self.assertEqual(found["load_wait_miss"], grid[0] * grid[1] * 4)
            found = counts(of_triton.trace(kernel, grid, args, "a100", ROWS=64, COLUMNS=128))
            self.assertEqual(found["gld_sector"], rows * columns * 2 / 32)
        with tempfile.TemporaryDirectory() as folder:
            path = of_triton.write(kernels.double_box, grid, pair, folder, "h100", ROWS=64, COLUMNS=128)
            self.assertIn("tensor_map (source, sizes (1024, 256), strides (2048), box (64, 64), swizzle 128, type f16), "
                          "int 256, int 1024, long 1024, long 1,", path.read_text())

    def test_integers_are_specialised_as_in_a_launch(self):
        for step, n, requests in ((1, self.N, self.N // 128), (1, self.N - 1, self.N // 32), (2, self.N, self.N // 32)):
            with self.subTest(step=step, n=n):      # only a step of 1 and an n of 16 k allow loads of 4 floats
                self.assertEqual(counts(self.double(step, n=n))["gld_request"], requests)

    def test_a_prediction_has_times_and_counters(self):
        found = self.double(1, of_triton.predict, num_warps=8)
        kernel = found.predictions[0]
        self.assertLess(kernel.lo_s, kernel.predicted_s)
        self.assertLess(kernel.predicted_s, kernel.hi_s)
        self.assertEqual((kernel.kernel, kernel.counters.gst_sector, kernel.counters.launched_warps),
                         ("double", self.N / 8, self.N / 1024 * 8))
        self.assertEqual(found.assumed, ["x: fp32[65536], random", "out: fp32[65536], random"])
        self.assertEqual(found.seconds, [kernel.predicted_s])

    def test_contents_decide_about_sectors(self):
        x, out = tensor(self.N), tensor(self.N)
        for contents, sectors in (("constant 3", 1), ("each i * 8 % 65536", 32)):
            found = of_triton.trace(kernels.gather, (self.N // 256,), (x, tensor(self.N, "i32", contents), out), "a100",
                                    BLOCK=256)
            self.assertEqual(counts(found)["gld_sector"], self.N // 32 * (sectors + 4))

    def test_tuples_heuristics_and_scalars(self):
        n = 1000
        found = of_triton.trace(kernels.fill, (8,), {"pair": (tensor(1024), 3), "out": tensor(1024), "n": n, "scale": 0.5,
                                                     "flag": True}, BLOCK=128)
        self.assertEqual(counts(found)["gst_sector"], n / 8)
        found = of_triton.trace(kernels.fill, (8,), ((tensor(1024), 3), tensor(1024), 1024, 0.5, False), BLOCK=128)
        self.assertEqual(counts(found)["gst_sector"], 1024 / 8)

    def test_shared_memory_and_the_same_tensor_twice(self):
        x = tensor((64, 500))
        with tempfile.TemporaryDirectory() as folder:
            path = of_triton.write(kernels.total, (64,), (x, x, 500), folder, BLOCK=512, num_warps=8)
            text = path.read_text(encoding="utf-8")
            self.assertIn("\nblock = 256, 1, 1\nshared = 32\narguments = x, x, int 500, null, null\n", text)
            self.assertEqual(counts(perfmodel.trace(workload=path))["launched_warps"], 64 * 8)
        with self.assertRaisesRegex(perfmodel.BadInput, "product: a block has .* bytes of shared memory, and a100 has "
                                    "166912 for a block; choose smaller tiles"):
            of_triton.predict(kernels.product, (1,), (tensor((64, 512), "fp16"), tensor((64, 64)), 512), "a100", BLOCK=256,
                              num_stages=4)

    def test_faults(self):
        x = tensor(256)
        for message, call in (
                ("double has no parameter y; it has x, out, n, step, BLOCK",
                 lambda: of_triton.predict(kernels.double, (1,), {"y": x})),
                ("n is given twice", lambda: of_triton.predict(kernels.double, (1,), (x, x, 1), n=3)),
                ("BLOCK is too large here", lambda: of_triton.predict(kernels.broken, (1,), (x, x), BLOCK=512)),
                ("grid 0: give one to three numbers", lambda: of_triton.predict(kernels.broken, 0, (x, x), BLOCK=64)),
                ("num_ctas is 2, and clusters of blocks cannot be traced",
                 lambda: of_triton.predict(kernels.broken, (1,), (x, x), BLOCK=64, num_ctas=2)),
                ("the kernel is no function of @triton.jit", lambda: of_triton.predict(len, (1,), ())),
                ("only for NVIDIA's GPUs", lambda: of_triton.predict(kernels.broken, (1,), (x, x), "mi250x", BLOCK=64))):
            with self.subTest(message), self.assertRaisesRegex(perfmodel.BadInput, message):
                call()

    def test_configurations_are_ranked(self):
        x, out = tensor(self.N), tensor(self.N)
        configs = [triton.Config({"BLOCK": block}, num_warps=1, num_stages=stages) for block in (32, 512, 48) for stages in (1, 2)]
        found = of_triton.rank(kernels.double, lambda meta: (self.N // meta["BLOCK"],), (x, out, self.N, 1), configs, best=1)
        self.assertEqual([choice.parameters.BLOCK for choice in found.choices], [512, 512, 32, 32])
        self.assertEqual(found.choices[0].predicted_s, found.choices[1].predicted_s)
        self.assertEqual(found.best, configs[2:3])
        self.assertEqual([entry.parameters.BLOCK for entry in found.failed], [48, 48])
        self.assertIn("power of 2", found.failed[0].reason)
        with self.assertRaisesRegex(perfmodel.BadInput, "no configurations to rank"):
            of_triton.rank(kernels.double, (1,), (x, out, self.N, 1))

    def test_autotuner_gets_the_fastest(self):
        configs = [triton.Config({"BLOCK": block}, num_warps=4) for block in (32, 64, 1024, 2048)]
        tuned = of_triton.autotune(configs, ["n"], keep=2, target="h100")(kernels.double)
        args = {"x": tensor(self.N), "out": tensor(self.N), "n": self.N, "step": 1}
        grid = lambda meta: (triton.cdiv(self.N, meta["BLOCK"]),)
        kept = tuned.early_config_prune(tuned.configs, args, grid=grid)
        ranking = of_triton.rank(tuned, grid, args)
        self.assertEqual(kept, ranking.best[:2])
        self.assertEqual(len(ranking.choices), 4)
        with self.assertRaisesRegex(perfmodel.BadInput, "double has 4 configurations; give the parameters of one"):
            of_triton.predict(tuned, grid, args)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.assertEqual(tuned.early_config_prune(tuned.configs, {**args, "n": None}, grid=grid), tuned.configs)
        self.assertIn("all 4 configurations are measured: double: Triton does not compile it", str(told[-1].message))


@unittest.skipUnless(cuda, "no Numba with CUDA")
class Numba(unittest.TestCase):
    def setUp(self):
        @cuda.jit
        def scale(x, out, by):
            i = cuda.grid(1)
            if i < out.shape[0]:
                out[i] = x[i, 1] * by
        self.scale = scale

    def test_counts_and_names(self):
        n = 4096
        found = of_numba.trace(self.scale, None, n // 128, 128, (tensor((n, 4), "fp64"), tensor(n), 2.0))
        self.assertEqual((counts(found)["gld_sector"], counts(found)["gst_sector"]), (n, n / 8))
        self.assertEqual([access.buffer for access in found.kernels[0].accesses], ["x", "out"])

    def test_signatures(self):
        n = 4096
        found = of_numba.predict(self.scale, "void(float32[:,::1], float32[::1], float32)", (n // 128, 1), 128,
                                 (tensor((n, 8)), tensor(n), 2), fastmath=True)
        self.assertEqual((found.predictions[0].kernel, found.predictions[0].counters.gld_sector), ("scale", n))
        for message, args in (("scale has 3 parameters, and 2", (tensor((n, 8)), tensor(n))),
                              ("argument out is 3; give an array", (tensor((n, 8)), 3, 2)),
                              ("argument out is tensor", (tensor((n, 8)), tensor(n, "fp64"), 2))):
            with self.subTest(message), self.assertRaisesRegex(perfmodel.BadInput, message):
                of_numba.predict(self.scale, "void(float32[:,::1], float32[::1], float32)", 32, 128, args)


if __name__ == "__main__":
    unittest.main()
