/* One work-item adds up the sums in a table that is indexed by the key, because keys are less than
 * `orders`. */
__kernel void sum_by_key(__global const uint *key, __global const uint *cents, __global int *sum,
                         __global int *number, int orders)
{
    for (int k = 0; k < orders; k++)
        sum[k] = number[k] = 0;
    for (int r = 0; r < orders; r++) {
        sum[key[r]] += cents[r];
        number[key[r]]++;
    }
}

__kernel void look_up(__global const uint *key, __global const int *sum, __global const int *number,
                      __global uint *item_cents, __global uint *matches, int orders, int items)
{
    uint all = 0;
    for (int i = 0; i < items; i++) {
        item_cents[i] = key[i] < orders ? sum[key[i]] : 0;
        all += key[i] < orders ? number[key[i]] : 0;
    }
    *matches = all;
}
