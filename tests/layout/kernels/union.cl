/* Refused: a union in the struct.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x;
    union {
        int i;
        float f;
    } either;
} Item;

kernel void set(global Item *items)
{
    items[get_global_id(0)].either.i = 1;
}
