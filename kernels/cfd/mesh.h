/* A tetrahedral mesh of a box, numbered as unstructured meshes are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_CFD_MESH_H
#define PM_KERNELS_CFD_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "program/workload.h"

enum {
    PM_CFD_FACES = 4, /* of a tetrahedron */
    PM_CFD_WALL = -1, /* in place of a neighbour */
    PM_CFD_FAR_FIELD = -2
};

/* As the kernels read it: face j of element i is at i + j * elements; y of its normal is
 * PM_CFD_FACES * elements behind x, and so is z behind y. */
typedef struct {
    size_t elements;
    int32_t *neighbours; /* elements * PM_CFD_FACES */
    float *normals;      /* elements * PM_CFD_FACES * 3, into the element, as long as the area */
    float *areas;        /* elements: of all faces together */
} pm_cfd_mesh;

/* Fills the arrays, which are the caller's, for mesh->elements (a multiple of 6) tetrahedra. What
 * goes wrong is the workload's error. */
void pm_cfd_mesh_make(pm_workload *workload, const pm_cfd_mesh *mesh, uint64_t seed);

#endif
