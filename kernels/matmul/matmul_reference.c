/* What the matrix products share; see matmul_reference.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernels/matmul/matmul_reference.h"

enum { A, B, C };

typedef struct {
    const float *a, *b;
    size_t n;
} operands;

static double element(const void *context, size_t position)
{
    const operands *m = context;
    const float *a = m->a + position / m->n * m->n;
    const float *b = m->b + position % m->n;
    double sum = 0;

    for (size_t k = 0; k < m->n; k++)
        sum += (double)a[k] * (double)b[k * m->n];
    return sum;
}

/* With elements uniform in [-1, 1], the k-th partial sum has the standard deviation sqrt(k) / 3 and
 * is rounded by at most 2^-24 of itself. Independent, the n roundings add up to a standard
 * deviation below 2^-24 n / (3 sqrt 2); 4 n 2^-24 is 17 of those. An element itself is about
 * sqrt(n) / 3. */
static pm_status check(const pm_workload *workload, void *context, const void *const *outputs,
                       pm_error *err)
{
    size_t n = pm_size_value(workload->size);
    const operands m = {workload->buffers[A].initial, workload->buffers[B].initial, n};
    const pm_tolerance tolerance = {.absolute = 4.0 * (double)n * 0x1p-24};

    (void)context;
    return pm_check_float_samples("c", outputs[C], n * n, n <= 512 ? n * n : 1024, element, &m,
                                  tolerance, err);
}

void pm_matmul_buffers(pm_workload *workload, size_t n, uint64_t seed)
{
    pm_random_float_buffer(workload, "a", n * n, -1.0f, 1.0f, seed, PM_BUFFER_IN);
    pm_random_float_buffer(workload, "b", n * n, -1.0f, 1.0f, seed, PM_BUFFER_IN);
    pm_poisoned_buffer(workload, "c", n * n * sizeof(float));
    pm_workload_check(workload, check, NULL, NULL);
    workload->work = 2.0 * (double)n * (double)n * (double)n;
}
