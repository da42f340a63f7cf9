"""Products of many pairs of half-precision matrices, one block for each tile of 64 x 128 of a product."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def batched_matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    batch = tl.program_id(2)
    i = tl.program_id(1) * M + tl.arange(0, M)
    j = tl.program_id(0) * N + tl.arange(0, N)
    l = tl.arange(0, K)
    left = a + batch * m * k + i[:, None] * k + l[None, :]
    right = b + batch * k * n + l[:, None] * n + j[None, :]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, k, K):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += K
        right += K * n
    tl.store(c + batch * m * n + i[:, None] * n + j[None, :], total)


if __name__ == "__main__":
    write(batched_matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32:16", "n": "i32:16", "k": "i32:16"},
          {"M": 64, "N": 128, "K": 32}, num_warps=4)
