__kernel void hs_step(__global const int *restrict src, __global int *restrict dst, int logd)
{
    size_t gid = get_global_id(0);
    size_t d = (size_t)1 << logd;
    int x = src[gid];
    if (gid >= d)
        x += src[gid - d];
    dst[gid] = x;
}

/* Scans 512 elements with 256 work-items: up-sweep, down-sweep, then adds the element itself to the
 * exclusive sum. */
__kernel void blelloch_blocks(__global const int *restrict in, __global int *restrict out,
                              __global int *restrict sums, __local int *tree)
{
    int lid = get_local_id(0);
    int n = 2 * get_local_size(0);
    int base = get_group_id(0) * n;
    int a = in[base + 2 * lid], b = in[base + 2 * lid + 1];
    int off = 1;

    tree[2 * lid] = a;
    tree[2 * lid + 1] = b;
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int ai = off * (2 * lid + 1) - 1;
            int bi = off * (2 * lid + 2) - 1;
            tree[bi] += tree[ai];
        }
        off <<= 1;
    }
    if (lid == 0) {
        sums[get_group_id(0)] = tree[n - 1];
        tree[n - 1] = 0;
    }
    for (int d = 1; d < n; d <<= 1) {
        off >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int ai = off * (2 * lid + 1) - 1;
            int bi = off * (2 * lid + 2) - 1;
            int t = tree[ai];
            tree[ai] = tree[bi];
            tree[bi] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * lid] = tree[2 * lid] + a;
    out[base + 2 * lid + 1] = tree[2 * lid + 1] + b;
}

/* Scans the sums with one work-group: each work-item sums a run of its own, then the runs' offsets
 * are added. */
__kernel void scan_sums(__global int *sums, int n)
{
    __local int part[512];
    int lid = get_local_id(0);
    int run = (n + 511) / 512;
    int from = min(lid * run, n), to = min(from + run, n);
    int s = 0;

    for (int i = from; i < to; i++)
        s += sums[i];
    part[lid] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 512; d <<= 1) {
        int t = lid >= d ? part[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[lid] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    s = lid ? part[lid - 1] : 0;
    for (int i = from; i < to; i++) {
        int t = sums[i];
        sums[i] = s;
        s += t;
    }
}

__kernel void add_offsets(__global int *out, __global const int *sums)
{
    out[get_global_id(0)] += sums[get_group_id(0)];
}
