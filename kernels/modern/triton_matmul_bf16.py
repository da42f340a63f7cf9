"""Product of two bfloat16 matrices, the second one transposed, with small tiles of 64 x 64 x 64 and four stages."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def matmul_transposed(a, b, c, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(1) * M + tl.arange(0, M)
    j = tl.program_id(0) * N + tl.arange(0, N)
    l = tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for first in range(0, k, K):
        left = tl.load(a + i[:, None] * k + (first + l)[None, :])
        right = tl.load(b + j[None, :] * k + (first + l)[:, None])
        total = tl.dot(left, right, total)
    tl.store(c + i[:, None] * n + j[None, :], total.to(tl.bfloat16))


if __name__ == "__main__":
    write(matmul_transposed, {"a": "*bf16", "b": "*bf16", "c": "*bf16", "n": "i32:16", "k": "i32:16"},
          {"M": 64, "N": 64, "K": 64}, num_warps=4, num_stages=4)
