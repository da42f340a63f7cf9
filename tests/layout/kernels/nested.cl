/* Can be rewritten: nested structs, arrays, vectors, a whole struct, a helper function.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y;
} Pair;

typedef struct {
    Pair at[2];
    float4 color;
    int id[3][2];
    uchar flag;
} Node;

static float first(global const Node *node)
{
    return node->at[0].x + node->color.y;
}

kernel void nodes(global const Node *from, global Node *to, int k)
{
    const int i = get_global_id(0);

    to[i] = from[i];
    to[i].at[1].y = first(&from[i + 1]) + from[i].id[k][1];
}
