/* A tetrahedral mesh of a box, with the numbering of an unstructured mesh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_CFD_MESH_H
#define PM_KERNELS_CFD_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "program/workload.h"

enum {
    PM_CFD_FACES = 4, /* faces of a tetrahedron */
    PM_CFD_WALL = -1, /* value in place of a neighbour */
    PM_CFD_FAR_FIELD = -2
};

/* The mesh as the kernels read it. Face j of element i is at index i + j * elements. Component y of
 * its normal is PM_CFD_FACES * elements after x, and z the same distance after y. */
typedef struct {
    size_t elements;
    int32_t *neighbours; /* elements * PM_CFD_FACES */
    /* elements * PM_CFD_FACES * 3: normals into the element, whose length is the area */
    float *normals;
    float *areas; /* elements: total area of each element's faces */
} pm_cfd_mesh;

/* Fills the arrays for mesh->elements tetrahedra, a multiple of 6. The caller owns the arrays.
 * Errors are stored in the workload. */
void pm_cfd_mesh_make(pm_workload *workload, const pm_cfd_mesh *mesh, uint64_t seed);

#endif
