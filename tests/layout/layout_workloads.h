/* A workload for tests of transforms: particles in cells. Its kernels use an array of structs in
 * every way that kernels can.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_WORKLOADS_H
#define PM_TESTS_LAYOUT_WORKLOADS_H

#include "base/error.h"
#include "trace_fixture.h"

/* The structs of the source. */
typedef struct {
    struct {
        float x, y, z;
    } pos;
    float vel[3];
    float density;
    int id;
} test_particle;

typedef struct {
    unsigned count;
    float mass;
} test_cell;

enum { PARTICLES = 1003, CELLS = 16, GROUP = 64, ITEMS = 1024 };
enum { B_PARTICLES, B_CELLS, B_SUM, B_WEIGHTS };

static const char particle_source[] =
    "typedef struct {\n"
    "    struct {\n        float x, y, z;\n    } pos;\n"
    "    float vel[3];\n    float density;\n    int id;\n"
    "} Particle;\n"
    "typedef struct {\n    uint count;\n    float mass;\n} Cell;\n"
    "#define CELLS 16\n"
    "__constant float scale = 0.5f;\n"
    "float weigh(float x)\n{\n    return x * scale;\n}\n"
    "__kernel void density(__global Particle *particles, __global const float *weights, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= n)\n        return;\n"
    "    particles[i].density = weigh(weights[i]) + particles[i].pos.x;\n"
    "}\n"
    "__kernel void move(__global Particle *particles, float dt, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= n)\n        return;\n"
    "    for (int k = 0; k < 3; k++)\n"
    "        particles[i].vel[k] = particles[i].vel[k] * 0.5f;\n"
    "    particles[i].pos.x += particles[i].vel[0] * dt;\n"
    "    particles[i].pos.y += particles[i].vel[1] * dt;\n"
    "    particles[i].pos.z += particles[i].vel[2] * dt;\n"
    "}\n"
    "__kernel void tally(__global const Particle *particles, __global Cell *cells, int n)\n"
    "{\n"
    "    int c = get_global_id(0);\n"
    "    if (c >= CELLS)\n        return;\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        if (particles[i].id % CELLS != c)\n            continue;\n"
    "        cells[c].count += 1;\n"
    "        cells[c].mass += particles[i].density;\n"
    "    }\n"
    "}\n"
    "__kernel void sum(__global const Particle *particles, __global float *sums, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= n)\n        return;\n"
    "    sums[i] = particles[i].pos.x + 2 * particles[i].pos.y + 4 * particles[i].pos.z +\n"
    "              particles[i].density;\n"
    "}\n"
    "__kernel void unused(__global Cell *cells)\n"
    "{\n    cells[get_global_id(0)].count = 7;\n}\n";

/* Computes the kernels density, move, sum, density, tally and move on the CPU. All numbers are
 * small multiples of powers of two, so that the order of operations does not matter. */
static inline void particles_on_host(test_particle *p, test_cell *cells, float *sums,
                                     const float *weights)
{
    static const char steps[] = "dmsdtm";

    for (const char *step = steps; *step; step++)
        for (size_t i = 0; i < PARTICLES; i++) {
            test_cell *cell = &cells[p[i].id % CELLS];

            switch (*step) {
            case 'd':
                p[i].density = weights[i] * 0.5f + p[i].pos.x;
                break;
            case 'm':
                for (int k = 0; k < 3; k++)
                    p[i].vel[k] *= 0.5f;
                p[i].pos.x += p[i].vel[0] * 2;
                p[i].pos.y += p[i].vel[1] * 2;
                p[i].pos.z += p[i].vel[2] * 2;
                break;
            case 't':
                cell->count++;
                cell->mass += p[i].density;
                break;
            default:
                sums[i] = p[i].pos.x + 2 * p[i].pos.y + 4 * p[i].pos.z + p[i].density;
            }
        }
}

static inline pm_status compare_output(const char *name, const void *got, const void *want,
                                       size_t bytes, pm_error *err)
{
    const unsigned char *x = got, *y = want;

    if (!got)
        return pm_fail(err, PM_FAILED, "%s: no output", name);
    for (size_t i = 0; i < bytes; i++)
        if (x[i] != y[i])
            return pm_fail(err, PM_FAILED, "%s: byte %zu differs", name, i);
    return PM_OK;
}

static inline pm_status check_particles(const pm_workload *workload, const void *const *outputs,
                                        pm_error *err)
{
    test_particle *p = malloc(PARTICLES * sizeof *p);
    test_cell *cells = calloc(CELLS, sizeof *cells);
    float *sums = malloc(PARTICLES * sizeof *sums);
    pm_status status = PM_FAILED;

    if (p && cells && sums) {
        memcpy(p, workload->buffers[B_PARTICLES].initial, PARTICLES * sizeof *p);
        particles_on_host(p, cells, sums, workload->buffers[B_WEIGHTS].initial);
        status = compare_output("particles", outputs[B_PARTICLES], p, PARTICLES * sizeof *p, err);
        if (status == PM_OK)
            status = compare_output("cells", outputs[B_CELLS], cells, CELLS * sizeof *cells, err);
        if (status == PM_OK)
            status = compare_output("sums", outputs[B_SUM], sums, PARTICLES * sizeof *sums, err);
        if (status == PM_OK && outputs[B_WEIGHTS])
            status = pm_fail(err, PM_FAILED, "weights are no output");
    }
    free(p);
    free(cells);
    free(sums);
    return status;
}

static inline void launch_particles(pm_workload *w, const char *kernel)
{
    const size_t global = ITEMS, local = GROUP;

    pm_workload_launch(w, kernel, 1, &global, &local);
    pm_workload_arg_buffer(w, B_PARTICLES);
    if (*kernel == 'd')
        pm_workload_arg_buffer(w, B_WEIGHTS);
    else if (*kernel == 'm')
        pm_workload_arg_float(w, 2);
    else if (*kernel == 't')
        pm_workload_arg_buffer(w, B_CELLS);
    else
        pm_workload_arg_buffer(w, B_SUM);
    pm_workload_arg_int(w, PARTICLES);
}

/* Makes the workload; NULL: out of memory. */
static inline pm_workload *particle_workload(void)
{
    static const char *const kernels[] = {"density", "move", "sum", "density", "tally", "move"};
    pm_workload *w = pm_workload_create("particles", "base", "small");
    test_particle *p = pm_workload_contents(w, PARTICLES * sizeof *p);
    float *weights = pm_workload_contents(w, PARTICLES * sizeof *weights);

    if (!p || !weights)
        return NULL;
    for (int i = 0; i < PARTICLES; i++) {
        p[i] = (test_particle){.pos = {(float)(i % 64), (float)(i % 33), (float)(i % 7)},
                               .vel = {(float)(i % 5 * 4), (float)(i % 3 * 8), (float)(i % 11 * 4)},
                               .density = 1,
                               .id = i};
        weights[i] = (float)(i % 17);
    }
    give_source(w, "particles.cl", particle_source);
    pm_workload_buffer(w, "particles", PARTICLES * sizeof *p, p,
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "cells", CELLS * sizeof(test_cell), NULL,
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "sums", PARTICLES * sizeof(float), NULL,
                       PM_BUFFER_OUTPUT | PM_BUFFER_POISON);
    pm_workload_buffer(w, "weights", PARTICLES * sizeof(float), weights, PM_BUFFER_IN);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        launch_particles(w, kernels[i]);
    w->work = 42;
    pm_workload_check(w, check_particles, NULL, NULL);
    return pm_workload_finish(w, NULL);
}

#endif
