"""Product of matrices of bytes with a scale for each row and each column, tiles of 128 x 128 x 64."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def matmul_int8(a, b, row_scales, column_scales, c, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(1) * M + tl.arange(0, M)
    j = tl.program_id(0) * N + tl.arange(0, N)
    l = tl.arange(0, K)
    total = tl.zeros((M, N), tl.int32)
    for first in range(0, k, K):
        left = tl.load(a + i[:, None] * k + (first + l)[None, :])
        right = tl.load(b + j[None, :] * k + (first + l)[:, None])
        total = tl.dot(left, right, total)
    value = total.to(tl.float32) * tl.load(row_scales + i)[:, None] * tl.load(column_scales + j)[None, :]
    tl.store(c + i[:, None] * n + j[None, :], value.to(tl.float16))


if __name__ == "__main__":
    write(matmul_int8, {"a": "*i8", "b": "*i8", "row_scales": "*fp32", "column_scales": "*fp32", "c": "*fp16",
                        "n": "i32:16", "k": "i32:16"}, {"M": 128, "N": 128, "K": 64}, num_warps=8)
