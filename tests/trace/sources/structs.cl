/* Structs, unions, private arrays, and functions that get pointers to them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

typedef struct {
    int x, y;
} point;

typedef struct {
    point corners[2];
    uchar tag;
    ulong big;
    struct {
        short deep[3];
        float4 wide;
    } inner;
} shape;

typedef union {
    uint word;
    uchar bytes[4];
    float number;
    struct {
        ushort low, high;
    } halves;
} overlay;

typedef struct __attribute__((packed)) {
    uchar a;
    uint b;
    ushort c;
} tight;

void move_by(point *p, int dx, int dy)
{
    p->x += dx;
    p->y -= dy;
}

shape make(uint seed)
{
    shape s;

    for (int i = 0; i < 2; i++)
        s.corners[i] = (point){(int)(seed % 1000) + i, (int)(seed / 1000 % 1000)};
    s.tag = (uchar)seed;
    s.big = (ulong)seed * 0x100000001UL;
    for (int i = 0; i < 3; i++)
        s.inner.deep[i] = (short)(seed >> i);
    s.inner.wide = (float4)(1, 2, 3, 4) + (float)(seed % 16);
    return s;
}

uint digest(const shape *s, uint which)
{
    return (uint)(s->corners[which % 2].x * 3 + s->corners[1 - which % 2].y) + s->tag +
           (uint)(s->big >> 20) + (uint)s->inner.deep[which % 3] + (uint)s->inner.wide.w;
}

uint digest_of_global(global const shape *s, uint which)
{
    shape copy = *s;

    return digest(&copy, which) ^ (uint)s->inner.deep[2];
}

kernel void structs(global const uint *in, global uint *out, global shape *shapes)
{
    size_t g = get_global_id(0);
    uint r = input(in, g);
    shape many[3];
    overlay o;

    for (uint i = 0; i < 3; i++)
        many[i] = make(input(in, g + i));
    move_by(&many[r % 3].corners[1], 5, (int)(r % 9));
    shapes[g] = many[(r >> 4) % 3];
    shapes[g].inner.deep[r % 3] = 99;
    o.word = r;
    o.bytes[r % 4] ^= 0x55;
    o.halves.high += 3;
    out[g * 4] = digest(&many[r % 3], r) + digest_of_global(&shapes[g], r / 3);
    out[g * 4 + 1] = o.word;
    out[g * 4 + 2] = sizeof(shape) * 1000 + sizeof(overlay) * 100 + sizeof(tight);
    shape *which = r & 1 ? &many[0] : &many[2];
    which->tag++;
    out[g * 4 + 3] = digest(&many[0], 1) * 7 + digest(&many[2], 2);
}

kernel void packed(global const uint *in, global uint *out, global tight *tights)
{
    size_t g = get_global_id(0);

    tights[g].a = (uchar)g;
    tights[g].b = input(in, g);
    tights[g].c = (ushort)(g * 3);
    out[g] = tights[g].b + tights[g].c;
}

/* Private arrays: sorted, permuted, and a table of two dimensions. */
kernel void private_arrays(global const uint *in, global uint *out)
{
    size_t g = get_global_id(0);
    uint a[16], grid[4][5] = {{1, 2, 3}, {4}};
    uchar order[16];

    for (uint i = 0; i < 16; i++) {
        a[i] = input(in, g * 5 + i);
        order[i] = (uchar)(i * 5 % 16);
    }
    for (uint i = 1; i < 16; i++) {
        uint key = a[i];
        int j = (int)i - 1;

        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
    for (uint i = 0; i < 40; i++)
        grid[a[i % 16] % 4][a[(i + 3) % 16] % 5] += i;
    for (uint i = 0; i < 8; i++)
        out[g * 8 + i] = a[order[i]] + grid[i % 4][i % 5] + a[input(in, g + i) % 16];
}

/* Structs that are copied as a whole, small and large, from and to each kind of memory. */
typedef struct {
    uint a[6];
} small;

typedef struct {
    uint4 wide[9];
    uint a[3];
    uchar end[5];
} large;

constant large table = {{(uint4)(1, 2, 3, 4)}, {5, 6, 7}, {8, 9, 10, 11, 12}};

kernel void copies(global const uint *in, global uint *out, global large *larges)
{
    size_t g = get_global_id(0), l = get_local_id(0);
    global small *smalls = (global small *)(out + g * 32);
    local large shared[40];
    large own = table;
    uint keys[40] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4,
                     6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5, 0, 2, 8, 8, 4, 1, 9, 7};

    for (uint i = 0; i < 8; i++)
        own.wide[(i + g) % 9] += input(in, g + i);
    own.end[input(in, g) % 5]++;
    larges[g] = own;
    shared[l] = larges[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    own = shared[(l + 1) % get_local_size(0)];
    for (uint i = 0; i < 6; i++)
        smalls->a[i] = own.wide[i].y + own.a[i % 3] + own.end[i % 5] + keys[input(in, g + i) % 40];
    smalls[1] = smalls[0];
    if (input(in, g) & 1)
        smalls[2] = smalls[1];
    char bytes[12];
    for (uint i = 0; i < 12; i++)
        bytes[i] = (char)input(in, g * 3 + i);
    __builtin_memmove(bytes + 2, bytes, 9);
    __builtin_memset(bytes + input(in, g) % 4, 77, input(in, g + 1) % 6);
    for (uint i = 0; i < 12; i++)
        out[g * 32 + 18 + i] = (uint)bytes[i];
}
