/* Memory that is freed all at once, and errors that are raised by longjmp.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work with many small allocations takes them from one pm_memory. If memory runs out or the input
 * is invalid, a function raises an error: the work ends at once, pm_attempt returns the error's
 * status, and pm_memory_free frees all memory allocated so far. Functions that run below pm_attempt
 * therefore neither free memory nor return a status.
 */
#ifndef PM_BASE_MEMORY_H
#define PM_BASE_MEMORY_H

#include <setjmp.h>

#include "base/cancel.h"
#include "perfmodel.h"

typedef struct pm_memory_block pm_memory_block;

/* Memory that is freed all at once, and the target of the longjmp that raises an error. All zero:
 * nothing is allocated. */
typedef struct pm_memory {
    pm_memory_block *blocks;
    /* Target of the longjmp that raises an error. NULL: no pm_attempt is running with this memory.
     */
    jmp_buf *way_out;
    pm_error *err;
    /* Tells pm_go_on whether the user has cancelled the work. All zero: the work cannot be
     * cancelled. */
    pm_cancel cancel;
} pm_memory;

/* Calls work(user), and catches an error that pm_leave raises by longjmp. Returns PM_OK, or the
 * status that was passed to pm_leave. Calls of pm_attempt may be nested if each has its own
 * memory. */
pm_status pm_attempt(pm_memory *memory, void (*work)(void *user), void *user, pm_error *err);
/* Raises an error with a message of one line: ends the running pm_attempt, which returns `status`
 * and the message. Does not return. */
_Noreturn void pm_leave(const pm_memory *memory, pm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises the error whose message memory->err already holds: ends the running pm_attempt, which
 * returns `status`. Does not return. */
_Noreturn void pm_give_up(const pm_memory *memory, pm_status status);
/* Raises the error in memory->err if status is not PM_OK. The function that returned status must
 * have filled memory->err. */
void pm_require(const pm_memory *memory, pm_status status);
/* Raises PM_FAILED if memory->cancel reports that the user cancelled the work. Long work calls it
 * every few milliseconds. */
void pm_go_on(const pm_memory *memory);
/* Returns an empty pm_memory whose allocations can be freed before those of `memory`. Errors that
 * are raised with it end the same call of pm_attempt. */
pm_memory pm_memory_beside(const pm_memory *memory);
/* Moves all allocations of `from` to `to`. pm_memory_free of `to` then frees them. */
void pm_memory_join(pm_memory *to, pm_memory *from);
void pm_memory_free(pm_memory *memory);

/* Allocates count * size zeroed bytes. Never returns NULL: raises an error if memory runs out. */
void *pm_take(pm_memory *memory, size_t count, size_t size);
/* Allocates count * size zeroed bytes. If memory runs out, returns NULL instead of raising an
 * error, for callers that do not run inside of pm_attempt. */
void *pm_try_take(pm_memory *memory, size_t count, size_t size);
/* Grows an array if it has no room for one more item after its `count` items, and returns it. size:
 * bytes of an item. The array must come from pm_more, or be NULL with count 0. Raises an error if
 * memory runs out. */
void *pm_more(pm_memory *memory, void *items, size_t count, size_t size);
/* Appends an item to an array that pm_more allocates, and increments count. Returns a pointer to
 * the item, whose contents are not set. */
#define pm_add(memory, items, count)                                                               \
    ((items) = pm_more((memory), (items), (count), sizeof *(items)), &(items)[(count)++])
char *pm_copy(pm_memory *memory, const char *text);
char *pm_format(pm_memory *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
