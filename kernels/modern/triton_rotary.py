"""Rotary position embedding of all heads of a token in place: pairs of elements half a head apart are rotated."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def rotary(x, cosine, sine, positions, heads, HEADS: tl.constexpr, HALF: tl.constexpr):
    token = tl.program_id(0)
    half = tl.arange(0, HALF)
    head = tl.program_id(1) * HEADS + tl.arange(0, HEADS)
    position = tl.load(positions + token)
    c = tl.load(cosine + position * HALF + half)[None, :]
    s = tl.load(sine + position * HALF + half)[None, :]
    at = x + (token * heads + head[:, None]) * (2 * HALF) + half[None, :]
    first = tl.load(at).to(tl.float32)
    second = tl.load(at + HALF).to(tl.float32)
    tl.store(at, (first * c - second * s).to(tl.bfloat16))
    tl.store(at + HALF, (second * c + first * s).to(tl.bfloat16))


if __name__ == "__main__":
    write(rotary, {"x": "*bf16", "cosine": "*fp32", "sine": "*fp32", "positions": "*i32", "heads": "i32:16"},
          {"HEADS": 16, "HALF": 64}, num_warps=4)
