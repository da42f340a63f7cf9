/* Can be rewritten: two structs, whose fields have different names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y;
} Body;

typedef struct {
    float heat, flow;
} Cell;

kernel void both(global Body *bodies, global Cell *cells)
{
    const int i = get_global_id(0);

    cells[i].heat = bodies[i].x + cells[i].flow * bodies[i].y;
}
