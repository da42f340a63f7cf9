/* Runs tasks in threads. See pool.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/error.h"

enum { MOST_THREADS = 256 };

struct pm_pool {
    unsigned threads;  /* number of threads, including the thread that calls pm_pool_run */
    pthread_t *others; /* the pool's own threads: others[i] is thread i, i < threads - 1 */
    unsigned started;
    pthread_mutex_t lock;
    pthread_cond_t wake, rest;
    unsigned long round; /* number of calls of pm_pool_run so far */
    bool quit;
    /* number of the pool's own threads that still run tasks of the current call of pm_pool_run */
    unsigned busy;
    pm_work work;
    void *user;
    size_t count, next, failed_at;
    pm_error error;
};

/* Takes tasks and runs them until none is left or one has failed. The caller holds the lock, which
 * is released while a task runs. */
static void work_on(pm_pool *pool)
{
    while (pool->next < pool->count && pool->error.status == PM_OK) {
        size_t i = pool->next++;
        pm_error own = {0};
        pm_status status;

        pthread_mutex_unlock(&pool->lock);
        status = pool->work(pool->user, i, &own);
        pthread_mutex_lock(&pool->lock);
        if (status != PM_OK && (pool->error.status == PM_OK || i < pool->failed_at)) {
            pool->error = own;
            pool->failed_at = i;
        }
    }
}

static void *thread_main(void *user)
{
    pm_pool *pool = user;
    unsigned long seen = 0;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->quit)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->quit)
            break;
        seen = pool->round;
        work_on(pool);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->rest);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static unsigned usable_cores(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

pm_pool *pm_pool_create(unsigned threads, pm_error *err)
{
    pm_pool *pool = calloc(1, sizeof *pool);

    threads = threads ? threads : usable_cores();
    threads = threads > MOST_THREADS ? MOST_THREADS : threads;
    if (pool)
        pool->others = calloc(threads, sizeof *pool->others);
    if (!pool || !pool->others) {
        free(pool);
        pm_fail(err, PM_FAILED, "out of memory for %u threads", threads);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->rest, NULL);
    /* Continue with fewer threads if not all can be created. */
    while (pool->started + 1 < threads &&
           pthread_create(&pool->others[pool->started], NULL, thread_main, pool) == 0)
        pool->started++;
    pool->threads = pool->started + 1;
    return pool;
}

void pm_pool_free(pm_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->started; i++)
        pthread_join(pool->others[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->rest);
    free(pool->others);
    free(pool);
}

unsigned pm_pool_threads(const pm_pool *pool)
{
    return pool ? pool->threads : 1;
}

static pm_status run_in_order(size_t count, pm_work work, void *user, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < count; i++)
        status = work(user, i, err);
    return status;
}

pm_status pm_pool_run(pm_pool *pool, size_t count, pm_work work, void *user, pm_error *err)
{
    if (!pool)
        return run_in_order(count, work, user, err);
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->user = user;
    pool->count = count;
    pool->next = 0;
    pool->error = (pm_error){0};
    pool->busy = pool->started;
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    work_on(pool);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->rest, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    if (pool->error.status != PM_OK && err)
        *err = pool->error;
    return pool->error.status;
}
