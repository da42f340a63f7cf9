#define K 8

/* Merges the sorted list `b` into the sorted list `a`, both in local memory. Equal scores are
 * ordered by column. */
void merge_into(__local float *av, __local int *ai, __local const float *bv, __local const int *bi)
{
    float v[K];
    int c[K];
    int p = 0, q = 0;
    for (int n = 0; n < K; n++) {
        bool left = av[p] > bv[q] || (av[p] == bv[q] && ai[p] < bi[q]);
        v[n] = left ? av[p] : bv[q];
        c[n] = left ? ai[p] : bi[q];
        if (left) p++; else q++;
    }
    for (int n = 0; n < K; n++) {
        av[n] = v[n];
        ai[n] = c[n];
    }
}

void reduce_lists(__local float *lv, __local int *li, __global float *best, __global int *column)
{
    const int me = get_local_id(0);
    for (int half_ = WG / 2; half_ > 0; half_ >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < half_)
            merge_into(lv + me * K, li + me * K, lv + (me + half_) * K, li + (me + half_) * K);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < K) {
        best[get_group_id(0) * K + me] = lv[me];
        column[get_group_id(0) * K + me] = li[me];
    }
}

__kernel void topk_insert(__global const float *scores, int cols, __global float *best, __global int *column)
{
    __local float lv[WG * K];
    __local int li[WG * K];
    const int me = get_local_id(0);
    __global const float *row = scores + (size_t)get_group_id(0) * cols;
    float v[K];
    int c[K];

    for (int n = 0; n < K; n++) {
        v[n] = -INFINITY;
        c[n] = INT_MAX;
    }
    for (int j = me; j < cols; j += WG) {
        const float s = row[j];
        if (s <= v[K - 1])
            continue;
        int at = K - 1;
        while (at > 0 && s > v[at - 1]) {
            v[at] = v[at - 1];
            c[at] = c[at - 1];
            at--;
        }
        v[at] = s;
        c[at] = j;
    }
    for (int n = 0; n < K; n++) {
        lv[me * K + n] = v[n];
        li[me * K + n] = c[n];
    }
    reduce_lists(lv, li, best, column);
}

__kernel void topk_network(__global const float *scores, int cols, __global float *best, __global int *column)
{
    __local float lv[WG * K];
    __local int li[WG * K];
    const int me = get_local_id(0);
    __global const float *row = scores + (size_t)get_group_id(0) * cols;
    float v[K];
    int c[K];

#pragma unroll
    for (int n = 0; n < K; n++) {
        v[n] = -INFINITY;
        c[n] = INT_MAX;
    }
    for (int j = me; j < cols; j += WG) {
        float s = row[j];
        int k = j;
        if (s > v[K - 1]) {
#pragma unroll
            for (int n = 0; n < K; n++) {
                const bool up = s > v[n];
                const float sv = v[n];
                const int sc = c[n];
                v[n] = up ? s : sv;
                c[n] = up ? k : sc;
                s = up ? sv : s;
                k = up ? sc : k;
            }
        }
    }
#pragma unroll
    for (int n = 0; n < K; n++) {
        lv[me * K + n] = v[n];
        li[me * K + n] = c[n];
    }
    reduce_lists(lv, li, best, column);
}
