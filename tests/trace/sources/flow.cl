/* Control flow that parts the work-items of a warp.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

uint steps_to_one(uint n)
{
    uint steps = 0;

    n = n % 1000 + 1;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

uint early(uint r)
{
    if (r % 5 == 0)
        return 1;
    for (uint i = 0; i < 20; i++) {
        if ((r >> i) % 7 == 3)
            return i * 10;
        if ((r >> i) % 11 == 5)
            continue;
        if (i > 15 && r % 2)
            break;
        r += i;
    }
    return r;
}

uint chosen(uint r)
{
    uint sum = 0;

    switch (r % 13) {
    case 0:
        sum = 5;
        break;
    case 1:
        sum = 6; /* falls through */
    case 2:
    case 3:
        sum += 7;
        break;
    case 5:
        return 1000;
    case 12:
        for (int i = 0; i < 5; i++) {
            switch ((r >> i) & 3) {
            case 0:
                continue;
            case 1:
                sum += 2;
                break;
            default:
                sum *= 3;
            }
            sum++;
        }
        break;
    default:
        sum = r % 100;
    }
    return sum + 1;
}

uint noted(uint *count, uint answer)
{
    (*count)++;
    return answer;
}

kernel void flow(global const uint *in, global uint *out)
{
    size_t g = get_global_id(0);
    uint r = input(in, g), count = 0, sum = 0, i = 0;

    out[g * 8] = steps_to_one(r);
    out[g * 8 + 1] = early(r);
    out[g * 8 + 2] = chosen(r);
    if (noted(&count, r & 1) && (noted(&count, r & 2) || noted(&count, r & 4)))
        sum = 1;
    else if (noted(&count, r & 8) || noted(&count, r & 16))
        sum = 2;
    out[g * 8 + 3] = count * 10 + sum;
    sum = 0;
    for (uint a = 0; a < r % 6; a++)
        for (uint b = a; b < (r >> 3) % 7; b++) {
            uint c = 0;

            do {
                sum += a * 100 + b * 10 + c;
                if (sum % 17 == 4)
                    break;
            } while (++c < (r >> 6) % 4);
            if (sum % 23 == 9)
                break;
        }
    out[g * 8 + 4] = sum;
    do {
        i++;
        if (i % 3 == 0)
            continue;
        sum += i;
    } while (i < r % 40);
    out[g * 8 + 5] = sum;
    out[g * 8 + 6] = r % 2 ? r % 3 ? 1 : r % 5 ? 2 : 3 : r % 7 ? 4 : 5;
    if (r % 4 == 0)
        return;
    for (;;) {
        if (sum > 100000 || (sum & 0xff) == 0x37)
            break;
        sum = sum * 3 + 1;
    }
    out[g * 8 + 7] = sum;
}

/* Executed by the work-items of `leaving` after their last reconvergence point. */
uint until_three(local const uint *shared, size_t l)
{
    uint sum = 0;

    if (l % 2)
        return 5;
    for (size_t i = 0; i < l; i++) {
        if (shared[i] % 50 == 3)
            return sum;
        sum += shared[i];
    }
    return sum ^ 0x5a5a;
}

/* Whole groups that return before a barrier, then work-items that return at different times. */
kernel void leaving(global const uint *in, global uint *out, local uint *shared)
{
    size_t g = get_global_id(0), l = get_local_id(0);

    if (get_group_id(0) % 3 == 1)
        return;
    shared[l] = input(in, g);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = until_three(shared, l);
}

/* A barrier that all work-items reach on one of two paths. */
kernel void two_ways(global const uint *in, global uint *out, local uint *shared)
{
    size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);

    if (get_group_id(0) % 2) {
        shared[l] = input(in, g) * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        shared[n - 1 - l] = input(in, g) + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint rounds = shared[0] % 5;

        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < rounds; i++) {
            uint next = shared[(l + 1) % n];

            barrier(CLK_LOCAL_MEM_FENCE);
            shared[l] = next + i;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[g] = shared[(l + 3) % n];
}
