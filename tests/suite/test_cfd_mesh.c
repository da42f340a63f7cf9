/* Tests the input mesh of program cfd at its smallest size: neighbouring elements refer to each
 * other and to the same face, every element is closed, and faces without a neighbour form the
 * surface of the box.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/suite/suite.h"
#include "unit.h"
#include "worker_fixture.h"

enum {
    FACES = 4, /* of an element */
    WALL = -1, /* in place of a neighbour */
    FAR_FIELD = -2
};

/* Face j of element i is at index i + j * elements. Component y of its normal is FACES * elements
 * after x, and z the same distance after y. */
typedef struct {
    size_t elements;
    const int32_t *neighbours;
    const float *normals, *areas;
} mesh_of_cfd;

typedef struct {
    pm_workload *workload;
    mesh_of_cfd mesh;
} fixture;

static void *contents(const pm_workload *workload, const char *name)
{
    for (size_t i = 0; i < workload->buffer_count; i++)
        if (strcmp(workload->buffers[i].name, name) == 0)
            return workload->buffers[i].initial;
    fail_msg("no buffer %s", name);
    return NULL;
}

static int set_up(void **state)
{
    static fixture f;

    for (size_t i = 0; i < pm_program_count(); i++)
        if (strcmp(pm_program_at(i)->name, "cfd") == 0)
            f.workload =
                pm_program_build(pm_suite_program(i), "aos", "12288", 1, test_session(), told());
    assert_ok(f.workload);
    f.mesh = (mesh_of_cfd){.elements = 12288,
                           .neighbours = contents(f.workload, "neighbours"),
                           .normals = contents(f.workload, "normals"),
                           .areas = contents(f.workload, "areas")};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    pm_workload_free(((fixture *)*state)->workload);
    return 0;
}

static float normal_at(const mesh_of_cfd *mesh, size_t face, size_t axis)
{
    return mesh->normals[face + axis * FACES * mesh->elements];
}

TEST(neighbours_share_a_face)
{
    const mesh_of_cfd *mesh = &((fixture *)*state)->mesh;
    size_t n = mesh->elements;

    for (size_t face = 0; face < FACES * n; face++) {
        int32_t other = mesh->neighbours[face];
        size_t back = 0, found = 0;

        if (other < 0)
            continue;
        assert_in_range(other, 0, n - 1);
        assert_int_not_equal(other, face % n);
        for (size_t j = 0; j < FACES; j++)
            if (mesh->neighbours[(size_t)other + j * n] == (int32_t)(face % n)) {
                back = (size_t)other + j * n;
                found++;
            }
        assert_int_equal(found, 1);
        for (size_t axis = 0; axis < 3; axis++)
            assert_true(normal_at(mesh, back, axis) == -normal_at(mesh, face, axis));
    }
}

/* The normals of a closed surface sum up to 0. Each was rounded to float once. */
TEST(elements_are_closed)
{
    const mesh_of_cfd *mesh = &((fixture *)*state)->mesh;

    for (size_t i = 0; i < mesh->elements; i++) {
        double sum[3] = {0}, area = 0;

        for (size_t j = 0; j < FACES; j++) {
            double square = 0;

            for (size_t axis = 0; axis < 3; axis++) {
                double part = (double)normal_at(mesh, i + j * mesh->elements, axis);

                sum[axis] += part;
                square += part * part;
            }
            assert_true(square > 0);
            area += sqrt(square);
        }
        for (size_t axis = 0; axis < 3; axis++)
            assert_true(fabs(sum[axis]) <= 4 * 0x1p-24 * area);
        assert_true(fabs(area - (double)mesh->areas[i]) <= 4 * 0x1p-24 * area);
    }
}

/* 12288 elements are 16 x 16 x 8 cubes. A face of a cube is two faces of tetrahedra. Walls are the
 * four sides along x. The normals of all faces on a side sum up to the side's area. */
TEST(the_rest_is_the_surface)
{
    const mesh_of_cfd *mesh = &((fixture *)*state)->mesh;
    size_t walls = 0, open = 0;
    double wall_area = 0, open_area = 0;

    for (size_t face = 0; face < FACES * mesh->elements; face++) {
        double x = fabs((double)normal_at(mesh, face, 0));
        double y = fabs((double)normal_at(mesh, face, 1));
        double z = fabs((double)normal_at(mesh, face, 2));

        if (mesh->neighbours[face] == WALL) {
            walls++;
            wall_area += y + z;
            assert_true(x == 0);
        } else if (mesh->neighbours[face] == FAR_FIELD) {
            open++;
            open_area += x;
            assert_true(y == 0 && z == 0);
        }
    }
    assert_int_equal(walls, 2 * 2 * (16 * 8 + 16 * 16));
    assert_int_equal(open, 2 * 2 * 16 * 8);
    assert_true(fabs(wall_area - 2 * (16 * 8 + 16 * 16)) < 1e-3);
    assert_true(fabs(open_area - 2 * 16 * 8) < 1e-3);
}

/* Neighbours have near numbers in most cases, but never a constant stride. */
TEST(numbering_is_local_and_irregular)
{
    const mesh_of_cfd *mesh = &((fixture *)*state)->mesh;
    size_t n = mesh->elements, near = 0, same = 0, inner = 0;

    for (size_t face = 0; face + 1 < FACES * n; face++) {
        int32_t away = mesh->neighbours[face] - (int32_t)(face % n);
        int32_t next = mesh->neighbours[face + 1] - (int32_t)((face + 1) % n);

        if (mesh->neighbours[face] < 0 || mesh->neighbours[face + 1] < 0)
            continue;
        inner++;
        near += away < 512 && away > -512;
        same += away == next;
    }
    assert_true(near > inner * 3 / 4);
    assert_true(near < inner);
    assert_true(same < inner / 20);
}

TEST_MAIN(set_up, tear_down)
