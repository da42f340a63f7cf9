"""A program that uses PyOpenCL: kernels that it generates, and one of its own. It prints results.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import numpy
import pyopencl
import pyopencl.array
import pyopencl.elementwise
import pyopencl.reduction

COUNT = 1 << 18
SOURCE = "kernel void triple(global float *x, int n) { int i = get_global_id(0); x[i] = x[i] * n; }"

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
a = pyopencl.array.to_device(queue, numpy.arange(COUNT, dtype=numpy.float32))
b = pyopencl.array.empty_like(a)
scale = pyopencl.elementwise.ElementwiseKernel(context, "float k, float *x, float *y", "y[i] = k * x[i] + 1", "scale")
dot = pyopencl.reduction.ReductionKernel(context, numpy.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                                         arguments="__global float *x, __global float *y")
for s in range(5):
    scale(numpy.float32(0.5 * s), a, b)
print(dot(a, b).get())
c = a + 2 * b
print(pyopencl.array.sum(c).get())
program = pyopencl.Program(context, SOURCE).build()
program.triple(queue, (COUNT,), None, c.data, numpy.int32(3))
print(c.get()[:4])
