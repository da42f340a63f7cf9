/* Multiplies by halves of 32 bits: 2^32 times x is a shift by 32 in 61 bits, and % does the
 * rest. */
ulong shift_mod(ulong x, int by)
{
    const ulong p = 2305843009213693951UL;
    return ((x << by & p) + (x >> (61 - by))) % p;
}

ulong times(ulong a, ulong b)
{
    const ulong p = 2305843009213693951UL;
    ulong a1 = a >> 32, a0 = a & 0xffffffff, b1 = b >> 32, b0 = b & 0xffffffff;
    ulong high = a1 * b1 % p;
    ulong mid = (a1 * b0 % p + a0 * b1 % p) % p;
    return (shift_mod(shift_mod(high, 32) , 32) + shift_mod(mid, 32) + a0 * b0 % p) % p;
}

__kernel void sketch(__global const uint *text, __constant ulong *seeds, __global ulong *signature, int docs)
{
    const ulong p = 2305843009213693951UL, radix = 1099511628211UL;
    int doc = get_global_id(0) / 4, f = get_global_id(0) % 4;
    ulong square = times(radix, radix), cube = times(square, radix), best = p;
    for (int i = 0; i + 4 <= 64; i++) {
        __global const uint *w = text + doc * 64 + i;
        ulong h = (times(w[0], cube) + times(w[1], square) + times(w[2], radix) + w[3]) % p;
        ulong v = (times(seeds[2 * f], h) + seeds[2 * f + 1]) % p;
        if (v < best)
            best = v;
    }
    signature[get_global_id(0)] = best;
}
