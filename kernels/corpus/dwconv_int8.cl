#define SHIFT 20
#define ZERO_IN (-4)   /* zero point of the activations */
#define ZERO_OUT 3

__kernel void dw3x3(__global const char *act, __global const char *weight,
                    __global const int *multiplier, __global const int *offset,
                    __global char *out, int side)
{
    const int c = get_global_id(0), x = get_global_id(1);
    const int y = get_global_id(2) % side, image = get_global_id(2) / side;
    const int channels = get_global_size(0);
    int acc = offset[c];

    for (int dy = -1; dy <= 1; dy++) {
        if (y + dy < 0 || y + dy >= side)
            continue;
        for (int dx = -1; dx <= 1; dx++) {
            if (x + dx < 0 || x + dx >= side)
                continue;
            const int a = act[((image * side + y + dy) * side + x + dx) * channels + c];
            acc += (a - ZERO_IN) * weight[(dy * 3 + dx + 4) * channels + c];
        }
    }
    const int scaled = (int)(((long)acc * multiplier[c] * 16 + (1 << (SHIFT - 1))) >> SHIFT);
    out[((image * side + y) * side + x) * channels + c] = convert_char_sat(scaled + ZERO_OUT);
}

__kernel void dw3x3_quad(__global const char4 *act, __global const char4 *weight,
                         __global const int4 *multiplier, __global const int4 *offset,
                         __global char4 *out, int side, int quads)
{
    const int c = get_global_id(0), x = get_global_id(1);
    const int y = get_global_id(2) % side, image = get_global_id(2) / side;
    if (c >= quads)
        return;
    int4 acc = offset[c];

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if ((uint)(y + dy) < (uint)side && (uint)(x + dx) < (uint)side) {
                const char4 a = act[((image * side + y + dy) * side + x + dx) * quads + c];
                acc += (convert_int4(a) - ZERO_IN) *
                       convert_int4(weight[(dy * 3 + dx + 4) * quads + c]);
            }
    const long4 wide = convert_long4(acc) * convert_long4(multiplier[c]) * 16L;
    const int4 scaled = convert_int4((wide + (1L << (SHIFT - 1))) >> (long4)(SHIFT));
    out[((image * side + y) * side + x) * quads + c] = convert_char4_sat(scaled + ZERO_OUT);
}
