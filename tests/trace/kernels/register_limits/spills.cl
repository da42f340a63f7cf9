/* 40 values are live at the same time: all are loaded before the first is stored. */
#ifndef LIMIT
#define LIMIT
#endif
LIMIT kernel void spills(global int *a, global int *b, global int *out)
{
    const size_t i = get_global_id(0);
    int v[40];

    for (int k = 0; k < 40; k++)
        v[k] = a[i + 256 * k];
    for (int k = 0; k < 40; k++)
        out[i + 256 * k] = v[k] ^ b[i + 256 * k];
}
