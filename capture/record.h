/* What the layer in a captured program and the command that started it agree on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each process of the program writes records into FOLDER/records/PID/, those of CUDA into
 * FOLDER/records/PID-cuda/: a file `journal`, and
 * `contents/ID` for each distinct contents. A record is one line that is written at once, so that a
 * program that is killed leaves whole ones. Words have blanks between them; a text is one word, in
 * which bytes other than letters, digits and _./:=+,@- are %XX, and which is "%" where it is empty.
 *
 *   process VERSION PID FOLDER-THAT-IT-RUNS-IN
 *   program ID KIND CONTENTS OPTIONS          a build of a source; KIND is one of pm_record_kinds
 *   header PROGRAM PATH CONTENTS              that its source includes, found or handed over
 *   kernel ID PROGRAM NAME PARAMETER...       as far as the driver tells: ADDRESS:TYPE:NAME
 *   device TEXT                               where the launches ran
 *   launch NUMBER KERNEL NS GLOBAL LOCAL OFFSET ARGUMENT...
 *     GLOBAL, LOCAL, OFFSET: X or X,Y or X,Y,Z; LOCAL is 0 where the driver was to choose
 *     ARGUMENT: value:HEX, local:BYTES, buffer:ID:OFFSET:BYTES:AT:BEFORE:AFTER: of the buffer's
 *     bytes from OFFSET on, the argument is what begins AT bytes behind that. Behind the arguments
 *     may stand, of CUDA, shared:BYTES and symbol:NAME:BYTES:BEFORE
 *   module KIND CONTENTS                      an image that CUDA loaded: ptx, cubin or fatbin
 *   drop NUMBER                               a launch that is no longer wanted: others took longer
 *   total KERNEL REASON LAUNCHES NS UNTIMED   so far; a later one of the same replaces it
 *   end                                       the program came to its normal end
 *
 * CONTENTS, BEFORE and AFTER are 32 hexadecimal digits, the name of a file, or =HEX, bytes that
 * repeat. AFTER is "-" where the kernel cannot have changed it.
 */
#ifndef PM_CAPTURE_RECORD_H
#define PM_CAPTURE_RECORD_H

#define PM_RECORD_VERSION "1"
#define PM_RECORD_FOLDER "PERFMODEL_CAPTURE"        /* of the environment: FOLDER/records */
#define PM_RECORD_CHOICE "PERFMODEL_CAPTURE_CHOICE" /* which launches: see layer/choice.c */
#define PM_RECORD_LAYER "libperfmodel-capture.so"
#define PM_RECORD_INJECTION "libperfmodel-capture-cuda.so"

/* Bytes of a buffer that is recorded: a workload file's has no more. */
#define PM_RECORD_LARGEST ((size_t)1 << 30)

/* Where the source of a program came from; only the first kind can be captured. */
#define PM_RECORD_KINDS                                                                            \
    {                                                                                              \
        "source", "binary", "spir-v", "built-in", "linked", "cuda"                                 \
    }
enum {
    PM_FROM_SOURCE,
    PM_FROM_BINARY,
    PM_FROM_IL,
    PM_FROM_BUILT_IN,
    PM_FROM_SEVERAL,
    PM_FROM_CUDA /* whose source `perfmodel capture --source` finds */
};

/* Why a launch was left out. */
typedef enum {
    PM_CAPTURED,
    PM_LEFT_NOT_LONGEST,
    PM_LEFT_NOT_CHOSEN,
    PM_LEFT_BYTES,
    PM_LEFT_LARGE,
    PM_LEFT_SECONDS,
    PM_LEFT_KIND,
    PM_LEFT_LINKED,
    PM_LEFT_IMAGE,
    PM_LEFT_PIPE,
    PM_LEFT_SVM,
    PM_LEFT_UNSET,
    PM_LEFT_USER_EVENT,
    PM_LEFT_CALLBACK,
    PM_LEFT_UNREADABLE,
    PM_LEFT_GRAPH,
    PM_LEFT_POINTERS,
    PM_LEFT_LAYOUT,
    PM_LEFT_CLUSTERS,
    PM_LEFT_REASONS
} pm_left_out;

#define PM_LEFT_WORDS                                                                              \
    {                                                                                              \
        "captured", "longest", "choice", "bytes", "large", "seconds", "no-source", "linked",       \
            "image", "pipe", "svm", "unset", "user-event", "callback", "unreadable", "graph",      \
            "pointers", "layout", "clusters"                                                       \
    }

#endif
