/* Makes a tetrahedral mesh of a box, with the numbering of an unstructured mesh, and the variables of its
 * elements at the start.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each cube of edge 1 is divided into six tetrahedra (Kuhn's subdivision; Freudenthal,
 * "Simplizialzerlegungen von beschränkter Flachheit", Annals of Mathematics 43, 1942). There is one for each
 * order (a, b, c) of the axes, with the corners 0, e_a, e_a + e_b and e_a + e_b + e_c. Neighbouring cubes
 * therefore have the same diagonals on their common face. The points are then moved a little. Every
 * tetrahedron keeps its orientation, because its heights are at least 0.7 and no point moves further than
 * 0.18.
 *
 * Elements are numbered cube by cube along x, y and z, which keeps neighbours close to each other as in a
 * renumbered mesh. Then they are shuffled within windows, so that their order has no regular pattern.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define FACES 4 /* of a tetrahedron */
#define WALL (-1)
#define FAR_FIELD (-2)
#define ORDERS 6
#define WINDOW 256

typedef struct {
    float density;
    float momentum_x, momentum_y, momentum_z;
    float energy;
} Cell;

/* Sets the elements' variables to those of the far field, disturbed by up to 10 %. The far field's
 * flow has Mach 1.2 along x; the speed of sound is 1. */
__kernel void make_variables(__global const float *uniform, __global Cell *variables)
{
    const int i = get_global_id(0);
    __global const float *x = uniform + 5 * i;
    const double velocity_x = 1.2 + (double)x[1], velocity_y = x[2], velocity_z = x[3];
    const double density = 1.4 * (1 + (double)x[0]), pressure = 1 + (double)x[4];
    const double square =
        velocity_x * velocity_x + velocity_y * velocity_y + velocity_z * velocity_z;

    variables[i].density = density;
    variables[i].momentum_x = density * velocity_x;
    variables[i].momentum_y = density * velocity_y;
    variables[i].momentum_z = density * velocity_z;
    variables[i].energy = pressure / 0.4 + 0.5 * density * square;
}

/* ---- points and numbers ---------------------------------------------------------------------------- */

/* Returns the index of the point at position `at`. The box has edges[axis] cubes along each axis.
 * Points are numbered along x, then y, then z. */
static int point_index(const int *edges, const int *at)
{
    return (at[2] * (edges[1] + 1) + at[1]) * (edges[0] + 1) + at[0];
}

/* Moves a point by a random offset. Inner points move in all directions, points on the box's faces
 * within these faces. */
__kernel void place_points(__global const float *offsets, __global double *points, int edge_x, int edge_y,
                           int edge_z)
{
    const int edges[3] = {edge_x, edge_y, edge_z};
    const int at[3] = {get_global_id(0), get_global_id(1), get_global_id(2)};
    const int i = point_index(edges, at);

    for (int axis = 0; axis < 3; axis++) {
        const bool face = at[axis] == 0 || at[axis] == edges[axis];

        points[3 * i + axis] = (double)at[axis] + (face ? 0.0 : (double)offsets[3 * i + axis]);
    }
}

/* Shuffles the numbers of the elements in a window of WINDOW elements. */
__kernel void number_elements(__global const float *uniform, __global int *number)
{
    const int first = get_global_id(0) * WINDOW;

    for (int i = first; i < first + WINDOW; i++)
        number[i] = i;
    for (int i = first; i < first + WINDOW; i++) {
        const int choices = i - first + 1, pick = (int)((float)choices * uniform[i]);
        const int other = first + (pick < choices ? pick : choices - 1);
        const int swap = number[i];

        number[i] = number[other];
        number[other] = swap;
    }
}

/* ---- faces ----------------------------------------------------------------------------------------- */

static int order_index(int a, int b, int c)
{
    return 2 * a + (b > c);
}

/* Returns the neighbour at the face opposite `corner` of a tetrahedron. The tetrahedron is in cube `at` and
 * has the order (a, b, c) of axes. Faces at the ends of x are open, and the other faces of the box are
 * walls. */
static int neighbour_of(__global const int *number, const int *edges, const int *at, const int *order,
                        int corner)
{
    const int a = order[0], b = order[1], c = order[2];
    int cube[3] = {at[0], at[1], at[2]}, other;

    if (corner == 0) { /* face where the coordinate along a is 1 */
        if (++cube[a] == edges[a])
            return a == 0 ? FAR_FIELD : WALL;
        other = order_index(b, c, a);
    } else if (corner == 3) { /* face where the coordinate along c is 0 */
        if (cube[c]-- == 0)
            return c == 0 ? FAR_FIELD : WALL;
        other = order_index(c, a, b);
    } else {
        other = corner == 1 ? order_index(b, a, c) : order_index(a, c, b);
    }
    return number[(cube[0] + edges[0] * (cube[1] + edges[1] * cube[2])) * ORDERS + other];
}

/* Computes the normal of the face opposite `corner`, towards that corner. Both elements of a face use its
 * points in the same order, so that their normals are exactly opposite. */
static void normal_of(const double (*points)[3], int corner, double *normal)
{
    double face[3][3], a[3], b[3], towards = 0;

    for (int i = 0, k = 0; i < 4; i++)
        if (i != corner) {
            for (int axis = 0; axis < 3; axis++)
                face[k][axis] = points[i][axis];
            k++;
        }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = face[1][axis] - face[0][axis];
        b[axis] = face[2][axis] - face[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;

        normal[axis] = 0.5 * (a[next] * b[last] - a[last] * b[next]);
        towards += normal[axis] * (points[corner][axis] - face[0][axis]);
    }
    for (int axis = 0; axis < 3; axis++)
        normal[axis] = towards < 0 ? -normal[axis] : normal[axis];
}

/* Finds the corners of a tetrahedron: of the one in cube `at` that belongs to the order `order` of
 * the axes. */
static void corners_of(__global const double *points, const int *edges, const int *at, const int *order,
                       double (*corners)[3])
{
    int place[3] = {at[0], at[1], at[2]};

    for (int k = 0; k < 4; k++) {
        if (k > 0)
            place[order[k - 1]]++;
        for (int axis = 0; axis < 3; axis++)
            corners[k][axis] = points[3 * point_index(edges, place) + axis];
    }
}

/* Makes an element of the mesh: its neighbours, normals and area. Elements are in the order of the
 * cubes. Face j of element i is at index i + j * elements. Component y of its normal is FACES *
 * elements after x, and z the same distance after y. */
__kernel void make_elements(__global const double *points, __global const int *number,
                            __global int *neighbours, __global float *normals, __global float *areas,
                            int edge_x, int edge_y, int edge_z)
{
    const int orders[ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const int edges[3] = {edge_x, edge_y, edge_z}, elements = get_global_size(0);
    const int place = get_global_id(0), cube = place / ORDERS, element = number[place];
    const int at[3] = {cube % edge_x, cube / edge_x % edge_y, cube / edge_x / edge_y};
    const int *order = orders[place % ORDERS];
    double corners[4][3], area = 0;

    corners_of(points, edges, at, order, corners);
    for (int corner = 0; corner < FACES; corner++) {
        /* Start with another face in each element, so that faces are not in the same order
         * everywhere. */
        const int face = element + (element + corner) % FACES * elements;
        double normal[3];

        normal_of(corners, corner, normal);
        neighbours[face] = neighbour_of(number, edges, at, order, corner);
        for (int axis = 0; axis < 3; axis++)
            normals[face + axis * FACES * elements] = normal[axis];
        area += sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    }
    areas[element] = area;
}
