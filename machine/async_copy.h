/* Names of functions in LLVM IR with which the translation of PTX marks asynchronous copies from
 * global to shared memory (cp.async), so that the trace engine can count them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_ASYNC_COPY_H
#define PM_MACHINE_ASYNC_COPY_H

/* Kind of the metadata that marks the load and the store of an asynchronous copy to shared memory.
 * The metadata has one operand: 1 if the copy bypasses L1, else 0. */
#define PM_ASYNC_MARK "pm.async"
/* Names of functions. PM_ASYNC_COMMIT ends a group of asynchronous copies. PM_ASYNC_WAIT waits for
 * copies; its full name ends with the number of groups that may still be in flight. */
#define PM_ASYNC_COMMIT "pm.async.commit"
#define PM_ASYNC_WAIT "pm.async.wait."

#endif
