// Returns how many elements of the list precede the key. after: equal elements of the list precede
// it, too.
uint rank_in(__global const uint *list, uint n, uint key, uint after)
{
    uint lo = 0, hi = n;
    while (lo < hi) {
        uint mid = (lo + hi) >> 1;
        uint x = list[mid];
        if (x < key || (after && x == key))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

__kernel void place(__global const uint *mine, uint n, __global const uint *other, uint m,
                    __global uint *merged, __global uint *from, uint second)
{
    uint i = get_global_id(0);
    if (i < n) {
        uint key = mine[i];
        uint at = i + rank_in(other, m, key, second);
        merged[at] = key;
        from[at] = i << 1 | second;
    }
}

#define PER 16
__kernel void merge_path(__global const uint *a, __global const uint *b, __global uint *merged,
                         __global uint *from, uint na, uint nb)
{
    uint diag = get_global_id(0) * PER;
    if (diag >= na + nb)
        return;
    uint lo = diag > nb ? diag - nb : 0;
    uint hi = min(diag, na);
    while (lo < hi) {
        uint mid = (lo + hi) / 2;
        if (a[mid] <= b[diag - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    uint i = lo, j = diag - lo;
    uint end = min(diag + PER, na + nb);
    for (uint k = diag; k < end; k++) {
        bool take_a = j >= nb || (i < na && a[i] <= b[j]);
        merged[k] = take_a ? a[i] : b[j];
        from[k] = take_a ? i++ << 1 : j++ << 1 | 1;
    }
}
