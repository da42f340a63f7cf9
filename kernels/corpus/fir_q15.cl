#define TAPS 48
/* Coefficients of a low pass (windowed sine) in Q15. */
__constant short coef[TAPS] = {
    41, 49, 55, 58, 50, 24, -26, -103, -203, -315, -418, -486,
    -487, -389, -169, 187, 676, 1280, 1959, 2663, 3331, 3901, 4316, 4535,
    4535, 4316, 3901, 3331, 2663, 1959, 1280, 676, 187, -169, -389, -487,
    -486, -418, -315, -203, -103, -26, 24, 50, 58, 55, 49, 41
};

/* y[n] = sum coef[k] x[n + k], rounded and saturated */
__kernel void fir_direct(__global const short *x, __global short *y)
{
    const size_t n = get_global_id(0);
    int acc = 1 << 14;
    for (int k = 0; k < TAPS; k++)
        acc += coef[k] * x[n + k];
    y[n] = convert_short_sat(acc >> 15);
}

#define WG 192
/* Filters with the input window in local memory. Each work-item computes four outputs. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fir_local4(__global const short *x, __global short *y)
{
    __local short win[WG * 4 + TAPS];
    const int lid = get_local_id(0);
    const size_t first = (size_t)get_group_id(0) * WG * 4;
    for (int k = lid; k < WG * 4 + TAPS; k += WG)
        win[k] = x[first + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 acc = 1 << 14;
    for (int k = 0; k < TAPS; k++) {
        const int c = coef[k];
        acc.x = mad24(c, (int)win[lid + k], acc.x);
        acc.y = mad24(c, (int)win[lid + k + WG], acc.y);
        acc.z = mad24(c, (int)win[lid + k + WG * 2], acc.z);
        acc.w = mad24(c, (int)win[lid + k + WG * 3], acc.w);
    }
    const short4 out = convert_short4_sat(acc >> 15);
    y[first + lid] = out.x;
    y[first + lid + WG] = out.y;
    y[first + lid + WG * 2] = out.z;
    y[first + lid + WG * 3] = out.w;
}
