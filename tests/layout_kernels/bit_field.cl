/* Refused: a bit-field in the struct.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    int open : 1;
    int count : 31;
} Gate;

kernel void set(global Gate *gates)
{
    gates[get_global_id(0)].count = 1;
}
