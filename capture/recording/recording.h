/* Code that is common to the two libraries that record a program's kernel launches (for OpenCL and
 * for CUDA). It writes records, stores contents of buffers, and chooses which launches are
 * recorded.
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

/* A table of objects, found by their handle, which is the first member of each object. If the
 * driver reuses a handle, the new object replaces the old one. */
typedef struct {
    pm_hash_index index;
    void **items;
    size_t count, room;
} pm_rec_table;

void *pm_rec_find(const pm_rec_table *table, const void *handle);
/* Adds an object of `size` bytes with this handle; all other members are zero. NULL if memory runs
 * out. If an object with the handle existed, `forget` is called for it. */
void *pm_rec_put(pm_rec_table *table, const void *handle, size_t size,
                 void (*forget)(void *object));
/* ---- state ---------------------------------------------------------------------------------- */

/* A kernel of the captured program, with the number and the times of its launches. */
typedef struct {
    unsigned id, program;
    int kind;
    char *name;
    char *plain; /* short name by which --kernel can also select the kernel; NULL: none */
    /* CUDA: id of the stored image (PTX, cubin or fatbin) that has the kernel; "": not known */
    char image[40];
    /* descriptions of the parameters, in the form in which the kernel's record contains them */
    pm_text params;
    bool *read_only; /* read_only[argument]: true if no launch writes through this argument */
    /* CUDA: a letter for each parameter, which says how the kernel uses its buffer (PM_RECORD_SPARE
     * and others in record.h). NULL: perfmodel does not know it, or was not asked (see `asked`). */
    char *buffer_use;
    bool asked;
    bool recorded; /* true: the kernel's record has been written */
    /* true: the buffers of one launch had more bytes than may be stored, so no further launch is
     * tried */
    bool too_large;
    bool dropped;   /* true: a recorded launch was dropped for lack of bytes */
    double seconds; /* time that recording the last recorded launch took */
    /* number of launches of this kernel so far that the options --launches and --kernel select */
    uint64_t seen;
    /* number of launches of the kernel that are recorded now, as elements of pm_recording.kept */
    unsigned kept;
    struct { /* times of recent launches, for several numbers of work-items */
        uint64_t items, ns;
    } sizes[PM_REC_SIZES];
    unsigned size_count, size_next;
    struct {
        uint64_t launches, ns, untimed;
        bool changed;
    } totals[PM_LEFT_REASONS];
} pm_rec_entry;

/* A recorded launch. It may be discarded when longer launches are recorded later. */
typedef struct {
    uint64_t number, ns;
    pm_rec_entry *entry;
    size_t contents_count;
    /* Indices in pm_recording.contents: the contents of the launch's buffers before and after the
     * launch. An index occurs several times if buffers have equal contents. */
    size_t *contents;
} pm_rec_kept;

typedef struct {
    /* The user's options --longest N, --first N and --launches FROM:TO. Only one of the three is
     * given; the others are 0. */
    uint64_t longest, first, from, to;
    uint64_t most_bytes;
    double most_seconds;
    /* names of the kernels to record, with a blank before and after each; NULL: all kernels */
    char *kernels;
} pm_rec_choice;

typedef struct {
    char id[40];
    /* size on disk of the file with the contents; blocks of zeros are holes in the file and do not
     * count */
    size_t bytes;
    /* hash of the size and of the first PM_REC_CHUNK bytes of a buffer's contents, by which equal
     * contents are found without reading all; 0: not known */
    uint64_t head;
    unsigned users;
} pm_rec_contents;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t turn_given;
    bool turn_taken; /* true while a thread records a launch */

    bool active;         /* true: launches are recorded, and the folder for records exists */
    char *folder;        /* folder of this process's records; NULL: not created yet */
    const char *records; /* folder that contains the folders of all processes */
    const char *ending;  /* suffix of the names of this library's folders */
    /* file descriptor of the journal, which has the records; -1: not open */
    int journal;
    pm_rec_choice choice; /* the user's choice of launches */
    /* callback in the child after a fork, called with the recording's lock held */
    void (*forked)(void);
    /* callback before recording ends, called with the recording's lock held; NULL: none */
    void (*before_end)(void);

    size_t entry_count, entry_room;
    pm_rec_entry **entries;
    unsigned next_id;
    /* Number of launches so far in this process of kernels that the user chose (--kernel). The
     * option --launches FROM:TO counts these launches. */
    uint64_t launches;
    uint64_t number; /* number of all launches */
    double begun;    /* time at which recording was set up (pm_now_s) */
    double spent;    /* time spent on recording, seconds */
    /* true: recorded launches were dropped, because the limit on bytes (--max-bytes) was reached */
    bool full;
    double next_totals;
    bool told_device;

    size_t kept_count, kept_room;
    pm_rec_kept *kept;

    pm_hash_index contents_index;
    size_t contents_count, contents_room;
    pm_rec_contents *contents;
    uint64_t contents_bytes;
    /* bytes of contents that were stored for the launch being recorded, without contents that were
     * stored before */
    uint64_t launch_bytes;
} pm_recording;

pm_recording *pm_recording_get(void);

void pm_rec_lock(void);
void pm_rec_unlock(void);
/* pm_rec_take_turn() waits until no other thread records a launch; the calling thread may then
 * record one. pm_rec_give_turn() lets the next thread record. The caller must hold the recording's
 * lock (pm_rec_lock()). */
void pm_rec_take_turn(void);
void pm_rec_give_turn(void);

/* Sets up recording from the environment variables that `perfmodel capture` sets. ending: suffix of
 * this library's folders, because the OpenCL and the CUDA library may record in the same process.
 * False if nothing is to be recorded. */
bool pm_rec_set_up(const char *ending, void (*forked)(void), void (*before_end)(void));
/* Ends recording when the program ends. A second call does nothing. The driver may already be
 * unloaded at this time. */
void pm_rec_end(void);

/* ---- journal.c: records; the caller holds the lock ------------------------------------------- */

/* Appends a word to a record: a blank, then `text` with special characters encoded (record.h). */
void pm_rec_word(pm_text *record, const char *text);
/* Writes the record as a line of the journal (the file with the records) and frees it. false: it
 * was not written. */
bool pm_rec_write(pm_text *record);
/* Opens the journal (the file with the records) if it is not open yet. */
bool pm_rec_open_journal(void);
void pm_rec_write_totals(bool all);
void pm_rec_write_entry(pm_rec_entry *entry);
/* Writes the record "device". arch: architecture of a CUDA device, such as 90; 0: not known. */
void pm_rec_write_device(const char *name, unsigned arch);
/* Called in the child after a fork of the captured program: resets the state, because the child
 * must not append to its parent's records. */
void pm_rec_forked(void);

/* ---- kernels.c: the caller holds the lock ---------------------------------------------------- */

/* Adds a kernel of a program. NULL if memory runs out. */
pm_rec_entry *pm_rec_new_entry(unsigned program, int kind, const char *name, unsigned args);
void pm_rec_count(pm_rec_entry *entry, pm_left_out reason, bool timed, uint64_t ns);

/* ---- contents.c: the store ---------------------------------------------------------------------
 */

/* State of a hash that is computed in pieces. The size of each piece except the last is a multiple
 * of 32 bytes. */
typedef struct {
    uint64_t lanes[4];
    uint64_t bytes;
    /* first 16 bytes of the contents; if `repeats` is true, the whole contents are repetitions of
     * these bytes */
    unsigned char first[16];
    bool repeats;
} pm_rec_hash;

void pm_rec_hash_begin(pm_rec_hash *hash);
void pm_rec_hash_add(pm_rec_hash *hash, const void *bytes, size_t size);
void pm_rec_hash_end(const pm_rec_hash *hash, char id[40]);
/* Finds stored contents (of a buffer or a source) by their id, the hash, and adds one to their
 * number of users. Returns their index in pm_recording.contents. SIZE_MAX if no contents with this
 * id are stored. */
size_t pm_rec_contents_use(const char *id);
/* Returns whether contents have a file. Contents that repeat a pattern, or were not stored, have
 * none. */
bool pm_rec_contents_has_file(const char *id);
/* Adds new contents, whose file has been written with `bytes` bytes and the name `id`, to the list
 * of stored contents. They have one user. Returns their index in pm_recording.contents; SIZE_MAX on
 * failure. */
size_t pm_rec_contents_put(const char *id, size_t bytes);
/* Subtracts one from the number of launches and sources that use the contents. The contents and
 * their file are deleted if the number becomes 0. */
void pm_rec_contents_leave(size_t index);
/* Writes bytes to a file in the records' folder contents/, and sets id to the file's name. Bytes
 * that repeat a pattern are written in full. */
bool pm_rec_contents_file(const void *bytes, size_t size, char id[40]);
/* Opens a temporary file in the records' folder contents/. pm_rec_contents_name renames it. -1 on
 * failure. */
int pm_rec_contents_open(char *path, size_t size);
bool pm_rec_contents_name(const char *path, const char *id);

/* ---- snapshot.c: the caller must not hold the lock ------------------------------------------- */

/* Callback that reads `bytes` bytes of a buffer, starting at `offset`. */
typedef bool (*pm_rec_read)(void *user, size_t offset, size_t bytes, void *to);

enum { PM_REC_CHUNK = 8 << 20 }; /* bytes read at once */

/* Copies the contents of a buffer to a file in contents/, unless equal contents are stored already.
 * Returns their index in pm_recording.contents. SIZE_MAX on failure, with *reason set. */
size_t pm_rec_snapshot(pm_rec_read read, void *user, size_t bytes, pm_left_out *reason);

/* ---- pointers.c ------------------------------------------------------------------------------ */

/* Callback for a word that may be an address. */
typedef void (*pm_rec_see)(void *user, uint64_t word);

/* Calls `see` for each aligned word of 8 bytes that is at least `low` and below `high`. Calls it
 * once for several equal words in succession. */
void pm_rec_scan(const void *bytes, size_t size, uint64_t low, uint64_t high, pm_rec_see see,
                 void *user);

/* ---- choice.c -------------------------------------------------------------------------------- */

bool pm_rec_choice_read(const char *text, pm_rec_choice *choice);
/* Returns PM_CAPTURED if the user's choice includes the launch, else the reason why not. The caller
 * must hold the recording's lock (pm_rec_lock()). */
pm_left_out pm_rec_choose(pm_rec_entry *entry, uint64_t items);
/* Stores the time of a launch. Later choices of the longest launches use these times. */
void pm_rec_learn(pm_rec_entry *entry, uint64_t items, uint64_t ns);
/* Adds a recorded launch to pm_recording.kept. If there are then more launches or bytes of contents
 * than the user allows (--longest N, --max-bytes N), discards the shortest launches. */
bool pm_rec_keep(const pm_rec_kept *launch);
/* Adds the time in seconds that recording a launch took to rec->spent, and stores it as the
 * kernel's latest time for recording. The caller holds the lock. */
void pm_rec_spend(pm_rec_entry *entry, double seconds);

/* ---- launches.c ------------------------------------------------------------------------------ */

typedef struct {
    size_t bytes;
    void *value; /* value of the argument; NULL: local memory, or the program has not set it */
    bool set, svm;
} pm_rec_arg;

/* A range of a buffer that a launch uses, with its contents before and after the launch. */
typedef struct {
    /* index of the argument; PM_REC_ARGS: the range is a __constant__ variable, or memory to which
     * pointers in structs or in other memory lead */
    unsigned arg;
    const char *symbol; /* name of the __constant__ variable; NULL: none */
    /* buffer from which the range is read, starting at byte `start`; NULL: the range is memory
     * whose address is `start` (CUDA, or shared virtual memory of OpenCL) */
    const void *handle;
    size_t start;
    /* id of the buffer in the records; if the launch uses a sub-buffer, id of the parent buffer */
    unsigned id;
    size_t offset, bytes; /* the range, in bytes from the start of the buffer with this id */
    /* offset in bytes from the start of the range to the address that the argument passes */
    size_t at;
    bool hidden, read_only;
    bool unknown; /* true: the contents after the launch are not recorded */
    bool spare;   /* true: the contents before the launch are not recorded either */
    /* indices in pm_recording.contents of the contents before and after the launch; SIZE_MAX: not
     * stored */
    size_t before, after;
} pm_rec_region;

/* A launch that is being recorded. */
typedef struct {
    pm_rec_entry *entry;
    uint64_t items, ns;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t shared; /* bytes of dynamic shared memory, in addition to arguments in local memory */
    unsigned arg_count;
    pm_rec_arg args[PM_REC_ARGS]; /* copies of the argument values that the program set */
    /* true: struct arguments or buffers contain pointers to memory that the launch uses */
    bool has_pointers;
    size_t region_count;
    pm_rec_region regions[PM_REC_REGIONS];
} pm_rec_launch;

bool pm_rec_copy_arg(pm_rec_arg *to, const pm_rec_arg *from);
/* Callback that reads a range of memory and stores its contents. Returns their index in
 * pm_recording.contents; SIZE_MAX, with *reason set, on failure. pm_rec_before and pm_rec_after
 * call it for each range of a launch, and pass `user`. They must be called without the recording's
 * lock (pm_rec_lock()). */
typedef size_t (*pm_rec_take)(void *user, const pm_rec_region *region, pm_left_out *reason);
pm_left_out pm_rec_before(pm_rec_launch *launch, pm_rec_take take, void *user);
pm_left_out pm_rec_after(pm_rec_launch *launch, pm_rec_take take, void *user);
/* Adds a launch that ran to the statistics of its kernel. If reason is PM_CAPTURED, also writes the
 * launch's records. */
void pm_rec_done(pm_rec_launch *launch, pm_left_out reason);
/* Adds a launch that was not recorded to the statistics of its kernel. reason: why it was not
 * recorded. */
void pm_rec_undone(pm_rec_launch *launch, pm_left_out reason);
void pm_rec_free_args(pm_rec_launch *launch);

#endif
