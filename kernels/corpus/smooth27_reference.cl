// Uses a table of 27 weights and a list of neighbours, in double.
__kernel void Smooth27(__global const float* in, __global float* out, int4 dim, float4 weight)
{
    int p[3] = {get_global_id(0), get_global_id(1), get_global_id(2)};
    int n[3] = {dim.x, dim.y, dim.z};
    double w[4] = {weight.x, weight.y, weight.z, weight.w}, sum = 0;

    if (p[0] >= n[0] || p[1] >= n[1] || p[2] >= n[2])
        return;
    for (int k = 0; k < 27; k++) {
        int shift[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        int q[3], kind = 0;
        for (int a = 0; a < 3; a++) {
            q[a] = p[a] + shift[a];
            q[a] = q[a] < 0 ? 0 : q[a] == n[a] ? n[a] - 1 : q[a];
            kind += shift[a] != 0;
        }
        sum += w[kind] * in[(q[2] * n[1] + q[1]) * n[0] + q[0]];
    }
    out[(p[2] * n[1] + p[1]) * n[0] + p[0]] = (float)sum;
}
