/* Refused: a pointer in the struct.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct Link {
    float value;
    global struct Link *next;
} Link;

kernel void set(global Link *links)
{
    links[get_global_id(0)].value = 1.0f;
}
