/* Sorts the labels of the neighbours and takes the longest run; of equal runs, the first. */
__kernel void propagate_sorted(__global const int *row, __global const int *nbr, __global const int *from,
                               __global int *to, __global int *moved, int round, int n)
{
    int v = get_global_id(0), s[32], count = 0;
    if (v >= n)
        return;
    for (int e = row[v]; e < row[v + 1]; e++) {
        int l = from[nbr[e]], k = count++;
        for (; k > 0 && s[k - 1] > l; k--)
            s[k] = s[k - 1];
        s[k] = l;
    }
    int best = from[v], longest = 0;
    for (int k = 0, run = 0; k < count; k++) {
        run = k && s[k] == s[k - 1] ? run + 1 : 1;
        if (run > longest) {
            longest = run;
            best = s[k];
        }
    }
    to[v] = best;
    if (best != from[v])
        atomic_add(&moved[round], 1);
}
