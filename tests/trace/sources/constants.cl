/* __constant arguments and tables of the program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

typedef struct {
    char letter;
    int numbers[3];
    float2 where;
} entry;

constant uint squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
constant float weights[2][3] = {{0.5f, 1.0f, 1.5f}, {2.0f, 2.5f, 3.0f}};
constant entry entries[3] = {{'a', {1, 2, 3}, (float2)(1, 2)},
                             {'b', {4, 5, 6}, (float2)(3, 4)},
                             {'c', {7, -8, 9}, (float2)(5, 6)}};
constant uchar text[] = "constant text";
constant long one_number = 0x123456789abcdefL;

kernel void constants(global const uint *in, global uint *out, constant uint *some,
                      constant entry *given)
{
    size_t g = get_global_id(0);
    uint r = input(in, g);

    out[g * 4] = squares[r % 8] + (uint)(weights[r % 2][r % 3] * 2) + text[r % sizeof text];
    out[g * 4 + 1] = some[r % 64] + some[g % 64] + some[5];
    if (r & 1)
        out[g * 4 + 2] = (uint)entries[r % 3].letter + (uint)entries[r % 3].numbers[r / 7 % 3];
    else
        out[g * 4 + 2] = (uint)given[r % 4].letter + (uint)given[r % 4].numbers[r / 7 % 3];
    out[g * 4 + 2] += (uint)entries[g % 3].where.y + (uint)given[g % 4].numbers[r % 3];
    out[g * 4 + 3] = (uint)(one_number >> r % 32);
}
