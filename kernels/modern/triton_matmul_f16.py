"""Product of two half-precision matrices with tiles of 128 x 128 x 32; the asynchronous loads have three stages."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr):
    tiles = n // N
    strip = tl.program_id(0) // (GROUP * tiles)
    row = strip * GROUP + tl.program_id(0) % GROUP
    column = tl.program_id(0) % (GROUP * tiles) // GROUP
    i = row * M + tl.arange(0, M)
    j = column * N + tl.arange(0, N)
    l = tl.arange(0, K)
    left = a + i[:, None] * k + l[None, :]
    right = b + l[:, None] * n + j[None, :]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, k, K):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += K
        right += K * n
    tl.store(c + i[:, None] * n + j[None, :], total.to(tl.float16))


if __name__ == "__main__":
    write(matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp16", "m": "i32:16", "n": "i32:16", "k": "i32:16"},
          {"M": 128, "N": 128, "K": 32, "GROUP": 4}, num_warps=8)
