/* Kernels whose accesses are regular and scattered. Their traces shall take as long for many work-items as for few.
 * docs/results/speed.md has the times. SPDX-License-Identifier: GPL-3.0-or-later */
uint scramble(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

kernel void stream(global const float *a, global const float *b, global float *c)
{
    uint i = get_global_id(0);

    c[i] = a[i] + 3 * b[i];
}

kernel void stencil(global const float *a, global float *c, uint side)
{
    uint i = get_global_id(0), x = i % side, y = i / side;

    if (x > 0 && y > 0 && x < side - 1 && y < side - 1)
        c[i] = a[i] + a[i - 1] + a[i + 1] + a[i - side] + a[i + side];
}

kernel void gather(global const float *a, global float *c, uint mask)
{
    uint i = get_global_id(0);
    float sum = 0;

    for (uint k = 0; k < 16; k++)
        sum += a[scramble(16 * i + k) & mask];
    c[i] = sum;
}

kernel void updates(global uint *t, uint mask)
{
    uint i = get_global_id(0);

    for (uint k = 0; k < 4; k++)
        t[scramble(4 * i + k) & mask] ^= i;
}

kernel void atomics(global uint *t, uint mask)
{
    uint i = get_global_id(0);

    for (uint k = 0; k < 4; k++)
        atomic_add(&t[scramble(4 * i + k) & mask], i);
}
