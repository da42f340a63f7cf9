/* The compiler half of the trace engine: OpenCL C in, runnable blocks out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It lives in a module of its own (lib/perfmodel/trace.so), so that only tracing loads LLVM.
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_H
#define PM_COLLECTOR_TRACE_BACKEND_H

#include "program.h"

typedef struct {
    const char *bitcode; /* of pm_trace_compile */
    size_t bitcode_bytes;
    const char *source_path; /* for messages */
    const char *costs;       /* path of instructions.ini */
    unsigned warp_width;
} pm_backend_request;

/* The module's one symbol, PM_BACKEND_SYMBOL. A kernel with something that the engine does not do
 * is PM_BAD_INPUT and names it with its line. */
typedef struct {
    unsigned version; /* PM_BACKEND_VERSION */
    pm_status (*build)(const pm_backend_request *request, pm_trace_program **out, pm_error *err);
    void (*free)(pm_trace_program *program);
} pm_backend;

#define PM_BACKEND_SYMBOL "pm_trace_backend"
enum { PM_BACKEND_VERSION = 2 };

#endif
