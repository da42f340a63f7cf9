"""Linear recurrence h = a h + b along the rows of a matrix by an associative scan, 512 steps at a time."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def combine(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def linear_scan(decay, drive, out, length, STEPS: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * length
    step = tl.arange(0, STEPS)
    state = tl.full((), 0.0, tl.float32)
    for first in range(0, length, STEPS):
        a = tl.load(decay + at + first + step)
        b = tl.load(drive + at + first + step)
        a, b = tl.associative_scan((a, b), 0, combine)
        h = a * state + b
        tl.store(out + at + first + step, h)
        state = tl.sum(tl.where(step == STEPS - 1, h, 0.0), axis=0)


if __name__ == "__main__":
    write(linear_scan, {"decay": "*fp32", "drive": "*fp32", "out": "*fp32", "length": "i32:16"}, {"STEPS": 512})
