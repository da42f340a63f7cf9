/* Refused: a member's address goes into a variable.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y;
} Item;

kernel void get(global const Item *items, global float *out)
{
    const int i = get_global_id(0);
    global const float *p = &items[i].x;

    out[i] = p[1];
}
