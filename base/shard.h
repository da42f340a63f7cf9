/* Splits work by hash among several machines or processes. Each gets one shard.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_SHARD_H
#define PM_BASE_SHARD_H

#include <limits.h>

#include "perfmodel.h"

/* Parses "2/3", the second of three shards. "auto" takes index and number from the environment: a
 * Slurm array, a step of srun, Open MPI, MPI's process manager (PMI), or an indexed job of
 * Kubernetes. "auto/3" gives the number, which Kubernetes does not. Any other text, or an
 * environment without these, is PM_BAD_INPUT. */
pm_status pm_shard_read(const char *text, pm_shard *shard, pm_error *err);

/* True if the shard has this variant of a program. Exactly one of `count` shards has it. */
bool pm_shard_has(const pm_shard *shard, const char *program, const char *variant);

/* Path of a shard's file: NAME-2of3.csv for NAME.csv with ending and to ".csv"; NAME-2of3.jsonl for
 * NAME.json with ".json" and ".jsonl". Without shards it is the same path. */
pm_status pm_shard_path(const pm_shard *shard, const char *path, const char *ending, const char *to,
                        char *out, size_t size, pm_error *err);

#endif
