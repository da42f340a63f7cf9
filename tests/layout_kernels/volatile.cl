/* Refused: a volatile array.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y;
} Item;

kernel void set(global volatile Item *items)
{
    items[get_global_id(0)].x = 1.0f;
}
