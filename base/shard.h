/* A share of the work, by hash, for one of several machines or processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_SHARD_H
#define PM_BASE_SHARD_H

#include <limits.h>

#include "perfmodel.h"

/* "2/3" is the second of three. "auto" asks the environment which one this process is and of how
 * many: an array of Slurm, a step of srun, Open MPI, MPI's process manager (PMI), an indexed job of
 * Kubernetes; "auto/3" where that does not say how many, as Kubernetes does not. Another text, and
 * an environment that does not tell, are PM_BAD_INPUT. */
pm_status pm_shard_read(const char *text, pm_shard *shard, pm_error *err);

/* Whether a program's variant is of the share: of all shards of a count exactly one has it. */
bool pm_shard_has(const pm_shard *shard, const char *program, const char *variant);

/* Where the share of a file goes: NAME-2of3.csv for NAME.csv, with endings ".csv" and ".csv", and
 * NAME-2of3.jsonl for NAME.json with ".json" and ".jsonl"; the path itself without shards. */
pm_status pm_shard_path(const pm_shard *shard, const char *path, const char *ending, const char *to,
                        char *out, size_t size, pm_error *err);

#endif
