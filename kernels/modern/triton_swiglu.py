"""Gate of a feed-forward layer: SiLU of the first half of each row times the second half."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def swiglu(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(1).to(tl.int64)
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    gate = tl.load(x + row * 2 * columns + column, mask=inside).to(tl.float32)
    up = tl.load(x + row * 2 * columns + columns + column, mask=inside).to(tl.float32)
    tl.store(out + row * columns + column, (gate * tl.sigmoid(gate) * up).to(tl.bfloat16), mask=inside)


if __name__ == "__main__":
    write(swiglu, {"x": "*bf16", "out": "*bf16", "columns": "i32:16"}, {"BLOCK": 1024}, num_warps=4)
