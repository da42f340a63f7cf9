/* Arguments that are values of other types than int, and kernels that call kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

typedef struct {
    ushort first;
    uint second;
    uchar rest[4];
} small;

kernel void values(global const uint *in, global uint *out, float4 wide, long big, small s,
                   uchar byte, ushort2 pair, double number, int3 three)
{
    size_t g = get_global_id(0);
    global uint *o = out + g * 12;

    wide.y += 1.0f;
    o[0] = as_uint(wide.x);
    o[1] = as_uint(wide.w) + as_uint(wide.y);
    o[2] = (uint)(big >> g % 33);
    o[3] = s.first * 3u + s.second + s.rest[g % 4];
    o[4] = s.rest[input(in, g) % 4];
    o[5] = byte;
    o[6] = pair.x - pair.y * 5u;
    o[7] = (uint)(as_ulong(number) >> g % 33);
    o[8] = (uint)(three.x ^ three.y ^ three.z);
    o[9] = wide.x < wide.z ? 1 : 2;
}

/* Each work-item has a struct of its own (PoCL 3.1 has one for all). The word is 1 if that is the
 * case. */
kernel void own_struct(global const uint *in, global uint *out, small s)
{
    size_t g = get_global_id(0);
    uint place = input(in, g) % 4, before = s.rest[place];

    s.rest[place] += (uchar)(g + 1);
    s.second ^= (uint)g;
    out[g * 2] = s.rest[place] == (uchar)(before + g + 1) && before == ((8 + place) * 13 + 3) % 256;
    out[g * 2 + 1] = (s.second ^ g) == 0x5e514437;
}

enum colour { RED = 3, GREEN, BLUE };

inline uint paint(enum colour c, volatile local uint *cell, const uint by)
{
    *cell += (uint)c * by;
    return *cell;
}

kernel void inner(global const uint *in, global uint *restrict out)
{
    out[get_global_id(0)] = in[get_global_id(0) % IN_WORDS] + 1;
}

kernel void outer(global const uint *in, global uint *out, local uint *first, local uint *second)
{
    size_t g = get_global_id(0), l = get_local_id(0);
    local uint *mine = input(in, g) % 2 ? first + l : &second[l];
    local uint *other = mine == first + l ? second + l : first + l;

    inner(in, out);
    *mine = 7;
    *other = 9;
    paint(g % 3 ? BLUE : RED, mine, (uint)g);
    out[g] += first[l] * 1000 + second[l];
    if (other > mine)
        out[g] ^= (uint)((size_t)other - (size_t)mine) & 3;
}
