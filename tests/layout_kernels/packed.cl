/* Refused: a packed struct.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct __attribute__((packed)) {
    uchar flag;
    float x;
} Item;

kernel void set(global Item *items)
{
    items[get_global_id(0)].x = 1.0f;
}
