/* The largest sum of consecutive numbers, in 32 work-groups of 128 work-items. A group copies 4096
 * numbers at a time to local memory, 32 for each work-item. The work-item goes through its numbers
 * one by one, so that all lanes of a warp access one bank. It keeps the best run and the run that
 * ends at the present number. At the end, each work-item stores its best sum, and the best sums
 * from the ends of its last numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define TAKEN 4096
#define EACH 32

/* Copies the next 32 numbers of each work-item to local memory. The lanes of a warp copy the 32
 * numbers of one work-item at once, for all work-items one after another. */
void take(global const int *numbers, local int *taken, int per_group, int round)
{
    int per_item = per_group / (int)get_local_size(0), warp = get_local_id(0) / EACH;
    int from = get_group_id(0) * per_group + warp * per_item + get_local_id(0) % EACH + round * EACH;
    int to = get_local_id(0);

    for (int i = 0; i < TAKEN; i += get_local_size(0)) {
        taken[to] = numbers[from];
        to += get_local_size(0);
        from += per_item * 4;
    }
}

kernel void best_runs(global const int *numbers, global int *results, int per_item, int per_group)
{
    local int taken[TAKEN + 2];
    int first = get_local_id(0) * EACH - 1;
    int best = 0, suffix = 0, best_begin = 0, best_end = 0, begin, end;

    for (int round = 0; round < per_group / TAKEN; round++) {
        take(numbers, taken, per_group, round);
        barrier(CLK_LOCAL_MEM_FENCE);
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
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    global int *out = results + get_global_id(0) * 5;
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
