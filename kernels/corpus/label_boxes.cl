// point: x, y, z and a number whose low bits are the label
__kernel void boxes(__global const int4 *points, __global int *lo, __global int *hi,
                    __global uint *outside, int radius)
{
    int4 p = points[get_global_id(0)];
    int label = p.w & (LABELS - 1);
    if (max(abs(p.x), max(abs(p.y), abs(p.z))) > (uint)radius) {
        atomic_inc(outside);
        return;
    }
    atomic_min(&lo[label * 3 + 0], p.x);
    atomic_max(&hi[label * 3 + 0], p.x);
    atomic_min(&lo[label * 3 + 1], p.y);
    atomic_max(&hi[label * 3 + 1], p.y);
    atomic_min(&lo[label * 3 + 2], p.z);
    atomic_max(&hi[label * 3 + 2], p.z);
}

__kernel void boxes_local(__global const int4 *points, __global int *lo, __global int *hi,
                          __global uint *outside, int radius)
{
    __local int llo[LABELS * 3], lhi[LABELS * 3];
    __local uint lout;
    int t = get_local_id(0);
    if (t < LABELS * 3) {
        llo[t] = INT_MAX;
        lhi[t] = -INT_MAX;
    }
    if (t == 0) lout = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    int4 p = points[get_global_id(0)];
    int label = p.w & (LABELS - 1);
    if (max(abs(p.x), max(abs(p.y), abs(p.z))) > (uint)radius)
        atomic_inc(&lout);
    else {
        __local int *a = llo + label * 3, *b = lhi + label * 3;
        atomic_min(a, p.x);
        atomic_max(b, p.x);
        atomic_min(a + 1, p.y);
        atomic_max(b + 1, p.y);
        atomic_min(a + 2, p.z);
        atomic_max(b + 2, p.z);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < LABELS * 3) {
        if (llo[t] != INT_MAX) atomic_min(lo + t, llo[t]);
        if (lhi[t] != -INT_MAX) atomic_max(hi + t, lhi[t]);
    }
    if (t == 0 && lout) atomic_add(outside, lout);
}
