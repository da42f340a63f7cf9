/* Serves requests for bitcode of only those functions of libclc that a source needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "collector/engine/backend.h"
#include "collector/worker/server/server.h"

pm_status pm_serve_libclc(pm_served *request, pm_error *err)
{
    char *libclc = NULL, *names = NULL, *bitcode = NULL;
    size_t bytes = 0;
    pm_status status;

    pm_wire_name(&request->body, &libclc);
    pm_wire_name(&request->body, &names);
    status = pm_wire_done(&request->body) ? pm_libclc_cut(libclc, names, &bitcode, &bytes, err)
                                          : pm_serve_senseless(err);
    if (status == PM_OK)
        pm_wire_bytes(&request->reply, bitcode, &bytes);
    free(bitcode);
    free(libclc);
    free(names);
    return status;
}
