/* An axis has `cells` cells `step` apart, DEPTH ghosts at either end among them. Sides have u (stride su, nu cells) and
   v (stride sv). Side 0 is the low one. A work-item moves one cell of one field. */

typedef struct {
    int u, v, layer, side, field;
} Cell;

Cell across_side(int id, int nu, int nv)
{
    Cell c;
    c.u = id % nu;
    id /= nu;
    c.v = id % nv;
    id /= nv;
    c.layer = id % DEPTH;
    id /= DEPTH;
    c.side = id % 2;
    c.field = id / 2;
    return c;
}

Cell depth_first(int id, int nu, int nv)
{
    Cell c;
    c.layer = id % DEPTH;
    id /= DEPTH;
    c.u = id % nu;
    id /= nu;
    c.v = id % nv;
    id /= nv;
    c.side = id % 2;
    c.field = id / 2;
    return c;
}

/* Returns the index of a cell that a side sends: one of the cells next to its ghost cells. */
int inner(Cell c, int step, int cells, int su, int sv, int size)
{
    int at = c.side ? cells - 2 * DEPTH + c.layer : DEPTH + c.layer;
    return c.field * size + at * step + c.u * su + c.v * sv;
}

/* Returns the index of the ghost cell of the opposite side that receives the cell. */
int ghost(Cell c, int step, int cells, int su, int sv, int size)
{
    int at = c.side ? c.layer : cells - DEPTH + c.layer;
    return c.field * size + at * step + c.u * su + c.v * sv;
}

#define ARGUMENTS __global double *field, __global double *message, int step, int cells, int su, int nu, int sv, \
                  int nv, int size
#define COUNT (2 * FIELDS * DEPTH * nu * nv)

__kernel void pack(ARGUMENTS)
{
    int id = get_global_id(0);
    if (id < COUNT)
        message[id] = field[inner(across_side(id, nu, nv), step, cells, su, sv, size)];
}

__kernel void unpack(ARGUMENTS)
{
    int id = get_global_id(0);
    if (id < COUNT)
        field[ghost(across_side(id, nu, nv), step, cells, su, sv, size)] = message[id];
}

__kernel void pack_layers(ARGUMENTS)
{
    int id = get_global_id(0);
    if (id < COUNT)
        message[id] = field[inner(depth_first(id, nu, nv), step, cells, su, sv, size)];
}

__kernel void unpack_layers(ARGUMENTS)
{
    int id = get_global_id(0);
    if (id < COUNT)
        field[ghost(depth_first(id, nu, nv), step, cells, su, sv, size)] = message[id];
}

__kernel void copy_sides(ARGUMENTS)
{
    int id = get_global_id(0);
    if (id >= COUNT)
        return;
    Cell c = across_side(id, nu, nv);
    field[ghost(c, step, cells, su, sv, size)] = field[inner(c, step, cells, su, sv, size)];
}
