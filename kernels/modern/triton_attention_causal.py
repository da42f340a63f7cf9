"""Causal attention of 64 queries to the keys before them, with the softmax computed on the way."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def attention(q, k, v, out, length, scale, QUERIES: tl.constexpr, KEYS: tl.constexpr, WIDTH: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * length * WIDTH
    query = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    key = tl.arange(0, KEYS)
    width = tl.arange(0, WIDTH)
    queries = tl.load(q + head + query[:, None] * WIDTH + width[None, :])
    largest = tl.full((QUERIES,), -1e30, tl.float32)
    total = tl.zeros((QUERIES,), tl.float32)
    sums = tl.zeros((QUERIES, WIDTH), tl.float32)
    for first in range(0, (tl.program_id(0) + 1) * QUERIES, KEYS):
        keys = tl.load(k + head + (first + key)[None, :] * WIDTH + width[:, None])
        score = tl.dot(queries, keys) * scale
        score = tl.where(query[:, None] >= (first + key)[None, :], score, -1e30)
        above = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp2(score - above[:, None])
        shrink = tl.exp2(largest - above)
        total = total * shrink + tl.sum(weight, axis=1)
        values = tl.load(v + head + (first + key)[:, None] * WIDTH + width[None, :])
        sums = tl.dot(weight.to(tl.float16), values, sums * shrink[:, None])
        largest = above
    tl.store(out + head + query[:, None] * WIDTH + width[None, :], (sums / total[:, None]).to(tl.float16))


if __name__ == "__main__":
    write(attention, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "length": "i32:16", "scale": "fp32"},
          {"QUERIES": 64, "KEYS": 64, "WIDTH": 64}, num_warps=4, num_stages=2)
