// Uses 64-bit integers throughout, counts leading zeros in a loop, and is one state machine.
ulong shuffled(ulong x)
{
    x = (x ^ x / 65536) * 0x7feb352d % 0x100000000;
    x = (x ^ x / 32768) * 0x846ca68b % 0x100000000;
    return x ^ x / 65536;
}

ulong xorshift(ulong x)
{
    x = (x ^ x * 8192) % 0x100000000;
    x = x ^ x / 131072;
    return (x ^ x * 32) % 0x100000000;
}

__kernel void slab_walk(__global const uint *sigma, __global const uint *absorption, __global uint *tally,
                        __global ushort *flights, int depth, uint seed)
{
    ulong s = shuffled(get_global_id(0) ^ (ulong)seed) | 1;
    long z = 0, mu = 65535, n = 0;
    int end = -1;
    while (end < 0) {
        s = xorshift(s);
        long zeros = 0;
        while (!(s >> (31 - zeros) & 1))
            zeros++;
        long m = (long)(s * ((ulong)2 << zeros) % 0x100000000 / 65536);
        long lg = m + m * (65536 - m) / 65536 * 22518 / 65536;
        long path = ((zeros + 1) * 65536 - lg) * 45426 / 65536;
        z += path * mu >> 16;
        n++;
        if (z < 0)
            end = 64;
        else if (z >= depth)
            end = 65;
        else {
            long zone = z * 64 / depth;
            s = xorshift(s);
            if (s / 65536 < sigma[zone]) {
                s = xorshift(s);
                if (s / 65536 < absorption[zone])
                    end = zone;
                else
                    mu = 2 * (long)(s % 65536) - 65535;
            }
        }
    }
    flights[get_global_id(0)] = n > 65535 ? 65535 : n;
    atomic_add(tally + end, 1u);
}
