/* Refused: arithmetic on the bytes of the array.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y;
} Item;

kernel void get(global const Item *items, global float *out)
{
    const int i = get_global_id(0);

    out[i] = *(global const float *)((global const char *)items + 8 * i + 4);
}
