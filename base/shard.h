/* Splits work among several machines or processes by hashing. Each of them does one shard (part) of
 * the work.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_SHARD_H
#define PM_BASE_SHARD_H

#include <limits.h>

#include "perfmodel.h"

/* Parses the text of the option --shard. "2/3" is the second of three shards. "auto" takes index
 * and number of shards from environment variables: of a Slurm array, srun, Open MPI, MPI's process
 * manager (PMI), or an indexed Kubernetes job. "auto/3" also gives the number of shards, which
 * Kubernetes does not provide. Any other text is PM_BAD_INPUT, and so is "auto" without such
 * variables. */
pm_status pm_shard_read(const char *text, pm_shard *shard, pm_error *err);

/* Returns true if a variant of a program belongs to the shard. Each variant belongs to exactly one
 * of the shard->count shards. shard->count 0: all belong to it. */
bool pm_shard_has(const pm_shard *shard, const char *program, const char *variant);

/* Writes the path of a shard's file to out. The path is `path` with its suffix `ending` replaced by
 * "-IofN" and the suffix `to`. Examples for shard 2 of 3: NAME.csv, ".csv", ".csv" gives
 * NAME-2of3.csv; NAME.json, ".json", ".jsonl" gives NAME-2of3.jsonl. If shard->count is 0, writes
 * path unchanged. */
pm_status pm_shard_path(const pm_shard *shard, const char *path, const char *ending, const char *to,
                        char *out, size_t size, pm_error *err);

#endif
