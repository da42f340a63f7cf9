/* Each value is loaded from an address that another loaded value determines. */
kernel void amd_waits(global int *a, global int *b, global int *out)
{
    const size_t i = get_global_id(0);
    const int rounds = 64 + a[0]; /* a scalar load */
    int sum = 0;

    for (int k = 0; k < rounds; k++)
        sum += b[a[k * 1024 + i]];
    out[i] = sum;
}
