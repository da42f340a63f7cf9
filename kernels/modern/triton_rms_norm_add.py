"""Adds a residual to rows, stores the sum, and normalises it by its root mean square."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def rms_norm_add(x, residual, weight, out, columns, epsilon, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * columns
    lane = tl.arange(0, BLOCK)
    inside = lane < columns
    value = tl.load(x + at + lane, mask=inside, other=0).to(tl.float32)
    value += tl.load(residual + at + lane, mask=inside, other=0).to(tl.float32)
    tl.store(residual + at + lane, value.to(tl.float16), mask=inside)
    scale = tl.rsqrt(tl.sum(value * value, axis=0) / columns + epsilon)
    value = value * scale * tl.load(weight + lane, mask=inside, other=0).to(tl.float32)
    tl.store(out + at + lane, value.to(tl.float16), mask=inside)


if __name__ == "__main__":
    write(rms_norm_add, {"x": "*fp16", "residual": "*fp16", "weight": "*fp16", "out": "*fp16", "columns": "i32:16",
                         "epsilon": "fp32"}, {"BLOCK": 4096}, num_warps=8)
