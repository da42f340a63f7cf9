/* Refused: does not compile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y;
} Body;

kernel void move(global Body *bodies)
{
    bodies[get_global_id(0)].x = bodies[get_global_id(0)].height;
}
