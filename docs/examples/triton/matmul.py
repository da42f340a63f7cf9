"""Product of two matrices in tiles, with tensor cores, and the ranking of its tiles."""
import triton
import triton.language as tl

import perfmodel.triton as pt


@triton.jit
def matmul(a, b, c, M, N, K, stride_a, stride_b, stride_c, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
           DEPTH: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    depth = tl.arange(0, DEPTH)
    at_a = a + row[:, None] * stride_a + depth[None, :]
    at_b = b + depth[:, None] * stride_b + column[None, :]
    sums = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, K, DEPTH):
        left = tl.load(at_a, mask=(row[:, None] < M) & (first + depth[None, :] < K), other=0.0)
        right = tl.load(at_b, mask=(first + depth[:, None] < K) & (column[None, :] < N), other=0.0)
        sums = tl.dot(left, right, sums)
        at_a += DEPTH
        at_b += DEPTH * stride_b
    at_c = c + row[:, None] * stride_c + column[None, :]
    tl.store(at_c, sums.to(tl.float16), mask=(row[:, None] < M) & (column[None, :] < N))


if __name__ == "__main__":
    size = 4096
    a, b, c = (pt.tensor((size, size), "fp16") for _ in range(3))
    configs = [triton.Config({"ROWS": rows, "COLUMNS": columns, "DEPTH": depth}, num_warps=warps, num_stages=3)
               for rows, columns in ((64, 64), (128, 128), (128, 256)) for depth in (32, 64) for warps in (4, 8)]
    for target in ("a100", "h100"):
        found = pt.rank(matmul, lambda meta: (triton.cdiv(size, meta["ROWS"]), triton.cdiv(size, meta["COLUMNS"])),
                        (a, b, c, size, size, size, size, size, size), configs, target)
        for choice in found.choices[:2] + found.choices[-1:]:
            tile = choice.parameters
            print(f"{target} {1e6 * choice.predicted_s:5.0f} us  {tile.ROWS} x {tile.COLUMNS} x {tile.DEPTH}, "
                  f"{tile.num_warps} warps, bound by {choice.bound}")
        print(len(found.choices), "ranked,", len(found.failed), "failed")
