/* Code for both capture libraries, OpenCL's and CUDA's: writes records, stores contents of buffers,
 * and chooses the launches to record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All state is in one struct behind one mutex. The mutex is never held during a call of the driver
 * that may wait. A second lock, the turn, lets only one thread at a time record a launch, and may
 * be held during such calls. If recording fails, the program still runs, and the launch is counted
 * as left out.
 */
#ifndef PM_CAPTURE_RECORDING_RECORDING_H
#define PM_CAPTURE_RECORDING_RECORDING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"
#include "base/text.h"
#include "capture/record.h"

enum { PM_REC_SIZES = 32, PM_REC_ARGS = 128, PM_REC_REGIONS = 192 };

/* ---- table.c ----------------------------------------------------------------------------------
 */

/* A table of objects, found by their handle. Each object's first member is its handle. If the
 * driver reuses a handle, the new object replaces the old one. */
typedef struct {
    pm_hash_index index;
    void **items;
    size_t count, room;
} pm_rec_table;

void *pm_rec_find(const pm_rec_table *table, const void *handle);
/* Adds an object of `size` bytes, which is zeroed except its handle. NULL if memory runs out. If
 * the handle had an object before, that is passed to forget. */
void *pm_rec_put(pm_rec_table *table, const void *handle, size_t size,
                 void (*forget)(void *object));
/* ---- state ---------------------------------------------------------------------------------- */

/* A kernel of a program. */
typedef struct {
    unsigned id, program;
    int kind;
    char *name;
    char *plain;     /* second name under which the user may choose it; NULL: none */
    pm_text params;  /* parameters as its record has them */
    bool *read_only; /* read_only[argument]: no launch writes through it */
    bool recorded;   /* its record was written */
    bool too_large;  /* its contents exceed the limit of stored bytes */
    uint64_t seen;   /* number of launches that were chosen by number or name */
    unsigned kept;   /* number of its launches in pm_recording.kept */
    struct {         /* times of recent launches by number of work-items */
        uint64_t items, ns;
    } sizes[PM_REC_SIZES];
    unsigned size_count, size_next;
    struct {
        uint64_t launches, ns, untimed;
        bool changed;
    } totals[PM_LEFT_REASONS];
} pm_rec_entry;

/* A recorded launch. It may be dropped in favour of a longer one. */
typedef struct {
    uint64_t number, ns;
    pm_rec_entry *entry;
    size_t contents_count;
    size_t *contents; /* contents that it needs, as indices of the store */
} pm_rec_kept;

typedef struct {
    uint64_t longest, first, from, to; /* exactly one of longest, first and `to` is above 0 */
    uint64_t most_bytes;
    double most_seconds;
    char *kernels; /* names surrounded by blanks; NULL: all kernels */
} pm_rec_choice;

typedef struct {
    char id[40];
    size_t bytes; /* bytes of its file */
    unsigned users;
} pm_rec_contents;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t turn_given;
    bool turn_taken; /* a thread records a launch */

    bool active;              /* the folder for records exists */
    char *folder;             /* folder of this process's records; NULL: not made yet */
    const char *records;      /* folder of the records of all processes */
    const char *ending;       /* suffix of this library's folders */
    int journal;              /* file descriptor; -1: not open */
    pm_rec_choice choice;     /* launches that the user wants */
    void (*forked)(void);     /* called in the child of a fork with the lock held */
    void (*before_end)(void); /* called with the lock held; NULL: nothing */

    size_t entry_count, entry_room;
    pm_rec_entry **entries;
    unsigned next_id;
    uint64_t launches; /* number of chosen launches, for --launches */
    uint64_t number;   /* number of all launches */
    double spent;      /* time spent on recording, seconds */
    double next_totals;
    bool told_device;

    size_t kept_count, kept_room;
    pm_rec_kept *kept;

    pm_hash_index contents_index;
    size_t contents_count, contents_room;
    pm_rec_contents *contents;
    uint64_t contents_bytes;
} pm_recording;

pm_recording *pm_recording_get(void);

void pm_rec_lock(void);
void pm_rec_unlock(void);
/* pm_rec_take_turn() waits until no other thread records a launch; the calling thread may then
 * record one. pm_rec_give_turn() lets the next thread record. The lock must be held. */
void pm_rec_take_turn(void);
void pm_rec_give_turn(void);

/* Sets up recording from the environment that `perfmodel capture` made. ending distinguishes this
 * library's folders from those of another library in the same process. False if nothing is to be
 * recorded. */
bool pm_rec_set_up(const char *ending, void (*forked)(void), void (*before_end)(void));
/* Ends recording when the program ends. A second call does nothing. The driver may be gone already.
 */
void pm_rec_end(void);

/* ---- journal.c: records; the lock is held ---------------------------------------------------- */

/* Appends a word to a record: a blank, then `text` with special characters encoded (record.h). */
void pm_rec_word(pm_text *record, const char *text);
/* Writes the record as a line of the journal and frees it. false: it was not written. */
bool pm_rec_write(pm_text *record);
/* Opens the journal unless it is open. */
bool pm_rec_open_journal(void);
void pm_rec_write_totals(bool all);
void pm_rec_write_entry(pm_rec_entry *entry);
void pm_rec_write_device(const char *name);
/* Drops the parent's state in the child of a fork. */
void pm_rec_forked(void);

/* ---- kernels.c: the lock is held ------------------------------------------------------------- */

/* Adds a kernel. NULL if memory runs out. */
pm_rec_entry *pm_rec_new_entry(unsigned program, int kind, const char *name, unsigned args);
void pm_rec_count(pm_rec_entry *entry, pm_left_out reason, bool timed, uint64_t ns);

/* ---- contents.c: the store ---------------------------------------------------------------------
 */

/* State of a hash that is computed in pieces. Each piece but the last is a multiple of 32 bytes. */
typedef struct {
    uint64_t lanes[4];
    uint64_t bytes;
    unsigned char first[16]; /* the first bytes; if `repeats`, all contents repeat them */
    bool repeats;
} pm_rec_hash;

void pm_rec_hash_begin(pm_rec_hash *hash);
void pm_rec_hash_add(pm_rec_hash *hash, const void *bytes, size_t size);
void pm_rec_hash_end(const pm_rec_hash *hash, char id[40]);
/* Finds contents in the store by their id, adds one user to them, and returns their index. SIZE_MAX
 * if the store lacks them. */
size_t pm_rec_contents_use(const char *id);
/* Adds new contents, whose file has `bytes` bytes and the name `id`, with one user. Returns their
 * index, or SIZE_MAX. */
size_t pm_rec_contents_put(const char *id, size_t bytes);
/* Removes one user. Contents without users are deleted with their file. */
void pm_rec_contents_leave(size_t index);
/* Writes bytes to a file of the store and sets id to its name. Bytes that repeat a pattern are
 * written in full, too. */
bool pm_rec_contents_file(const void *bytes, size_t size, char id[40]);
/* Opens a temporary file beside the contents. pm_rec_contents_name renames it. -1 on failure. */
int pm_rec_contents_open(char *path, size_t size);
bool pm_rec_contents_name(const char *path, const char *id);

/* ---- snapshot.c: the lock is not held -------------------------------------------------------- */

/* Reads `bytes` bytes of a buffer from offset. */
typedef bool (*pm_rec_read)(void *user, size_t offset, size_t bytes, void *to);

enum { PM_REC_CHUNK = 8 << 20 }; /* bytes read at once */

/* Stores the contents of a buffer. Returns their index in the store. SIZE_MAX on failure, with
 * *reason set. */
size_t pm_rec_snapshot(pm_rec_read read, void *user, size_t bytes, pm_left_out *reason);

/* ---- choice.c -------------------------------------------------------------------------------- */

bool pm_rec_choice_read(const char *text, pm_rec_choice *choice);
/* PM_CAPTURED if a launch is to be recorded by the user's choice, else the reason why not. The lock
 * must be held. */
pm_left_out pm_rec_choose(pm_rec_entry *entry, uint64_t items);
/* Records the time of a launch, from which later choices of the longest launches are made. */
void pm_rec_learn(pm_rec_entry *entry, uint64_t items, uint64_t ns);
/* Keeps a recorded launch. If there are too many, drops one. */
bool pm_rec_keep(const pm_rec_kept *launch);

/* ---- launches.c ------------------------------------------------------------------------------ */

typedef struct {
    size_t bytes;
    void *value; /* NULL: local memory, or not set */
    bool set, svm;
} pm_rec_arg;

/* A range of a buffer that a launch uses, with its contents before and after the launch. */
typedef struct {
    unsigned arg; /* index of the argument; PM_REC_ARGS: a symbol */
    const char *symbol;
    const void *handle; /* object through which the range is read, from byte `start` on */
    size_t start;
    unsigned id;          /* id of the whole buffer */
    size_t offset, bytes; /* range in the whole buffer */
    size_t at;            /* position of the argument in the range, bytes */
    bool hidden, read_only;
    size_t before, after; /* indices in the store; SIZE_MAX: none */
} pm_rec_region;

/* A launch that is being recorded. */
typedef struct {
    pm_rec_entry *entry;
    uint64_t items, ns;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t shared; /* bytes of dynamic shared memory besides its arguments */
    unsigned arg_count;
    pm_rec_arg args[PM_REC_ARGS]; /* own copies */
    size_t region_count;
    pm_rec_region regions[PM_REC_REGIONS];
} pm_rec_launch;

bool pm_rec_copy_arg(pm_rec_arg *to, const pm_rec_arg *from);
/* Reads and stores a region's contents. pm_rec_before and pm_rec_after call it for each region and
 * pass `user` on (see launches.c). The lock must not be held. */
typedef size_t (*pm_rec_take)(void *user, const pm_rec_region *region, pm_left_out *reason);
pm_left_out pm_rec_before(pm_rec_launch *launch, pm_rec_take take, void *user);
pm_left_out pm_rec_after(pm_rec_launch *launch, pm_rec_take take, void *user);
/* Counts a launch that ran. If reason is PM_CAPTURED, writes its records. */
void pm_rec_done(pm_rec_launch *launch, pm_left_out reason);
/* Counts a launch that was not recorded for this reason. */
void pm_rec_undone(pm_rec_launch *launch, pm_left_out reason);
void pm_rec_free_args(pm_rec_launch *launch);

#endif
