/* Prices European calls by a binomial lattice. Each work-group prices an option, and keeps a row of
 * the lattice in __local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each work-item computes a node of the row. Two rows are used alternately, so that one barrier per
 * level is enough.
 */
typedef struct {
    float spot, strike;
    float step;     /* logarithm of the price's factor in a step up */
    /* probabilities of a step up and of a step down, times the discount factor of a step */
    float up, down;
} option;

__kernel __attribute__((reqd_work_group_size(STEPS + 1, 1, 1))) void
binomial(__global const option *restrict options, __global float *restrict prices)
{
    __local float row[2][STEPS + 1];
    const option o = options[get_group_id(0)];
    const int node = get_local_id(0);
    int from = 0;

    row[0][node] = fmax(o.spot * exp(o.step * (float)(2 * node - STEPS)) - o.strike, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = STEPS; level > 0; --level) {
        if (node < level)
            row[1 - from][node] = o.up * row[from][node + 1] + o.down * row[from][node];
        barrier(CLK_LOCAL_MEM_FENCE);
        from = 1 - from;
    }
    if (node == 0)
        prices[get_group_id(0)] = row[from][0];
}
