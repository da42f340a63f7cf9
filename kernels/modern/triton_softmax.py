"""Softmax of rows of up to 2048 floats, with the whole row in registers."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row * columns + column, mask=inside, other=float("-inf"))
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * columns + column, power / tl.sum(power, axis=0), mask=inside)


if __name__ == "__main__":
    write(softmax, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"BLOCK": 2048}, num_warps=4)
