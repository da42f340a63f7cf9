/*
 * Sorts every row of a matrix on its own. Shell sort, one thread per row.
 */
#ifndef LEN
#error "LEN = row length"
#endif

__constant int GAPS[5] = { 57, 23, 10, 4, 1 };

__kernel void shellSortRows(__global float *m, const unsigned int rows)
{
    unsigned int row = get_global_id(0);
    if (row < rows)
    {
        __global float *a = &m[row * LEN];
        for (int g = 0; g < 5; g++)
        {
            int gap = GAPS[g];
            for (int i = gap; i < LEN; i++)
            {
                float tmp = a[i];
                int j = i;
                while (j >= gap && a[j - gap] > tmp)
                {
                    a[j] = a[j - gap];
                    j -= gap;
                }
                a[j] = tmp;
            }
        }
    }
}

/*
 * Same thing, but the 32 rows of a block are staged through shared memory (padded by one).
 */
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void shellSortRowsShared(__global float *m, const unsigned int rows)
{
    __local float s[32 * (LEN + 1)];
    unsigned int t = get_local_id(0);
    unsigned int first = get_group_id(0) * 32;
    unsigned int here = min(32u, rows - first);

    for (unsigned int k = t; k < here * LEN; k += 32)
        s[k / LEN * (LEN + 1) + k % LEN] = m[first * LEN + k];
    barrier(CLK_LOCAL_MEM_FENCE);

    if (t < here)
    {
        __local float *a = &s[t * (LEN + 1)];
        for (int g = 0; g < 5; g++)
        {
            int gap = GAPS[g];
            for (int i = gap; i < LEN; i++)
            {
                float tmp = a[i];
                int j = i;
                while (j >= gap && a[j - gap] > tmp)
                {
                    a[j] = a[j - gap];
                    j -= gap;
                }
                a[j] = tmp;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (unsigned int k = t; k < here * LEN; k += 32)
        m[first * LEN + k] = s[k / LEN * (LEN + 1) + k % LEN];
}
