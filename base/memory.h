/* Memory that is freed all at once, and the way out of work that fails.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work that builds many small things takes their memory from one place. Where there is none left,
 * or where the input is refused, the work ends at once: pm_attempt returns, and pm_memory_free
 * frees what was built so far. So functions below pm_attempt neither free nor return a status.
 */
#ifndef PM_BASE_MEMORY_H
#define PM_BASE_MEMORY_H

#include <setjmp.h>

#include "base/cancel.h"
#include "perfmodel.h"

typedef struct pm_memory_block pm_memory_block;

/* All zero: nothing was taken yet. */
typedef struct pm_memory {
    pm_memory_block *blocks;
    jmp_buf *way_out; /* NULL: no attempt is under way */
    pm_error *err;
    pm_cancel cancel; /* ends the attempt where pm_go_on asks; all zero: nobody does */
} pm_memory;

/* Does the work; a status that is not PM_OK is the one that pm_leave was called with. Attempts may
 * be within each other if each has a memory of its own. */
pm_status pm_attempt(pm_memory *memory, void (*work)(void *user), void *user, pm_error *err);
/* Ends the attempt with an error of one line. */
_Noreturn void pm_leave(const pm_memory *memory, pm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends it with the error that memory->err has already. */
_Noreturn void pm_give_up(const pm_memory *memory, pm_status status);
/* Ends it if a status is not PM_OK, of a function that was given memory->err. */
void pm_require(const pm_memory *memory, pm_status status);
/* Ends it with PM_FAILED, interrupted, if memory->cancel says so. Long work calls it between steps
 * of some milliseconds. */
void pm_go_on(const pm_memory *memory);
/* A memory that is freed earlier, for work of the same attempt. */
pm_memory pm_memory_beside(const pm_memory *memory);
/* What was taken of it is the other's from then on. */
void pm_memory_join(pm_memory *to, pm_memory *from);
void pm_memory_free(pm_memory *memory);

/* Zeroed; never NULL. */
void *pm_take(pm_memory *memory, size_t count, size_t size);
/* The same where no attempt is under way: NULL if there is none left. */
void *pm_try_take(pm_memory *memory, size_t count, size_t size);
/* The items, with room for one more behind count of them. The array has to come from here. */
void *pm_more(pm_memory *memory, void *items, size_t count, size_t size);
/* Adds an item to an array, and points to it. */
#define pm_add(memory, items, count)                                                               \
    ((items) = pm_more((memory), (items), (count), sizeof *(items)), &(items)[(count)++])
char *pm_copy(pm_memory *memory, const char *text);
char *pm_format(pm_memory *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
