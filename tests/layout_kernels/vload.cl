/* Refused: a vector is loaded across members.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y, z, w;
} Item;

kernel void get(global const Item *items, global float4 *out)
{
    const int i = get_global_id(0);

    out[i] = vload4(0, &items[i].x);
}
