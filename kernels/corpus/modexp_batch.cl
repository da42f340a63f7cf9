__kernel void powmod(__global const uint *base, __global const uint *exponent,
                     __global const uint *modulus, __global uint *result, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        ulong m = modulus[i];
        ulong b = base[i] % m, r = 1;
        for (uint e = exponent[i]; e; e >>= 1) {
            if (e & 1) r = r * b % m;
            b = b * b % m;
        }
        result[i] = (uint)r;
    }
}

/* x * y / 2^32 mod m, for x, y < m < 2^31 and minv = -1 / m mod 2^32 */
uint montmul(uint x, uint y, uint m, uint minv)
{
    uint lo = x * y, hi = mul_hi(x, y);
    uint q = lo * minv;
    uint t = hi + mul_hi(q, m) + (lo != 0);
    return t >= m ? t - m : t;
}

__kernel void powmod_mont(__global const uint *base, __global const uint *exponent,
                          __global const uint *modulus, __global uint *result, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    const uint m = modulus[i];
    uint inv = m;                       /* 3 bits are right */
    for (int k = 0; k < 4; k++) inv *= 2u - m * inv;
    const uint minv = 0u - inv;
    const uint one = (uint)(((ulong)1 << 32) % m);
    uint b = (uint)(((ulong)base[i] << 32) % m);
    uint r = one;
    uint e = exponent[i];
    while (e != 0) {
        uint t = montmul(r, b, m, minv);
        r = (e & 1u) ? t : r;
        b = montmul(b, b, m, minv);
        e >>= 1;
    }
    result[i] = montmul(r, 1u, m, minv);
}
