"""Layer normalization of the rows of a matrix, which reads each row three times, and the ranking of its tiles."""
import triton
import triton.language as tl

import perfmodel.triton as pt


@triton.jit
def layer_norm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        total += tl.load(x + row + column, mask=column < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        value = tl.load(x + row + column, mask=column < columns, other=0.0).to(tl.float32)
        centred = tl.where(column < columns, value - mean, 0.0)
        squares += centred * centred
    scale = tl.rsqrt(tl.sum(squares, axis=0) / columns + eps)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        inside = column < columns
        value = tl.load(x + row + column, mask=inside, other=0.0).to(tl.float32)
        value = (value - mean) * scale * tl.load(weight + column, mask=inside) + tl.load(bias + column, mask=inside)
        tl.store(out + row + column, value, mask=inside)


if __name__ == "__main__":
    rows, columns = 4096, 8192
    x, out = pt.tensor((rows, columns), "fp16"), pt.tensor((rows, columns), "fp16")
    weight, bias = pt.tensor(columns, "fp16"), pt.tensor(columns, "fp16")
    configs = [triton.Config({"BLOCK": block}, num_warps=warps)
               for block in (256, 1024, 4096, 8192) for warps in (4, 8, 16)]
    found = pt.rank(layer_norm, (rows,), (x, weight, bias, out, columns, 1e-5), configs, "h100")
    for choice in found.choices[:3] + found.choices[-1:]:
        print(f"{1e6 * choice.predicted_s:5.0f} us  BLOCK {choice.parameters.BLOCK}, "
              f"{choice.parameters.num_warps} warps, bound by {choice.bound}")
    print(len(found.choices), "ranked,", len(found.failed), "failed")
