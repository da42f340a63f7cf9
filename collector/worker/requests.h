/* The requests to a worker, and the framing of messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A message is a header, then the open files one by one (each sent with one byte of data), then the
 * body. The worker answers each request with a PM_REPLY: its status, then the error text or the
 * requested data (collector/worker/messages.h).
 */
#ifndef PM_COLLECTOR_WORKER_REQUESTS_H
#define PM_COLLECTOR_WORKER_REQUESTS_H

#include "base/wire.h"
#include "perfmodel.h"

typedef enum {
    PM_REQUEST_SOURCE_OPEN = 1,
    PM_REQUEST_SOURCE_EXPAND,
    PM_REQUEST_SOURCE_REWRITE,
    PM_REQUEST_SOURCE_STAGE,
    PM_REQUEST_SOURCE_INSTANCES,
    PM_REQUEST_SOURCE_LAUNCHES,
    PM_REQUEST_SOURCE_CLOSE,
    PM_REQUEST_TRACE_LOAD,
    PM_REQUEST_TRACE_PTX,
    PM_REQUEST_TRACE_SASS,
    PM_REQUEST_TRACE_RESOURCES,
    PM_REQUEST_TRACE_RUN,
    PM_REQUEST_TRACE_READ,
    PM_REQUEST_TRACE_REACH,
    PM_REQUEST_TRACE_PAGE_USE,
    PM_REQUEST_TRACE_COUNT,
    PM_REQUEST_TRACE_ACCESSES,
    PM_REQUEST_TRACE_UNLOAD,
    PM_REQUEST_LIBCLC,
    PM_REQUEST_COUNT,
    PM_REPLY
} pm_request;

typedef struct {
    uint32_t kind, files;
    uint64_t bytes; /* bytes of the body */
} pm_message_header;

/* Identifies the protocol between perfmodel and a worker process. Both must have the same protocol;
 * it includes perfmodel's version. */
#define PM_WORKER_PROTOCOL "perfmodel-worker " PM_VERSION " 2"

enum {
    /* exit code of a worker process whose PM_WORKER_PROTOCOL differs from perfmodel's */
    PM_WORKER_OTHER_VERSION = 3,
    PM_READ_BYTES = 1 << 20, /* largest number of bytes of a buffer that one request reads */
    PM_MOST_REPLY_BYTES = 256 << 20,
    PM_WORKER_OUTPUT_BYTES = 64 << 10 /* bytes of output that a worker may print */
};

#endif
