/* Each value is loaded from where another one says. */
kernel void amd_waits(global int *a, global int *b, global int *out)
{
    const size_t i = get_global_id(0);
    int sum = 0;

    for (size_t k = 0; k < get_local_size(0); k++)
        sum += b[a[k * 1024 + i]];
    out[i] = sum;
}
