/* The library that records a CUDA program asks perfmodel which buffers it need not store. perfmodel
 * answers while the program runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copying all buffers of a launch from the GPU takes much longer than the launch. Before it copies
 * large buffers, the library asks which of them have contents that change no address and no branch
 * of the kernel. Answers come from the kernel's PTX. It is analysed here, and not in the library,
 * because the parser has limits of memory and time in perfmodel's worker process, and because
 * nothing more than necessary should run in the program of the user. record.h describes the
 * messages.
 */
#ifndef PM_CAPTURE_QUESTIONS_H
#define PM_CAPTURE_QUESTIONS_H

#include "perfmodel.h"

typedef struct pm_questions pm_questions;

/* Listens for questions. folder: absolute path of the capture's folder, with the subfolder
 * records/. Both folders must exist until pm_questions_close. NULL if listening fails; the library
 * then gets no answers and stores all contents. */
pm_questions *pm_questions_open(pm_session *session, const char *folder);
/* Waits up to `milliseconds` for a question, and answers it. questions NULL: only waits. */
void pm_questions_wait(pm_questions *questions, int milliseconds);
/* Stops listening. The library gets no further answers. */
void pm_questions_close(pm_questions *questions);

#endif
