/* Prices European calls by a binomial lattice. Each work-group prices an option, and keeps a row of
 * the lattice in global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each work-item computes a node of the row. Two rows are used alternately, so that one barrier per
 * level is enough. Each work-group has its own pair of rows in `scratch`.
 */
typedef struct {
    float spot, strike;
    float step;     /* logarithm of the price's factor in a step up */
    /* probabilities of a step up and of a step down, times the discount factor of a step */
    float up, down;
} option;

__kernel __attribute__((reqd_work_group_size(STEPS + 1, 1, 1))) void
binomial(__global const option *restrict options, __global float *restrict prices,
         __global float *scratch)
{
    const option o = options[get_group_id(0)];
    const int node = get_local_id(0);
    __global float *from = scratch + get_group_id(0) * 2 * (STEPS + 1);
    __global float *to = from + STEPS + 1;

    from[node] = fmax(o.spot * exp(o.step * (float)(2 * node - STEPS)) - o.strike, 0.0f);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int level = STEPS; level > 0; --level) {
        if (node < level)
            to[node] = o.up * from[node + 1] + o.down * from[node];
        barrier(CLK_GLOBAL_MEM_FENCE);

        __global float *const next = to;
        to = from;
        from = next;
    }
    if (node == 0)
        prices[get_group_id(0)] = from[0];
}
