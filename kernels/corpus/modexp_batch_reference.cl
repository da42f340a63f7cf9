/* Multiplies by doubling and adding, and reads the exponent from its highest bit. All operations
 * are additions below 2^32. */
uint add_mod(uint a, uint b, uint m) { return a >= m - b ? a - (m - b) : a + b; }

uint mul_mod(uint a, uint b, uint m)
{
    uint sum = 0;
    for (int bit = 31; bit >= 0; bit--) {
        sum = add_mod(sum, sum, m);
        if (b >> bit & 1) sum = add_mod(sum, a, m);
    }
    return sum;
}

__kernel void powmod_adds(__global const uint *base, __global const uint *exponent,
                          __global const uint *modulus, __global uint *result, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    uint m = modulus[i], b = base[i], r = 1;
    while (b >= m) b -= m;
    for (int bit = 31; bit >= 0; bit--) {
        r = mul_mod(r, r, m);
        if (exponent[i] >> bit & 1) r = mul_mod(r, b, m);
    }
    result[i] = r;
}
