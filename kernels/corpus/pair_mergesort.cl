/* Returns how many pairs of the run have a smaller key. also_equal: counts pairs with an equal key,
 * too. */
static int rank_in(global const uint2 *run, int length, uint key, bool also_equal)
{
    int lo = 0, hi = length;
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        uint k = run[mid].x;
        if (k < key || (also_equal && k == key))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

kernel void merge_pass(global const uint2 *restrict from, global uint2 *restrict to, int n, int pass)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int run = i >> pass, begin = run << pass;
    int other = min((run ^ 1) << pass, n), length = min(n - other, 1 << pass);
    uint2 mine = from[i];
    bool right = run & 1;
    int rank = rank_in(from + other, length, mine.x, right);
    to[(right ? other : begin) + i - begin + rank] = mine;
}

kernel void sort_blocks(global uint2 *a, int n)
{
    local uint2 stage[2][256];
    int me = get_local_id(0), i = get_global_id(0), length = min(n - (int)get_group_id(0) * 256, 256);
    if (i < n)
        stage[0][me] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int pass = 0; pass < 8; pass++) {
        if (i < n) {
            local const uint2 *from = stage[pass & 1];
            uint2 mine = from[me];
            int run = me >> pass, begin = run << pass, other = (run ^ 1) << pass;
            int lo = min(other, length), hi = min(lo + (1 << pass), length), first = lo;
            while (lo < hi) {
                int mid = (lo + hi) >> 1;
                uint k = from[mid].x;
                if (k < mine.x || ((run & 1) && k == mine.x))
                    lo = mid + 1;
                else
                    hi = mid;
            }
            stage[~pass & 1][min(begin, other) + me - begin + lo - first] = mine;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        a[i] = stage[0][me];
}

kernel void merge_eights(global const uint2 *restrict from, global uint2 *restrict to, int n, int pass)
{
    int out = get_global_id(0) * 8;
    if (out >= n)
        return;
    int begin = out >> (pass + 1) << (pass + 1);
    int middle = min(begin + (1 << pass), n), end = min(middle + (1 << pass), n);
    int diagonal = out - begin, na = middle - begin, nb = end - middle;
    int lo = max(diagonal - nb, 0), hi = min(diagonal, na);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (from[begin + mid].x <= from[middle + diagonal - 1 - mid].x)
            lo = mid + 1;
        else
            hi = mid;
    }
    int ia = begin + lo, ib = middle + diagonal - lo;
    uint2 a = ia < middle ? from[ia] : (uint2)(0), b = ib < end ? from[ib] : (uint2)(0);
    for (int k = out; k < min(out + 8, end); k++) {
        if (ib >= end || (ia < middle && a.x <= b.x)) {
            to[k] = a;
            if (++ia < middle)
                a = from[ia];
        } else {
            to[k] = b;
            if (++ib < end)
                b = from[ib];
        }
    }
}
