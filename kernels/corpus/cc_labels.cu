/* kernels/corpus/cc_labels.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void takeLeast(const int *links, const int *label, int *least)
{
    size_t v = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int best = label[v];
    for (int k = 0; k < DEGREE; ++k)
        best = min(best, label[links[v * DEGREE + k]]);
    least[v] = best;
}

/* Replaces a vertex's label by the label of the vertex that it names. The label is itself a vertex
 * of the component, so its label is equal or smaller. */
__global__ void jumpOn(const int *least, int *label)
{
    size_t v = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    label[v] = least[least[v]];
}
