"""Kernels of Triton for test_triton.py. Triton reads their source from a file.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import triton
import triton.language as tl


@triton.jit
def double(x, out, n, step, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, 2 * tl.load(x + i * step, mask=i < n), mask=i < n)


@triton.jit
def gather(x, index, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + tl.load(index + i)))


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + tl.program_id(0) * n + i, mask=i < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(value, axis=0))


@triton.heuristics({"WHOLE": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def fill(pair, out, n, scale, flag, BLOCK: tl.constexpr, WHOLE: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(pair[0] + i) * scale + pair[1]
    if flag:
        value = -value
    if WHOLE:
        tl.store(out + i, value)
    else:
        tl.store(out + i, value, mask=i < n)


@triton.jit
def product(x, out, n, BLOCK: tl.constexpr):
    row = tl.arange(0, 64)
    i = tl.arange(0, BLOCK)
    sums = tl.zeros((64, 64), tl.float32)
    for first in range(0, n, BLOCK):
        left = tl.load(x + row[:, None] * n + first + i[None, :])
        right = tl.load(x + (first + i[:, None]) * 64 + row[None, :])
        sums = tl.dot(left, right, sums)
    tl.store(out + row[:, None] * 64 + row[None, :], sums)


@triton.jit
def broken(x, out, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK < 512, "BLOCK is too large here")
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))


@triton.jit
def double_box(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    place = [tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS]
    target.store(place, 2 * source.load(place))


@triton.jit
def double_own_box(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    target = tl.make_tensor_descriptor(out, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    place = [tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS]
    target.store(place, 2 * source.load(place))
