/* Convolution by its definition. The padding is the zero point, so border values add nothing. The
 * result is rounded as floor(x / 2^16 + 1/2). */
__kernel void conv_definition(__global const char *act, __global const char *weight,
                              __global const int *multiplier, __global const int *offset,
                              __global char *out, int side, int channels)
{
    const int at = get_global_id(0), c = at % channels, x = at / channels % side;
    const int y = at / channels / side % side, n = at / channels / side / side;
    long sum = offset[c];
    for (int t = 0; t < 9; t++) {
        const int u = x + t % 3 - 1, v = y + t / 3 - 1;
        int a = -4;
        if (u >= 0 && u < side && v >= 0 && v < side)
            a = act[c + channels * (u + side * (v + side * n))];
        sum += (long)(a + 4) * weight[t * channels + c];
    }
    long twice = sum * multiplier[c] * 2 + 65536, unit = 131072;
    long q = twice / unit;
    if (q * unit > twice)
        q--;
    q += 3;
    out[at] = (char)(q > 127 ? 127 : q < -128 ? -128 : q);
}
