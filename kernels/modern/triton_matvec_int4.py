"""Matrix-vector product with weights of four bits: eight in each integer, and a scale for each group of 128."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def matvec_int4(packed, scales, x, out, k, ROWS: tl.constexpr, WORDS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    word = tl.arange(0, WORDS)
    total = tl.zeros((ROWS, WORDS), tl.float32)
    for first in range(0, k // 8, WORDS):
        bits = tl.load(packed + row[:, None] * (k // 8) + (first + word)[None, :])
        scale = tl.load(scales + row[:, None] * (k // 128) + ((first + word) // 16)[None, :]).to(tl.float32)
        part = tl.zeros((ROWS, WORDS), tl.float32)
        for i in tl.static_range(8):
            weight = ((bits >> (4 * i)) & 15).to(tl.float32) - 8
            part += weight * tl.load(x + (first + word) * 8 + i).to(tl.float32)[None, :]
        total += part * scale
    tl.store(out + row, tl.sum(total, axis=1))


if __name__ == "__main__":
    write(matvec_int4, {"packed": "*i32", "scales": "*fp16", "x": "*fp16", "out": "*fp32", "k": "i32:16"},
          {"ROWS": 8, "WORDS": 128}, num_warps=4)
