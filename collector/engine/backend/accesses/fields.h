/* Finds names of struct members in debug information.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_FIELDS_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_FIELDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char structure[64]; /* name of the struct or of its typedef */
    char field[128];    /* name of the member; nested members are joined by '.' */
} pm_member_name;

/* Finds the struct member at `offset` bytes from the pointer argument number `argument`. false if
 * the argument does not point to a struct, or there is no debug information. */
bool pm_field_find(LLVMValueRef kernel, unsigned argument, uint64_t offset, pm_member_name *field);
/* Finds the member at `offset` bytes of a kernel's argument that is itself a struct (passed by
 * value). false if it has no member there, or there is no debug information. */
bool pm_field_of_value(LLVMValueRef kernel, unsigned argument, uint64_t offset,
                       pm_member_name *field);

#endif
