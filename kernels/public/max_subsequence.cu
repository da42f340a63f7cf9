/* The largest sum of consecutive numbers, in 32 blocks of 128 threads. A block copies 4096 numbers
 * at a time to shared memory, 32 for each thread. The thread goes through its numbers one by one,
 * so that all lanes of a warp access one bank. It keeps the best run and the run that ends at the
 * present number. At the end, each thread stores its best sum, and the best sums from the ends of
 * its last numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define TAKEN 4096
#define EACH 32

/* Copies the next 32 numbers of each thread to shared memory. The lanes of a warp copy the 32
 * numbers of one thread at once, for all threads one after another. */
__device__ void take(const int *numbers, int *taken, int per_group, int round)
{
    int per_item = per_group / (int)blockDim.x, warp = threadIdx.x / EACH;
    int from = blockIdx.x * per_group + warp * per_item + threadIdx.x % EACH + round * EACH;
    int to = threadIdx.x;

    for (int i = 0; i < TAKEN; i += blockDim.x) {
        taken[to] = numbers[from];
        to += blockDim.x;
        from += per_item * 4;
    }
}

extern "C" __global__ void best_runs(const int *numbers, int *results, int per_item, int per_group)
{
    __shared__ int taken[TAKEN + 2];
    int first = threadIdx.x * EACH - 1;
    int best = 0, suffix = 0, best_begin = 0, best_end = 0, begin, end;

    for (int round = 0; round < per_group / TAKEN; round++) {
        take(numbers, taken, per_group, round);
        __syncthreads();
        best_begin = best_end = begin = end = first;
        for (int i = first; i < first + EACH; i++) {
            int next = taken[i + 1];

            if (i == best_end) { /* the best run ends here: it and the run that ends here grow together */
                end++;
                suffix += next;
                if (suffix < 0) {
                    suffix = 0;
                    end = -1;
                }
                begin = end == 0 ? 0 : begin;
                if (next > 0) {
                    best_end++;
                    best += next;
                    best_begin = best_end == 0 ? 0 : best_begin;
                }
            } else if (suffix + next > best) {
                end++;
                if (best_begin == -1)
                    end = begin = i + 1;
                suffix += next;
                best_begin = begin;
                best_end = end;
                best = suffix;
            } else if (suffix + next > 0) {
                end++;
                if (suffix == 0)
                    begin = end = i + 1;
                suffix += next;
            } else {
                begin = end = i + 2;
                suffix = 0;
            }
        }
        __syncthreads();
    }

    int *out = results + (blockIdx.x * blockDim.x + threadIdx.x) * 5;
    int sum = 0, largest = 0;

    out[0] = out[1] = out[3] = out[4] = -1;
    out[2] = best;
    if (best_begin > first) {
        for (int i = 0; i < best_begin; i++) {
            sum += taken[i];
            largest = max(largest, sum);
        }
        out[0] = largest;
        out[1] = sum - largest;
    }
    sum = largest = 0;
    if (best_end < first + EACH + 1) {
        for (int i = first + EACH; i > best_end; i--) {
            sum += taken[max(i, 0)];
            largest = max(largest, sum);
        }
        out[3] = largest;
        out[4] = largest == 0 ? 0 : sum - largest;
    }
}
