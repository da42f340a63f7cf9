/* Names of struct members from debug information.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ACCESSES_FIELDS_H
#define PM_COLLECTOR_TRACE_BACKEND_ACCESSES_FIELDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char structure[64]; /* the struct's name, or that of its typedef */
    char field[128];    /* its member, nested ones joined by '.' */
} pm_member_name;

/* What stands `offset` bytes from where a pointer argument of the kernel points: false if that is
 * no struct, or there is no debug information. */
bool pm_field_find(LLVMValueRef kernel, unsigned argument, uint64_t offset, pm_member_name *field);

#endif
