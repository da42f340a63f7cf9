int unlike(__global const uint *a, __global const uint *b)
{
    int n = 0;
    for (int w = 0; w < 8; w++)
        for (uint x = a[w] ^ b[w]; x; x &= x - 1) n++;
    return n;
}

/* Makes two passes: one for the smallest distance, and one for the smallest of the others. */
__kernel void match_plain(__global const uint *q, __global const uint *t, __global int2 *best, int train)
{
    int i = get_global_id(0), at = 0, d1 = 1000, d2 = 1000;
    for (int j = train - 1; j >= 0; j--) {
        int d = unlike(q + i * 8, t + j * 8);
        if (d <= d1) { d1 = d; at = j; }
    }
    for (int j = 0; j < train; j++) {
        int d = unlike(q + i * 8, t + j * 8);
        if (j != at && d < d2) d2 = d;
    }
    best[i] = (int2)(at, 10 * d1 < 9 * d2 ? 1 : 0);
}
