/* The layer that perfmodel puts between a program and its OpenCL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It hands every call on. On the way it notes what programs, kernels, buffers and queues are, takes
 * the time of kernels, and records some launches with the contents of their buffers. Whatever goes
 * wrong here, the program runs on: a launch is then left out, and counted.
 *
 * All that the layer knows is one struct, behind one mutex, which is never held while the driver is
 * called with anything that may wait. One thread at a time records a launch: it has the turn.
 */
#ifndef PM_CAPTURE_LAYER_LAYER_H
#define PM_CAPTURE_LAYER_LAYER_H

#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"
#include "base/text.h"
#include "capture/record.h"

typedef cl_icd_dispatch pm_layer_dispatch;

/* ---- what is known of the program's objects -------------------------------------------------- */

/* Objects by their handle, each of which starts with it. A handle that the driver gives out again
 * is the new object's. */
typedef struct {
    pm_hash_index index;
    void **items;
    size_t count, room;
} pm_layer_table;

typedef enum { PM_MEM_BUFFER, PM_MEM_IMAGE, PM_MEM_PIPE } pm_layer_mem_kind;

typedef struct {
    const void *handle;
    pm_layer_mem_kind kind;
    unsigned id; /* of the buffer that it is part of, or its own */
    size_t offset, bytes;
    bool part;   /* of another one */
    bool hidden; /* the host may not read it */
} pm_layer_mem;

typedef struct {
    const void *handle;
    cl_context context;
    unsigned references;
    bool timed, hide_timing; /* profiled; and the program did not ask for it */
} pm_layer_queue;

/* A header that the host handed over or that was found. */
typedef struct {
    char *path, *text;
} pm_layer_header;

typedef struct {
    const void *handle;
    unsigned id; /* of its last build; 0: not recorded yet */
    int kind;
    char *source, *options;
    size_t header_count;
    pm_layer_header *headers;
} pm_layer_program;

enum { PM_LAYER_SIZES = 32 };

/* A kernel of a program, of which there may be several objects. */
typedef struct {
    unsigned id, program;
    int kind;
    char *name;
    pm_text params;  /* as its record has them */
    bool *read_only; /* by argument: no launch writes through it */
    bool recorded;   /* has its line */
    bool too_large;  /* its contents were more than may be stored */
    uint64_t seen;   /* launches that were chosen by number or name */
    unsigned kept;   /* launches that are recorded */
    struct {         /* what launches took lately, by work-items */
        uint64_t items, ns;
    } sizes[PM_LAYER_SIZES];
    unsigned size_count, size_next;
    struct {
        uint64_t launches, ns, untimed;
        bool changed;
    } totals[PM_LEFT_REASONS];
} pm_layer_entry;

typedef struct {
    size_t bytes;
    void *value; /* NULL: local memory, or nothing */
    bool set, svm;
} pm_layer_arg;

typedef struct {
    const void *handle;
    pm_layer_entry *entry;
    cl_uint arg_count;
    pm_layer_arg *args;
} pm_layer_kernel;

/* ---- launches -------------------------------------------------------------------------------- */

/* One that runs, and whose time is not known yet. */
typedef struct {
    cl_event event;
    pm_layer_entry *entry;
    pm_left_out reason;
    uint64_t items;
} pm_layer_pending;

/* One that is recorded, as long as it may be dropped for one that took longer. */
typedef struct {
    uint64_t number, ns;
    pm_layer_entry *entry;
    size_t contents_count;
    size_t *contents; /* that it needs: indices of the store's */
} pm_layer_kept;

typedef struct {
    uint64_t longest, first, from, to; /* one of: longest > 0, first > 0, to > 0 */
    uint64_t most_bytes;
    double most_seconds;
    char *kernels; /* with blanks around each; NULL: all */
} pm_layer_choice;

typedef struct {
    char id[40];
    size_t bytes; /* of its file */
    unsigned users;
} pm_layer_contents;

typedef struct {
    pm_layer_dispatch next; /* what the layer calls */
    pm_layer_dispatch own;  /* what the loader calls */
    pthread_mutex_t lock;
    pthread_cond_t turn_given;
    bool turn_taken;

    bool active;         /* there is a folder for the records */
    char *folder;        /* of the process's records; NULL: none yet */
    const char *records; /* the folder of all processes' */
    int journal;         /* -1: not open */
    pm_layer_choice choice;

    pm_layer_table mems, queues, programs, kernels;
    size_t entry_count, entry_room;
    pm_layer_entry **entries;
    unsigned next_id;
    unsigned open_user_events;
    uint64_t launches; /* chosen ones so far, for --launches */
    uint64_t number;   /* of all so far */
    double spent;      /* seconds of recording */
    double next_totals;
    bool told_device;

    pm_layer_pending *pending; /* a ring, of a power of two */
    size_t pending_room, pending_first, pending_count;

    size_t kept_count, kept_room;
    pm_layer_kept *kept;

    pm_hash_index contents_index;
    size_t contents_count, contents_room;
    pm_layer_contents *contents;
    uint64_t contents_bytes;
} pm_layer;

pm_layer *pm_layer_get(void);

/* Whether this thread is in a callback of the driver, which must not wait. */
extern _Thread_local bool pm_layer_in_callback;

void pm_layer_lock(void);
void pm_layer_unlock(void);

/* ---- objects.c: by handle ----------------------------------------------------------------------
 */

void *pm_layer_find(const pm_layer_table *table, const void *handle);
/* The object of that handle, of so many bytes that are zero but for the handle. NULL: no memory. An
 * object that had the handle before is handed to forget first. */
void *pm_layer_put(pm_layer_table *table, const void *handle, size_t size,
                   void (*forget)(void *object));
void pm_layer_fill_objects(pm_layer_dispatch *own);

/* ---- programs.c, headers.c ------------------------------------------------------------------- */

void pm_layer_fill_programs(pm_layer_dispatch *own);
void pm_layer_fill_kernels(pm_layer_dispatch *own);
/* Adds the headers that the source includes, by the -I of the options, to the program. */
void pm_layer_find_headers(pm_layer_program *program);
void pm_layer_add_header(pm_layer_program *program, const char *path, const char *text);

/* ---- journal.c: records; the lock is held ---------------------------------------------------- */

/* Begins a record: a text that pm_layer_record_end writes and frees. */
void pm_layer_word(pm_text *record, const char *text); /* behind a blank */
bool pm_layer_record(pm_text *record);                 /* false: it was not written */
/* Opens the journal if it is not open. */
bool pm_layer_open_journal(void);
void pm_layer_write_totals(bool all);
void pm_layer_write_entry(pm_layer_entry *entry);
/* In a fork's child: what is the parent's is let go. */
void pm_layer_forked(void);

/* ---- contents.c: the store ---------------------------------------------------------------------
 */

/* A hash that is fed piece by piece, each but the last a multiple of 32 bytes. */
typedef struct {
    uint64_t lanes[4];
    uint64_t bytes;
    unsigned char first[16]; /* a pattern, if the contents repeat it */
    bool repeats;
} pm_layer_hash;

void pm_layer_hash_begin(pm_layer_hash *hash);
void pm_layer_hash_add(pm_layer_hash *hash, const void *bytes, size_t size);
void pm_layer_hash_end(const pm_layer_hash *hash, char id[40]);
/* The index of contents in the store, which has a user more; SIZE_MAX: not there. */
size_t pm_layer_contents_use(const char *id);
/* The same of new ones, of which a file of so many bytes was written under that id. */
size_t pm_layer_contents_put(const char *id, size_t bytes);
/* One user less; without any its file is removed. */
void pm_layer_contents_leave(size_t index);
/* Writes a text's contents and its id. */
bool pm_layer_contents_text(const char *text, char id[40]);
/* Opens a file beside the contents; rename it with pm_layer_contents_name. -1: it cannot be. */
int pm_layer_contents_open(char *path, size_t size);
bool pm_layer_contents_name(const char *path, const char *id);

/* ---- choice.c -------------------------------------------------------------------------------- */

bool pm_layer_choice_read(const char *text, pm_layer_choice *choice);
/* Whether a launch is to be recorded, by what was chosen; else why not. The lock is held. */
pm_left_out pm_layer_choose(pm_layer_entry *entry, uint64_t items);
/* What a launch took. */
void pm_layer_learn(pm_layer_entry *entry, uint64_t items, uint64_t ns);
/* Keeps a recorded launch, and drops one if there are now too many. */
bool pm_layer_keep(const pm_layer_kept *launch);

/* ---- timing.c -------------------------------------------------------------------------------- */

bool pm_layer_event_ns(cl_event event, uint64_t *ns);
/* Notes a launch that runs; takes over a reference to the event. The lock is held. */
void pm_layer_await(cl_event event, pm_layer_entry *entry, pm_left_out reason, uint64_t items);
void pm_layer_count(pm_layer_entry *entry, pm_left_out reason, bool timed, uint64_t ns);
/* Takes the times of launches that are done, from the oldest on, at most so many. */
void pm_layer_harvest(size_t most);
void pm_layer_fill_waits(pm_layer_dispatch *own);

/* ---- launch.c, snapshot.c -------------------------------------------------------------------- */

typedef struct {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const size_t *offset, *global, *local;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
    bool task; /* clEnqueueTask */
    pm_layer_entry *entry;
    uint64_t items;
} pm_layer_call;

/* Bytes of a buffer that a launch takes, with their contents before and after. */
typedef struct {
    cl_uint arg;
    cl_mem handle; /* that they are read by, from byte start on */
    size_t start;
    unsigned id;          /* of the whole buffer */
    size_t offset, bytes; /* in that */
    size_t at;            /* where the argument begins in them */
    bool hidden, read_only;
    size_t before, after; /* of the store; SIZE_MAX: none */
} pm_layer_region;

enum { PM_LAYER_ARGS = 128 };

void pm_layer_fill_launches(pm_layer_dispatch *own);
/* The contents of a region, put into the store; SIZE_MAX: reason says why not. */
size_t pm_layer_snapshot(cl_command_queue queue, cl_context context, const pm_layer_region *region,
                         pm_left_out *reason);
/* Records a launch while it runs. false: it was not launched, and reason says why. Else code is the
 * program's. The thread has the turn. */
bool pm_layer_record_launch(const pm_layer_call *call, cl_int *code, pm_left_out *reason);
cl_int pm_layer_pass_on(const pm_layer_call *call, cl_event *event);

#endif
