/* Makes a tetrahedral mesh of a box, with the numbering of an unstructured mesh. See mesh.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each cube of edge 1 is divided into six tetrahedra (Kuhn's subdivision; Freudenthal,
 * "Simplizialzerlegungen von beschränkter Flachheit", Annals of Mathematics 43, 1942). There is one
 * for each order (a, b, c) of the axes, with the corners 0, e_a, e_a + e_b and e_a + e_b + e_c.
 * Neighbouring cubes therefore have the same diagonals on their common face. The points are then
 * moved a little. Every tetrahedron keeps its orientation, because its heights are at least 0.7 and
 * no point moves further than 0.18.
 *
 * Elements are numbered cube by cube along x, y and z, which keeps neighbours close to each other
 * as in a renumbered mesh. Then they are shuffled within windows, so that their order has no
 * regular pattern.
 */
#include "kernels/cfd/mesh.h"

#include <math.h>
#include <stdlib.h>

#include "program/common.h"

enum { ORDERS = 6, WINDOW = 256 };

static const unsigned char orders[ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

typedef struct {
    size_t edge[3];     /* number of cubes along each axis */
    double (*point)[3]; /* points, x fastest; along each axis there is one more than cubes */
    int32_t *number;    /* number of each element, in the order of the cubes */
} box;

static size_t order_index(unsigned a, unsigned b, unsigned c)
{
    return 2 * (size_t)a + (b > c);
}

/* Chooses the numbers of cubes along the axes. They are as similar as repeated halving allows. */
static void choose_edges(size_t cubes, size_t edge[3])
{
    edge[0] = edge[1] = edge[2] = 1;
    while (cubes % 2 == 0) {
        size_t axis = edge[0] <= edge[1] && edge[0] <= edge[2] ? 0 : edge[1] <= edge[2] ? 1 : 2;

        edge[axis] *= 2;
        cubes /= 2;
    }
    edge[2] *= cubes;
}

static size_t point_index(const box *b, const size_t at[3])
{
    return (at[2] * (b->edge[1] + 1) + at[1]) * (b->edge[0] + 1) + at[0];
}

/* Moves the points. Inner points move in all directions, points on the box's faces within these
 * faces. */
static void place_points(box *b, const float *offsets)
{
    size_t at[3];

    for (at[2] = 0; at[2] <= b->edge[2]; at[2]++)
        for (at[1] = 0; at[1] <= b->edge[1]; at[1]++)
            for (at[0] = 0; at[0] <= b->edge[0]; at[0]++) {
                size_t i = point_index(b, at);

                for (int axis = 0; axis < 3; axis++) {
                    bool face = at[axis] == 0 || at[axis] == b->edge[axis];

                    b->point[i][axis] =
                        (double)at[axis] + (face ? 0.0 : (double)offsets[3 * i + (size_t)axis]);
                }
            }
}

static void number_elements(box *b, const float *uniform, size_t elements)
{
    for (size_t i = 0; i < elements; i++)
        b->number[i] = (int32_t)i;
    for (size_t i = 0; i < elements; i++) {
        size_t first = i / WINDOW * WINDOW, choices = i - first + 1;
        size_t pick = (size_t)((float)choices * uniform[i]);
        size_t other = first + (pick < choices ? pick : choices - 1);
        int32_t swap = b->number[i];

        b->number[i] = b->number[other];
        b->number[other] = swap;
    }
}

/* ---- faces ---------------------------------------------------------------------------------- */

/* Returns the neighbour at the face opposite `corner` of a tetrahedron. The tetrahedron is in cube
 * `at` and has the order (a, b, c) of axes. Faces at the ends of x are open, and the other faces of
 * the box are walls. */
static int32_t neighbour_of(const box *cubes, const size_t at[3], const unsigned char order[3],
                            int corner)
{
    unsigned a = order[0], b = order[1], c = order[2];
    size_t cube[3] = {at[0], at[1], at[2]}, other;

    if (corner == 0) { /* face where the coordinate along a is 1 */
        if (++cube[a] == cubes->edge[a])
            return a == 0 ? PM_CFD_FAR_FIELD : PM_CFD_WALL;
        other = order_index(b, c, a);
    } else if (corner == 3) { /* face where the coordinate along c is 0 */
        if (cube[c]-- == 0)
            return c == 0 ? PM_CFD_FAR_FIELD : PM_CFD_WALL;
        other = order_index(c, a, b);
    } else {
        other = corner == 1 ? order_index(b, a, c) : order_index(a, c, b);
    }
    return cubes
        ->number[(cube[0] + cubes->edge[0] * (cube[1] + cubes->edge[1] * cube[2])) * ORDERS +
                 other];
}

/* Computes the normal of the face opposite `corner`, towards that corner. Both elements of a face
 * use its points in the same order, so that their normals are exactly opposite. */
static void normal_of(const double *const points[4], int corner, double normal[3])
{
    const double *face[3], *inner = points[corner];
    double a[3], b[3], towards = 0;

    for (int i = 0, k = 0; i < 4; i++)
        if (i != corner)
            face[k++] = points[i];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = face[1][axis] - face[0][axis];
        b[axis] = face[2][axis] - face[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;

        normal[axis] = 0.5 * (a[next] * b[last] - a[last] * b[next]);
        towards += normal[axis] * (inner[axis] - face[0][axis]);
    }
    for (int axis = 0; axis < 3; axis++)
        normal[axis] = towards < 0 ? -normal[axis] : normal[axis];
}

static void make_element(const pm_cfd_mesh *mesh, const box *b, const size_t at[3],
                         const unsigned char order[3], size_t element)
{
    size_t corner_at[3] = {at[0], at[1], at[2]};
    const double *points[4] = {b->point[point_index(b, corner_at)]};
    double area = 0;

    for (size_t k = 0; k < 3; k++) {
        corner_at[order[k]]++;
        points[k + 1] = b->point[point_index(b, corner_at)];
    }
    for (int corner = 0; corner < PM_CFD_FACES; corner++) {
        /* The first face differs from element to element. */
        size_t slot = (element + (size_t)corner) % PM_CFD_FACES;
        size_t face = element + slot * mesh->elements;
        double normal[3];

        normal_of(points, corner, normal);
        mesh->neighbours[face] = neighbour_of(b, at, order, corner);
        for (size_t axis = 0; axis < 3; axis++)
            mesh->normals[face + axis * PM_CFD_FACES * mesh->elements] = (float)normal[axis];
        area += sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    }
    mesh->areas[element] = (float)area;
}

static void make_elements(const pm_cfd_mesh *mesh, const box *b)
{
    const int32_t *number = b->number;
    size_t at[3];

    for (at[2] = 0; at[2] < b->edge[2]; at[2]++)
        for (at[1] = 0; at[1] < b->edge[1]; at[1]++)
            for (at[0] = 0; at[0] < b->edge[0]; at[0]++)
                for (size_t i = 0; i < ORDERS; i++)
                    make_element(mesh, b, at, orders[i], (size_t)*number++);
}

void pm_cfd_mesh_make(pm_workload *workload, const pm_cfd_mesh *mesh, uint64_t seed)
{
    box b;
    size_t points, elements = mesh->elements;

    choose_edges(elements / ORDERS, b.edge);
    points = (b.edge[0] + 1) * (b.edge[1] + 1) * (b.edge[2] + 1);
    b.point = pm_buffer_alloc(workload, points * sizeof *b.point);
    b.number = pm_buffer_alloc(workload, elements * sizeof *b.number);
    float *offsets = pm_buffer_alloc(workload, 3 * points * sizeof *offsets);
    float *uniform = pm_buffer_alloc(workload, elements * sizeof *uniform);

    if (b.point && b.number && offsets && uniform) {
        pm_random_floats(offsets, 3 * points, -0.1f, 0.1f, seed, "points");
        pm_random_floats(uniform, elements, 0.0f, 1.0f, seed, "numbering");
        place_points(&b, offsets);
        number_elements(&b, uniform, elements);
        make_elements(mesh, &b);
    }
    free(uniform);
    free(offsets);
    free(b.number);
    free(b.point);
}
