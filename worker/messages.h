/* What requests and answers hold. Each function writes or reads, as wire.h says. What has a memory
 * of its own is read into that, which is to be freed also after a failure half-way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_MESSAGES_H
#define PM_WORKER_MESSAGES_H

#include "base/wire.h"
#include "collector/executor.h"
#include "gpu/rules.h"
#include "layout/plan.h"
#include "program/workload.h"
#include "source/launches.h"
#include "source/source.h"
#include "staging/staging.h"

/* ---- sources: message_source.c ---- */

/* Of SOURCE_OPEN; its answer is the source's number, and its description. */
typedef struct {
    char *text, *path;
    char *parsed; /* what clang is to see of it; NULL: all */
    size_t header_count;
    pm_named_text *headers; /* that are not read from where they lie */
    size_t argument_count;
    char **arguments; /* of clang, without the source's path */
} pm_open_message;

void pm_wire_open(pm_wire *wire, pm_open_message *open);
void pm_wire_source_info(pm_wire *wire, pm_source_info *info);
/* Of SOURCE_STAGE. */
void pm_wire_stage_request(pm_wire *wire, pm_stage_request *request);
void pm_wire_staged(pm_wire *wire, pm_staged *staged);
/* Of SOURCE_INSTANCES: kernels that are asked for, then what came of them. */
void pm_wire_names(pm_wire *wire, char ***names, size_t *count);
void pm_wire_instances(pm_wire *wire, pm_instances *instances);
void pm_wire_rewritten(pm_wire *wire, pm_rewritten *rewritten);

/* Of SOURCE_LAUNCHES: an open message whose options are in the arguments, then what --set gives;
 * message_host.c. */
void pm_wire_launches(pm_wire *wire, pm_source_launches *launches);

/* ---- traces: message_trace.c ---- */

/* All that tracing needs of a workload. Contents of buffers that have a file go as that file: files
 * are in the order of those buffers, and there are as many as buffers at most. What is read keeps
 * them. */
void pm_wire_workload(pm_wire *wire, pm_workload *workload, int *files, size_t *file_count);
void pm_wire_kernels(pm_wire *wire, pm_trace_tables *tables);

#endif
