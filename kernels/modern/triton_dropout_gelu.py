"""GELU and dropout of a half-precision array, with random numbers by Philox."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def dropout_gelu(x, out, n, keep, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside).to(tl.float32)
    value = value * 0.5 * (1 + tl.erf(value * 0.70710678))
    value = tl.where(tl.rand(seed, at) < keep, value / keep, 0.0)
    tl.store(out + at, value.to(tl.float16), mask=inside)


if __name__ == "__main__":
    write(dropout_gelu, {"x": "*fp16", "out": "*fp16", "n": "i32", "keep": "fp32", "seed": "i32"}, {"BLOCK": 1024})
