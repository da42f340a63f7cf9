/* Names by which the front end of PTX tells the trace engine about asynchronous copies.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_ASYNC_COPY_H
#define PM_MACHINE_ASYNC_COPY_H

/* Kind of metadata of the load and of the store of an asynchronous copy. It has one operand: 1 if
 * the copy bypasses L1, else 0. */
#define PM_ASYNC_MARK "pm.async"
/* Functions: the end of a group of copies, and the wait for copies. The name of the latter ends
 * with the number of groups that may still be in flight. */
#define PM_ASYNC_COMMIT "pm.async.commit"
#define PM_ASYNC_WAIT "pm.async.wait."

#endif
