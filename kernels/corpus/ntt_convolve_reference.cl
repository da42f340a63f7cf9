__kernel void schoolbook(__global const uint *p, __global const uint *q, __global uint *product)
{
    const uint at = get_global_id(0), poly = at / 512, k = at % 512;
    ulong s = 0;
    for (uint j = 0; j < 256; j++)
        if (k >= j && k - j < 256)
            s = (s + (ulong)p[poly * 256 + j] * q[poly * 256 + k - j]) % 998244353;
    product[at] = (uint)s;
}
