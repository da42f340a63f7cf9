"""Step of the optimiser AdamW: bfloat16 weights and gradients, moments in floats."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def adamw(weights, gradients, first_moments, second_moments, n, rate, decay, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    w = tl.load(weights + at, mask=inside).to(tl.float32)
    g = tl.load(gradients + at, mask=inside).to(tl.float32)
    m = tl.load(first_moments + at, mask=inside) * 0.9 + g * 0.1
    v = tl.load(second_moments + at, mask=inside) * 0.999 + g * g * 0.001
    w = w * (1 - rate * decay) - rate * m / (tl.sqrt(v) + 1e-8)
    tl.store(first_moments + at, m, mask=inside)
    tl.store(second_moments + at, v, mask=inside)
    tl.store(weights + at, w.to(tl.bfloat16), mask=inside)


if __name__ == "__main__":
    write(adamw, {"weights": "*bf16", "gradients": "*bf16", "first_moments": "*fp32", "second_moments": "*fp32",
                  "n": "i32", "rate": "fp32", "decay": "fp32"}, {"BLOCK": 1024}, num_warps=4)
