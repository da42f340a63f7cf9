"""Linear layer: matrix product, bias and GELU in one kernel."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def linear_gelu(x, weight, bias, out, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(1) * M + tl.arange(0, M)
    j = tl.program_id(0) * N + tl.arange(0, N)
    l = tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for first in range(0, k, K):
        left = tl.load(x + i[:, None] * k + (first + l)[None, :])
        right = tl.load(weight + (first + l)[:, None] * n + j[None, :])
        total = tl.dot(left, right, total)
    total += tl.load(bias + j).to(tl.float32)[None, :]
    total = total / (1 + tl.exp(-1.702 * total))
    tl.store(out + i[:, None] * n + j[None, :], total.to(tl.float16))


if __name__ == "__main__":
    write(linear_gelu, {"x": "*fp16", "weight": "*fp16", "bias": "*fp16", "out": "*fp16", "n": "i32:16", "k": "i32:16"},
          {"M": 128, "N": 64, "K": 64}, num_warps=4)
