/* File format of the records of a captured program: kernels, launches with arguments, and contents
 * of buffers. The library in the program writes them, and perfmodel capture reads them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each process of the program writes records into FOLDER/records/PID/ (OpenCL) or
 * FOLDER/records/PID-cuda/ (CUDA). These have a file `journal`, and `contents/ID` for each distinct
 * contents. A record is one line, written by one write, so that a killed program leaves complete
 * records. Words are separated by blanks. A text is one word, in which bytes other than letters,
 * digits and _./:=+,@- are %XX. An empty text is "%".
 *
 *   process VERSION PID WORKING-FOLDER
 *   program ID KIND CONTENTS OPTIONS       a build of a source; KIND is one of PM_RECORD_KINDS
 *   header PROGRAM PATH CONTENTS           a header of its source, found or passed by the host
 *   kernel ID PROGRAM NAME PARAMETER...    PARAMETER: ADDRESS:TYPE:NAME, as far as the driver knows
 *   image KERNEL CONTENTS                  module that has the kernel, if it is known
 *   device TEXT [ARCH]                     device of the launches; for CUDA its architecture: 90
 *   launch NUMBER KERNEL NS GLOBAL LOCAL OFFSET ARGUMENT...
 *   module KIND CONTENTS                   an image that CUDA loaded: ptx, cubin or fatbin
 *   drop NUMBER                            discards a launch, because others took longer
 *   total KERNEL REASON LAUNCHES NS UNTIMED
 *                                          sums so far; a later total replaces an earlier one
 *   end                                    the program ended normally
 *
 * GLOBAL, LOCAL and OFFSET of a launch are X, or X,Y, or X,Y,Z. LOCAL is 0 if the driver chooses.
 * ARGUMENT is one of these words:
 *
 *   value:HEX                              the bytes of a value
 *   local:BYTES                            an array in local memory
 *   buffer:ID:OFFSET:BYTES:AT:BEFORE:AFTER
 *                                          BYTES bytes of a buffer from byte OFFSET on; the
 *                                          argument points to byte OFFSET + AT
 *
 * For CUDA, shared:BYTES (dynamic shared memory) and symbol:NAME:BYTES:BEFORE (a __constant__
 * variable) may follow the arguments. If structs or memory of the launch have pointers, a word
 * memory:ID:ADDRESS:BYTES:BEFORE:AFTER follows for each allocation of the launch.
 *
 * CONTENTS, BEFORE and AFTER are ids of contents: 32 hexadecimal digits, the name of a file in
 * contents/, or =HEX, bytes that repeat. BEFORE and AFTER are the contents before and after the
 * launch. BEFORE is "~" if the contents were not stored, because they change no address and no
 * branch of the kernel. AFTER is "-" if the kernel cannot have changed the buffer, and "?" if the
 * contents after the launch were not recorded.
 *
 * scripts/intercept_to_workload.py writes the same records.
 */
#ifndef PM_CAPTURE_RECORD_H
#define PM_CAPTURE_RECORD_H

#define PM_RECORD_VERSION "1"
/* environment variable with the path of the folder for records, FOLDER/records */
#define PM_RECORD_FOLDER "PERFMODEL_CAPTURE"
/* Name of a Unix socket in FOLDER/records/. CUDA's library uses it to ask perfmodel which buffers
 * of a kernel have contents that need not be stored (capture/questions.h). The question is one
 * line, PID-cuda KERNEL: the name of the process's folder, and the id of a kernel in its records.
 * The answer is one line with a letter for each parameter of the kernel, or an empty line if they
 * are not known. There is no socket if all contents have to be stored. */
#define PM_RECORD_QUESTIONS "questions"
/* Format of the socket's path. %d is an open file descriptor of FOLDER/records/, because the path
 * of a socket must be shorter than 108 characters. */
#define PM_RECORD_QUESTIONS_PATH "/proc/self/fd/%d/" PM_RECORD_QUESTIONS
#define PM_RECORD_SPARE 's' /* the contents change no address and no branch of the kernel */
/* the contents may change an address or a branch; the kernel only reads the buffer */
#define PM_RECORD_READ_ONLY 'r'
/* any other parameter: the kernel may write the buffer, and its contents may change an address or a
 * branch; or the parameter is no pointer */
#define PM_RECORD_NEEDED 'n'
/* contents that were not stored */
#define PM_RECORD_ANY "~"
/* environment variable with the user's choice of launches; recording/choice.c describes its
 * syntax */
#define PM_RECORD_CHOICE "PERFMODEL_CAPTURE_CHOICE"
#define PM_RECORD_LAYER "libperfmodel-capture.so"
#define PM_RECORD_INJECTION "libperfmodel-capture-cuda.so"

/* Largest size of a buffer that is recorded, in bytes. Contents in files of workload files have the
 * same limit. */
#define PM_RECORD_LARGEST ((size_t)4 << 30)

/* Origins of a program's source, the KIND of a "program" record; the enumerators below are indices
 * of this array. Programs of kind "source" can be captured. Programs of kind "cuda" can be captured
 * if `--source` finds their source or if the program loaded their PTX. */
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
    PM_FROM_CUDA /* CUDA program; after the run, its source or PTX is looked for */
};

/* Reasons why a launch was not recorded, or was recorded but is not in a workload file. */
typedef enum {
    PM_CAPTURED,
    PM_LEFT_NOT_LONGEST,
    PM_LEFT_SHORT,
    PM_LEFT_NOT_CHOSEN,
    PM_LEFT_BYTES,
    PM_LEFT_LARGE,
    PM_LEFT_SECONDS,
    PM_LEFT_SLOW,
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
        "captured", "longest", "short", "choice", "bytes", "large", "seconds", "slow",             \
            "no-source", "linked", "image", "pipe", "svm", "unset", "user-event", "callback",      \
            "unreadable", "graph", "pointers", "layout", "clusters"                                \
    }

#endif
