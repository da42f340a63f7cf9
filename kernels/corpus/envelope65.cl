__kernel void envelope(__global const int *level, __global int *range, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int lo = INT_MAX, hi = INT_MIN;
    for (int d = -R; d <= R; d++) {
        int v = level[clamp(i + d, 0, n - 1)];
        lo = min(lo, v);
        hi = max(hi, v);
    }
    range[i] = hi - lo;
}

#define GROUP 256
#define OUT (GROUP - 2 * R)

/* A work-group loads 256 values to compute 192 results. After a round, entry k has the extremes of
 * [k, k + reach). */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void envelope_doubling(__global const int *level, __global int *range, int n)
{
    __local int lo[GROUP], hi[GROUP];
    const int k = get_local_id(0);
    const int i = get_group_id(0) * OUT + k - R;
    const int own = level[clamp(i, 0, n - 1)];
    int a = own, b = own;

    lo[k] = a;
    hi[k] = b;
    for (int reach = 1; reach < 2 * R; reach *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = min(k + reach, GROUP - 1);
        a = min(a, lo[other]);
        b = max(b, hi[other]);
        barrier(CLK_LOCAL_MEM_FENCE);
        lo[k] = a;
        hi[k] = b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    /* The window [k - R, k + R] consists of the windows of 64 entries from k - R and from k - R +
     * 1. */
    if (k >= R && k < GROUP - R && i < n)
        range[i] = max(hi[k - R], hi[k - R + 1]) - min(lo[k - R], lo[k - R + 1]);
}
