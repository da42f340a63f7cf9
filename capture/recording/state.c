/* The state of the library that records a program's launches, with its lock. A second lock (the
 * turn) lets only one thread at a time record a launch. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/recording/recording.h"

static pm_recording recording = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .turn_given = PTHREAD_COND_INITIALIZER, .journal = -1};

pm_recording *pm_recording_get(void)
{
    return &recording;
}

void pm_rec_lock(void)
{
    pthread_mutex_lock(&recording.lock);
}

void pm_rec_unlock(void)
{
    pthread_mutex_unlock(&recording.lock);
}

void pm_rec_take_turn(void)
{
    while (recording.turn_taken)
        pthread_cond_wait(&recording.turn_given, &recording.lock);
    recording.turn_taken = true;
}

void pm_rec_give_turn(void)
{
    recording.turn_taken = false;
    pthread_cond_signal(&recording.turn_given);
}
