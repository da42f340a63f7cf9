"""Attention of one query tile to all keys with the softmax computed on the way (flash attention)."""
import triton
import triton.language as tl

import perfmodel.triton as pt


@triton.jit
def attention(q, k, v, out, length, scale, QUERIES: tl.constexpr, KEYS: tl.constexpr, WIDTH: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * length * WIDTH
    query = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    key = tl.arange(0, KEYS)
    width = tl.arange(0, WIDTH)
    queries = tl.load(q + head + query[:, None] * WIDTH + width[None, :])
    largest = tl.full((QUERIES,), float("-inf"), tl.float32)
    total = tl.zeros((QUERIES,), tl.float32)
    sums = tl.zeros((QUERIES, WIDTH), tl.float32)
    for first in range(0, length, KEYS):
        keys = tl.load(k + head + (first + key[None, :]) * WIDTH + width[:, None])
        values = tl.load(v + head + (first + key[:, None]) * WIDTH + width[None, :])
        score = tl.dot(queries, keys) * scale
        above = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp2(score - above[:, None])
        shrink = tl.exp2(largest - above)
        total = total * shrink + tl.sum(weight, axis=1)
        sums = tl.dot(weight.to(tl.float16), values, sums * shrink[:, None])
        largest = above
    tl.store(out + head + query[:, None] * WIDTH + width[None, :], (sums / total[:, None]).to(tl.float16))


if __name__ == "__main__":
    heads, length, width = 32, 4096, 64
    q, k, v, out = (pt.tensor((heads, length, width), "fp16") for _ in range(4))
    for target in ("a100", "h100"):
        found = pt.predict(attention, (length // 128, heads), (q, k, v, out, length, 0.18), target, QUERIES=128, KEYS=64,
                           WIDTH=width, num_warps=4, num_stages=3)
        kernel = found.predictions[0]
        print(f"{target}: {1e3 * kernel.predicted_s:.2f} ms ({1e3 * kernel.lo_s:.2f} to {1e3 * kernel.hi_s:.2f}), "
              f"bound by {kernel.bound}")
