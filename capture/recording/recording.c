/* Starts and ends the recording of a captured program's kernel launches. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/recording/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Resets the state of the recording in the child after a fork. The state is consistent, because the
 * forking thread held the recording's lock (pthread_atfork). */
static void forked(void)
{
    pm_rec_forked();
    pm_recording_get()->forked();
    pm_rec_unlock();
}

bool pm_rec_set_up(const char *ending, void (*in_child)(void), void (*before_end)(void))
{
    const char *choice = getenv(PM_RECORD_CHOICE), *records = getenv(PM_RECORD_FOLDER);
    pm_recording *recording = pm_recording_get();

    recording->begun = pm_now_s();
    recording->ending = ending;
    recording->forked = in_child;
    recording->before_end = before_end;
    recording->records = records ? strdup(records) : NULL;
    recording->active = recording->records && choice &&
                        pm_rec_choice_read(choice, &recording->choice) &&
                        pthread_atfork(pm_rec_lock, pm_rec_unlock, forked) == 0;
    return recording->active;
}

void pm_rec_end(void)
{
    pm_recording *recording = pm_recording_get();
    pm_text record = {0};

    if (pthread_mutex_trylock(&recording->lock) != 0)
        /* another thread holds the recording's lock in the middle of a call, so nothing can be
         * written */
        return;
    if (recording->active && recording->before_end)
        recording->before_end();
    if (recording->active && recording->journal >= 0) {
        pm_rec_write_totals(true);
        pm_text_add(&record, "end");
        pm_rec_write(&record);
    }
    recording->active = false;
    pm_rec_unlock();
}
