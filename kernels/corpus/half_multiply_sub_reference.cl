/* Everything in 64-bit integers, values in units of 2^-48 (normal halves down to 2^-14 have units of 2^-24; products of
 * 2^-48), and then rounded by hand: first to float's 24 bits, as the kernel's subtraction does, then to half's 11. */
long fixed(uint h)
{
    uint e = h >> 10 & 31, m = h & 1023;
    long v = e ? (long)(1024 + m) << (e - 1) : (long)m;   /* units of 2^-24 */
    return h & 0x8000 ? -v : v;
}

long round_bits(long v, int bits)                          /* v >= 0, ties to even */
{
    int drop = 64 - (int)clz(v) - bits;
    if (drop <= 0) return v;
    long unit = 1L << drop, low = v & (unit - 1);
    v -= low;
    if (low * 2 > unit || (low * 2 == unit && (v & unit))) v += unit;
    return v;
}

__kernel void mulsub_bits(__global const ushort *a, __global const ushort *b, __global const ushort *c,
                          __global ushort *out)
{
    size_t i = get_global_id(0);
    long v = fixed(a[i]) * fixed(b[i]) - (fixed(c[i]) << 24);
    uint sign = v < 0 ? 0x8000 : 0;
    if (v < 0) v = -v;
    v = round_bits(v, 24);
    /* to half: 2^-14 is 2^34 units of 2^-48, what is smaller has steps of 2^-24 */
    uint bits;
    if (v < (1L << 34)) {
        long unit = 1L << 24, low = v & (unit - 1);
        v -= low;
        if (low * 2 > unit || (low * 2 == unit && (v & unit))) v += unit;
        bits = (uint)(v >> 24);
    } else {
        v = round_bits(v, 11);
        int top = 63 - (int)clz(v);
        bits = (uint)(top - 34 + 1) << 10 | ((uint)(v >> (top - 10)) & 1023);
    }
    out[i] = (ushort)(sign | bits);
}
