"""Layer normalisation of bfloat16 rows in three passes over the row, as for rows that do not fit into registers."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * columns
    lane = tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        sums += tl.load(x + at + first + lane).to(tl.float32)
    mean = tl.sum(sums, axis=0) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        value = tl.load(x + at + first + lane).to(tl.float32) - mean
        squares += value * value
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    for first in range(0, columns, BLOCK):
        value = (tl.load(x + at + first + lane).to(tl.float32) - mean) * scale
        value = value * tl.load(weight + first + lane).to(tl.float32) + tl.load(bias + first + lane).to(tl.float32)
        tl.store(out + at + first + lane, value.to(tl.bfloat16))


if __name__ == "__main__":
    write(layer_norm, {"x": "*bf16", "weight": "*bf16", "bias": "*bf16", "out": "*bf16", "columns": "i32:16",
                       "epsilon": "fp32"}, {"BLOCK": 1024}, num_warps=4)
