"""Histogram of bytes: each block counts its own elements, and adds its counts by atomics."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def histogram(values, counts, n, BLOCK: tl.constexpr, ROUNDS: tl.constexpr):
    at = tl.program_id(0) * (BLOCK * ROUNDS) + tl.arange(0, BLOCK)
    total = tl.zeros((256,), tl.int32)
    for i in range(ROUNDS):
        value = tl.load(values + at + i * BLOCK).to(tl.int32)
        total += tl.histogram(value, 256)
    tl.atomic_add(counts + tl.arange(0, 256), total, sem="relaxed")


if __name__ == "__main__":
    write(histogram, {"values": "*u8", "counts": "*i32", "n": "i32:16"}, {"BLOCK": 1024, "ROUNDS": 16})
