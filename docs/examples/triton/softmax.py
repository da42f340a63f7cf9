"""Softmax of the rows of a matrix: one program for each row, which it keeps in registers."""
import triton
import triton.language as tl

import perfmodel.triton as pt


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row * stride + column, mask=inside, other=float("-inf"))
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * stride + column, power / tl.sum(power, axis=0), mask=inside)


if __name__ == "__main__":
    rows, columns = 16384, 4000
    x, out = pt.tensor((rows, columns)), pt.tensor((rows, columns))
    for target in ("a100", "h100"):
        for warps in (4, 16):
            found = pt.predict(softmax, (rows,), (x, out, x.stride(0), columns), target, BLOCK=4096, num_warps=warps)
            kernel = found.predictions[0]
            print(f"{target}, {warps:2} warps: {1e6 * kernel.predicted_s:.0f} us "
                  f"({1e6 * kernel.lo_s:.0f} to {1e6 * kernel.hi_s:.0f}), bound by {kernel.bound}")
    print(f"{kernel.counters.gld_sector:.0f} sectors read, {kernel.counters.registers:.0f} registers")
