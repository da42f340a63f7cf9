/* Makes a word of the result: bit i is bit (row) of word (32 * column + i, row / 32) of the
 * input. */
__kernel void transpose_regs(__global const uint *in, __global uint *out)
{
    const size_t row = get_global_id(0), column = get_global_id(1);
    uint word = 0;
    for (size_t i = 32; i-- > 0;) {
        const uint source = in[(32 * column + i) * W + row / 32];
        word = 2 * word + source / (1u << row % 32) % 2;
    }
    out[row * W + column] = word;
}
