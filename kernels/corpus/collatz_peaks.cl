__kernel void collatz(__global ushort *steps, __global ulong *peak, ulong first)
{
    size_t i = get_global_id(0);
    ulong n = first + i, top = n;
    uint count = 0;
    while (n != 1) {
        if (n & 1) {
            n = 3 * n + 1;
            if (n > top) top = n;
        } else
            n >>= 1;
        count++;
    }
    steps[i] = count;
    peak[i] = top;
}

__kernel void collatz_ctz(__global ushort *steps, __global ulong *peak, ulong first)
{
    size_t i = get_global_id(0);
    ulong n = first + i, top = n;
    /* trailing zeros: 63 minus the leading ones of the lowest bit alone */
    uint z = 63 - (uint)clz(n & -n);
    uint count = z;
    n >>= z;
    while (n != 1) {
        n += (n << 1) + 1;
        top = max(top, n);
        z = 63 - (uint)clz(n & -n);
        n >>= z;
        count += z + 1;
    }
    steps[i] = (ushort)count;
    peak[i] = top;
}
