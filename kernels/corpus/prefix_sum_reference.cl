__kernel void serial(__global const int *in, __global int *out, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        out[i] = s += in[i];
}
