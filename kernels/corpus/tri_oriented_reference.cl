/* The distance d of two vertices is an edge of the lower one (a) where d - 1 = k (k + 5) / 4 for a
 * k below 64 or 8. */
int joined(int a, int d)
{
    int k = 0, most = a % 32 == 0 ? 64 : 8;
    while (k < most && k * (k + 5) / 4 < d - 1)
        k++;
    return k < most && k * (k + 5) / 4 == d - 1;
}

__kernel void try_all(__global const uint *start, __global const uint *target,
                      __global uint *triangles, uint n)
{
    int v = get_global_id(0), most = v % 32 == 0 ? 64 : 8, count = 0;
    for (int k = 0; k < most; k++)
        for (int j = k + 1; j < most; j++) {
            int u = v + 1 + k * (k + 5) / 4, w = v + 1 + j * (j + 5) / 4;
            if (w < (int)n && joined(u, w - u))
                count++;
        }
    triangles[v] = count;
}
