/* Programs with shared virtual memory (SVM). See captured.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "captured.h"

/* Returns SVM with the numbers from, from + 1 and so on. */
static float *svm_of(const fixture *f, int from)
{
    float *values = clSVMAlloc(f->context, CL_MEM_READ_WRITE, N * sizeof *values, 0);

    check(values ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    check(
        clEnqueueSVMMap(f->queue, CL_TRUE, CL_MAP_WRITE, values, N * sizeof *values, 0, NULL, NULL),
        "clEnqueueSVMMap");
    for (int i = 0; i < N; i++)
        values[i] = (float)(from + i % 1000);
    check(clEnqueueSVMUnmap(f->queue, values, 0, NULL, NULL), "clEnqueueSVMUnmap");
    return values;
}

static void print_svm(const fixture *f, float *values)
{
    double sum = 0;

    check(
        clEnqueueSVMMap(f->queue, CL_TRUE, CL_MAP_READ, values, N * sizeof *values, 0, NULL, NULL),
        "clEnqueueSVMMap");
    for (int i = 0; i < N; i++)
        sum += values[i];
    check(clEnqueueSVMUnmap(f->queue, values, 0, NULL, NULL), "clEnqueueSVMUnmap");
    check(clFinish(f->queue), "clFinish");
    printf("%.9g\n", sum);
}

/* Launches a kernel on SVM, from the second half of one allocation and on the whole of another. A
 * copy changes the first between two launches. */
void svm(fixture *f)
{
    float *in = svm_of(f, 3), *out = svm_of(f, 1);
    cl_kernel scale = kernel_of(f, "scale");
    const float by = 2;
    const int n = N / 2;

    check(clSetKernelArgSVMPointer(scale, 0, in + N / 2), "in");
    check(clSetKernelArgSVMPointer(scale, 1, out), "out");
    check(clSetKernelArg(scale, 2, sizeof by, &by), "by");
    check(clSetKernelArg(scale, 3, sizeof n, &n), "n");
    launch(f, scale, 64);
    check(clEnqueueSVMMemcpy(f->queue, CL_FALSE, in, out, N * sizeof *in, 0, NULL, NULL),
          "clEnqueueSVMMemcpy");
    launch(f, scale, 64);
    print_svm(f, out);
    clReleaseKernel(scale);
    clSVMFree(f->context, in);
    clSVMFree(f->context, out);
}

static const char chain[] =
    "typedef struct node { global struct node *next; global float *values; } node;\n"
    "typedef struct { global const node *first; int count; int add; } list;\n"
    "kernel void walk(global const list *l, global float *out)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    global const node *at = l->first;\n"
    "    float sum = l->add;\n"
    "    for (int k = 0; k < l->count; k++, at = at->next)\n"
    "        sum += at->values[i];\n"
    "    out[i] = sum;\n"
    "}\n";

typedef struct node {
    struct node *next;
    float *values;
} node;

typedef struct {
    const node *first;
    cl_int count, add;
} list;

/* The kernel reads a struct in SVM that points to a list in other SVM. A member of each element of
 * the list points to the next element, and another member points to an allocation with numbers. */
void svm_pointers(fixture *f)
{
    enum { NODES = 3 };
    const fixture with_chain = {f->device, f->context, f->queue, build(f, chain, "-cl-std=CL2.0")};
    cl_kernel walk = kernel_of(&with_chain, "walk");
    node *nodes = clSVMAlloc(f->context, CL_MEM_READ_WRITE, NODES * sizeof *nodes, 0);
    float *values[NODES] = {svm_of(f, 1), svm_of(f, 20), svm_of(f, 300)}, *out = svm_of(f, 0);
    list *l =
        clSVMAlloc(f->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof *l, 0);
    void *used[NODES + 1] = {nodes, values[0], values[1], values[2]};

    check(nodes && l ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    check(clEnqueueSVMMap(f->queue, CL_TRUE, CL_MAP_WRITE, nodes, NODES * sizeof *nodes, 0, NULL,
                          NULL),
          "clEnqueueSVMMap");
    for (int i = 0; i < NODES; i++)
        nodes[i] = (node){i + 1 < NODES ? &nodes[i + 1] : NULL, values[i]};
    check(clEnqueueSVMUnmap(f->queue, nodes, 0, NULL, NULL), "clEnqueueSVMUnmap");
    check(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used),
          "clSetKernelExecInfo");
    *l = (list){nodes, NODES, 5};
    check(clSetKernelArgSVMPointer(walk, 0, l), "l");
    check(clSetKernelArgSVMPointer(walk, 1, out), "out");
    launch(f, walk, 64);
    print_svm(f, out);
    clReleaseKernel(walk);
    clReleaseProgram(with_chain.program);
    for (int i = 0; i < NODES; i++)
        clSVMFree(f->context, values[i]);
    clSVMFree(f->context, nodes);
    clSVMFree(f->context, l);
    clSVMFree(f->context, out);
}
