"""Attention of one query per head to a part of the cached keys. Each block writes a partial sum, its maximum and its
total, as the first of the two kernels of split decoding does."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def decode(q, k, v, partial, largest_out, total_out, length, scale, PART: tl.constexpr, KEYS: tl.constexpr,
           WIDTH: tl.constexpr):
    head = tl.program_id(1)
    key = tl.program_id(0) * PART + tl.arange(0, KEYS)
    width = tl.arange(0, WIDTH)
    query = tl.load(q + head * WIDTH + width).to(tl.float32)
    at = head.to(tl.int64) * length * WIDTH + key[:, None] * WIDTH + width[None, :]
    largest = -1e30
    total = 0.0
    sums = tl.zeros((WIDTH,), tl.float32)
    for _ in range(0, PART, KEYS):
        score = tl.sum(tl.load(k + at).to(tl.float32) * query[None, :], axis=1) * scale
        above = tl.maximum(largest, tl.max(score, axis=0))
        weight = tl.exp2(score - above)
        shrink = tl.exp2(largest - above)
        total = total * shrink + tl.sum(weight, axis=0)
        sums = sums * shrink + tl.sum(weight[:, None] * tl.load(v + at).to(tl.float32), axis=0)
        largest = above
        at += KEYS * WIDTH
    part = head * tl.num_programs(0) + tl.program_id(0)
    tl.store(partial + part * WIDTH + width, sums)
    tl.store(largest_out + part, largest)
    tl.store(total_out + part, total)


if __name__ == "__main__":
    write(decode, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "partial": "*fp32", "largest_out": "*fp32",
                   "total_out": "*fp32", "length": "i32:16", "scale": "fp32"},
          {"PART": 256, "KEYS": 32, "WIDTH": 128}, num_warps=4)
