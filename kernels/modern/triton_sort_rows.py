"""Sorts rows of 256 floats by a bitonic network, and writes the largest 16 of each row."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def sort_rows(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, TOP: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    value = tl.sort(tl.load(x + row[:, None] * COLUMNS + column[None, :]), dim=1, descending=True)
    tl.store(out + row[:, None] * TOP + column[None, :], value, mask=column[None, :] < TOP)


if __name__ == "__main__":
    write(sort_rows, {"x": "*fp32", "out": "*fp32"}, {"ROWS": 4, "COLUMNS": 256, "TOP": 16}, num_warps=8)
