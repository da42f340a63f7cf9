/* Asks a worker process to make a bitcode file with only those functions of libclc (the library of
 * OpenCL's builtin functions) that a source needs. See libclc.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/libclc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/worker/process.h"

typedef struct {
    char *bitcode;
    size_t bytes;
} part;

static void read_part(pm_wire *reply, void *result)
{
    part *p = result;
    const void *bytes = pm_wire_bytes(reply, NULL, &p->bytes);

    if (!pm_wire_done(reply))
        return;
    p->bitcode = malloc(p->bytes + 1);
    if (p->bitcode)
        memcpy(p->bitcode, bytes, p->bytes);
}

pm_status pm_worker_cut_libclc(void *worker, const char *libclc, const char *names, char **bitcode,
                               size_t *bytes)
{
    char *path = (char *)(uintptr_t)libclc, *list = (char *)(uintptr_t)names;
    part made = {NULL, 0};
    pm_wire body = PM_WIRE_WRITER;
    const pm_worker_call call = {.kind = PM_REQUEST_LIBCLC,
                                 .body = &body,
                                 .subject = libclc,
                                 .read = read_part,
                                 .result = &made};
    uint64_t generation = 0;
    pm_status status;

    pm_wire_name(&body, &path);
    pm_wire_name(&body, &list);
    status = body.failed ? PM_FAILED
                         : pm_process_call(pm_worker_process(worker), &call, &generation, NULL);
    pm_wire_free(&body);
    if (status != PM_OK || !made.bitcode) {
        free(made.bitcode);
        return PM_FAILED;
    }
    *bitcode = made.bitcode;
    *bytes = made.bytes;
    return PM_OK;
}
