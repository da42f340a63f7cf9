"""Cross entropy of rows of logits in one pass, and its gradient in a second pass over the row."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def cross_entropy(logits, labels, losses, gradient, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = row.to(tl.int64) * columns
    lane = tl.arange(0, BLOCK)
    label = tl.load(labels + row)
    largest = tl.full((), -1e30, tl.float32)
    total = tl.full((), 0.0, tl.float32)
    for first in range(0, columns, BLOCK):
        value = tl.load(logits + at + first + lane, mask=first + lane < columns, other=-1e30).to(tl.float32)
        above = tl.maximum(largest, tl.max(value, axis=0))
        total = total * tl.exp(largest - above) + tl.sum(tl.exp(value - above), axis=0)
        largest = above
    chosen = tl.load(logits + at + label).to(tl.float32)
    tl.store(losses + row, tl.log(total) + largest - chosen)
    for first in range(0, columns, BLOCK):
        inside = first + lane < columns
        value = tl.load(logits + at + first + lane, mask=inside, other=-1e30).to(tl.float32)
        share = tl.exp(value - largest) / total - tl.where(first + lane == label, 1.0, 0.0)
        tl.store(gradient + at + first + lane, share.to(tl.bfloat16), mask=inside)


if __name__ == "__main__":
    write(cross_entropy, {"logits": "*bf16", "labels": "*i32", "losses": "*fp32", "gradient": "*bf16",
                          "columns": "i32"}, {"BLOCK": 2048}, num_warps=8)
