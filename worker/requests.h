/* What a worker can be asked, and how messages are framed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A message is a header, the files one by one (each with a byte), and the body. The worker answers
 * each request with a PM_REPLY: its status, then the text of an error or what the request asks for
 * (worker/messages.h).
 */
#ifndef PM_WORKER_REQUESTS_H
#define PM_WORKER_REQUESTS_H

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
    PM_REQUEST_TRACE_RESOURCES,
    PM_REQUEST_TRACE_RUN,
    PM_REQUEST_TRACE_READ,
    PM_REQUEST_TRACE_REACH,
    PM_REQUEST_TRACE_COUNT,
    PM_REQUEST_TRACE_ACCESSES,
    PM_REQUEST_TRACE_UNLOAD,
    PM_REQUEST_COUNT,
    PM_REPLY
} pm_request;

typedef struct {
    uint32_t kind, files;
    uint64_t bytes; /* of the body */
} pm_message_header;

/* Both ends must be of one build. */
#define PM_WORKER_PROTOCOL "perfmodel-worker " PM_VERSION " 1"

enum {
    PM_WORKER_OTHER_VERSION = 3, /* the worker's exit code */
    PM_READ_BYTES = 1 << 20,     /* of a buffer by one request */
    PM_MOST_REPLY_BYTES = 256 << 20,
    PM_WORKER_OUTPUT_BYTES = 64 << 10 /* of what it may print */
};

#endif
