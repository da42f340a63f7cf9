/* Each work-item makes a letter from its six bits, one at a time, from the highest bit of each byte
 * on. */
__kernel void letters(__global const uchar *in, __global uchar *out)
{
    size_t k = get_global_id(0);
    int v = 0;
    for (int b = 0; b < 6; b++) {
        size_t bit = 6 * k + b;
        v = 2 * v + (in[bit / 8] / (1 << (7 - bit % 8))) % 2;
    }
    if (v < 26) out[k] = 'A' + v;
    else if (v < 52) out[k] = 'a' + v - 26;
    else if (v < 62) out[k] = '0' + v - 52;
    else out[k] = v == 62 ? '-' : '_';
}
