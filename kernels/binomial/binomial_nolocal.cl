/* European calls by a binomial lattice, one work-group an option: the row of the lattice is in
 * global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One work-item a node. Two rows take turns, so that one barrier a level is enough; each
 * work-group has its own pair of rows in scratch.
 */
typedef struct {
    float spot, strike;
    float step;     /* logarithm of one step up */
    float up, down; /* discounted probabilities of a step */
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
