/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void smooth(__global const float *in, __global float *out, __global float *debug,
                     __global const int *index, int n)
{
    const int i = get_global_id(0);
    float sum = 0.0f;

    for (int k = 0; k < 16; k++)
        sum += in[(index[i] + k * 64) % n] / 16.0f;
    if (i == 0)
        debug[0] = sum;
    else
        out[i] = sum;
}
