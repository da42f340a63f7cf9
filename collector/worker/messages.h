/* The bodies of requests to a worker process, and of its answers. Each function writes a struct or
 * reads it, depending on the state of `wire` (wire.h). A struct with a pm_memory owns the data that
 * are read in this memory; free it also after a failure.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_MESSAGES_H
#define PM_COLLECTOR_WORKER_MESSAGES_H

#include "base/wire.h"
#include "collector/executor.h"
#include "machine/rules.h"
#include "program/workload.h"
#include "transform/layout/plan.h"
#include "transform/source/launches.h"
#include "transform/source/source.h"
#include "transform/staging/staging.h"

/* ---- sources: message_source.c ---- */

/* The request PM_REQUEST_SOURCE_OPEN, which makes a worker parse a source. The answer has a
 * number by which later requests name the source, and a description of the source's kernels and
 * structs. */
typedef struct {
    char *text, *path;
    char *parsed; /* text that clang parses; NULL: clang parses `text` */
    size_t header_count;
    pm_named_text *headers; /* headers whose text is given here instead of read from files */
    size_t argument_count;
    char **arguments; /* arguments of clang, without the source's path */
} pm_open_message;

void pm_wire_open(pm_wire *wire, pm_open_message *open);
void pm_wire_source_info(pm_wire *wire, pm_source_info *info);
/* pm_wire_stage_request writes or reads the body of PM_REQUEST_SOURCE_STAGE, which asks for a
 * source in which kernels first copy arrays to local memory (staging). pm_wire_staged does so for
 * the body of the answer, the new source. */
void pm_wire_stage_request(pm_wire *wire, pm_stage_request *request);
void pm_wire_staged(pm_wire *wire, pm_staged *staged);
/* pm_wire_names writes or reads the names of kernels, the body of PM_REQUEST_SOURCE_INSTANCES.
 * pm_wire_instances does so for the answer, a source in which functions replace template instances.
 * pm_wire_rewritten does so for a source with another layout of structs. */
void pm_wire_names(pm_wire *wire, char ***names, size_t *count);
void pm_wire_instances(pm_wire *wire, pm_instances *instances);
void pm_wire_rewritten(pm_wire *wire, pm_rewritten *rewritten);

/* Writes or reads the answer to the request PM_REQUEST_SOURCE_LAUNCHES. The request is a
 * pm_open_message with the build options in `arguments`, then the values of the command line's
 * --set (message_host.c). */
void pm_wire_launches(pm_wire *wire, pm_source_launches *launches);

/* ---- traces: message_trace.c ---- */

/* Writes or reads a workload, without the members that the trace engine does not need. If a
 * buffer's contents come from a file, the open file is sent instead of the contents. `files` has
 * these files' descriptors in the order of the buffers; its capacity is the number of buffers. When
 * a workload is read, it takes ownership of the descriptors. */
void pm_wire_workload(pm_wire *wire, pm_workload *workload, int *files, size_t *file_count);
void pm_wire_kernels(pm_wire *wire, pm_trace_tables *tables);

#endif
