/* Computes the initial contents of a buffer one memory page at a time, when the kernel first reads
 * or writes the page. See bind_launch.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linux's userfaultfd stops a thread that touches a page which is not there, and reports the
 * address to a thread of this file. That thread computes the page's contents by the buffer's rules,
 * and maps the page with these contents. The stopped thread then continues.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "collector/engine/bind_launch.h"
#include "program/contents/fill.h"

/* PAGE: bytes of a page. MOST_PAGES: when a page is first accessed, its contents are computed and
 * the page is mapped, together with the pages behind it. While a buffer is read in order, more and
 * more pages are mapped at a time, up to this number. */
enum { PAGE = 4096, MOST_PAGES = 256 };

typedef struct {
    const pm_buffer *buffer;
    uint8_t *host;
    size_t bytes; /* size of the buffer, rounded up to whole pages */
    size_t next;  /* end of the pages that were mapped last, as an offset in the buffer */
    size_t pages; /* number of pages that were mapped last */
} watched;

struct pm_touched_pages {
    size_t count;
    watched *items;
    /* file descriptors. faults: receives the addresses of touched pages (userfaultfd). end: a write
     * to it makes the thread end. */
    int faults, end;
    bool running;
    pthread_t thread;
    pm_fill_room *room;
    uint8_t *piece; /* scratch space for the contents of MOST_PAGES pages */
    pthread_mutex_t lock;
    bool failed;
    pm_error error; /* error of the first failure, valid if `failed`; `lock` guards both */
};

static void note_failure(pm_touched_pages *self, const pm_buffer *buffer, const char *what)
{
    pthread_mutex_lock(&self->lock);
    if (!self->failed)
        pm_fail(&self->error, PM_BAD_INPUT, "%s: buffer %s, %s",
                buffer->origin ? buffer->origin : "", buffer->name, what);
    self->failed = true;
    pthread_mutex_unlock(&self->lock);
}

/* Computes `bytes` bytes of contents from byte `at` of the buffer on. After a failure they are
 * zeros. */
static void compute(pm_touched_pages *self, const watched *of, size_t at, size_t bytes)
{
    const size_t left = of->buffer->bytes - at, wanted = left < bytes ? left : bytes;
    char what[PM_EXPRESSION_FAULT];

    memset(self->piece + wanted, 0, bytes - wanted);
    if (pm_fills_write(of->buffer->rules, at, wanted, self->piece, self->room, what))
        return;
    memset(self->piece, 0, bytes);
    note_failure(self, of->buffer, what);
}

/* Maps `bytes` bytes of pages at `to`. Stops at the first page that exists already. Returns the
 * number of bytes that were mapped. */
static size_t put(const pm_touched_pages *self, uint8_t *to, size_t bytes)
{
    struct uffdio_copy copy = {.dst = (uintptr_t)to, .src = (uintptr_t)self->piece, .len = bytes};

    while (ioctl(self->faults, UFFDIO_COPY, &copy) != 0) {
        if (errno != EAGAIN)
            return copy.copy > 0 ? (size_t)copy.copy : 0;
        if (copy.copy > 0)
            return (size_t)copy.copy;
    }
    return bytes;
}

static void wake(const pm_touched_pages *self, uint8_t *page)
{
    struct uffdio_range range = {.start = (uintptr_t)page, .len = PAGE};

    ioctl(self->faults, UFFDIO_WAKE, &range);
}

static void serve(pm_touched_pages *self, uint8_t *address)
{
    for (size_t i = 0; i < self->count; i++) {
        watched *of = &self->items[i];
        size_t at, bytes;

        if (address < of->host || address >= of->host + of->bytes)
            continue;
        at = (size_t)(address - of->host) / PAGE * PAGE;
        of->pages = at != of->next || of->pages == 0 ? 1 : 2 * of->pages;
        of->pages = of->pages < MOST_PAGES ? of->pages : MOST_PAGES;
        bytes = of->pages * PAGE < of->bytes - at ? of->pages * PAGE : of->bytes - at;
        compute(self, of, at, bytes);
        of->next = at + put(self, of->host + at, bytes);
        wake(self, of->host + at);
        return;
    }
}

static void *serve_all(void *user)
{
    pm_touched_pages *self = user;
    struct pollfd polled[] = {{.fd = self->faults, .events = POLLIN},
                              {.fd = self->end, .events = POLLIN}};
    struct uffd_msg message;

    for (;;) {
        if (poll(polled, 2, -1) < 0 && errno != EINTR)
            return NULL;
        if (polled[1].revents)
            return NULL;
        while (read(self->faults, &message, sizeof message) == (ssize_t)sizeof message)
            if (message.event == UFFD_EVENT_PAGEFAULT)
                serve(self, (uint8_t *)(uintptr_t)message.arg.pagefault.address);
    }
}

static bool open_files(pm_touched_pages *self)
{
    struct uffdio_api api = {.api = UFFD_API};

    self->end = eventfd(0, EFD_CLOEXEC);
    /* Watch only page faults of user code, not of the kernel. Since Linux 5.11, unprivileged users
     * may do so. */
    self->faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
    return self->end >= 0 && self->faults >= 0 && ioctl(self->faults, UFFDIO_API, &api) == 0;
}

pm_status pm_touched_pages_create(size_t count, pm_touched_pages **pages, pm_error *err)
{
    pm_touched_pages *self = calloc(1, sizeof *self);

    *pages = self;
    if (!self)
        return pm_fail(err, PM_FAILED, "out of memory for a trace");
    self->faults = self->end = -1;
    pthread_mutex_init(&self->lock, NULL);
    self->items = calloc(count, sizeof *self->items);
    self->room = pm_fill_room_create();
    self->piece = malloc((size_t)MOST_PAGES * PAGE);
    if (!self->items || !self->room || !self->piece)
        return pm_fail(err, PM_FAILED, "out of memory for a trace");
    if (!open_files(self))
        return pm_fail(err, PM_FAILED,
                       "large buffers need userfaultfd of Linux 5.11 or newer: %s; a container may "
                       "forbid it",
                       strerror(errno));
    if (pthread_create(&self->thread, NULL, serve_all, self) != 0)
        return pm_fail(err, PM_FAILED, "no thread for a trace");
    self->running = true;
    return PM_OK;
}

void pm_touched_pages_free(pm_touched_pages *self)
{
    const uint64_t one = 1;

    if (!self)
        return;
    if (self->running && write(self->end, &one, sizeof one) == (ssize_t)sizeof one)
        pthread_join(self->thread, NULL);
    if (self->faults >= 0)
        close(self->faults);
    if (self->end >= 0)
        close(self->end);
    pthread_mutex_destroy(&self->lock);
    pm_fill_room_free(self->room);
    free(self->items);
    free(self->piece);
    free(self);
}

pm_status pm_touched_pages_watch(pm_touched_pages *self, const pm_buffer *buffer, uint8_t *host,
                                 pm_error *err)
{
    const size_t bytes = (buffer->bytes + PAGE - 1) / PAGE * PAGE;
    struct uffdio_register range = {.range = {.start = (uintptr_t)host, .len = bytes},
                                    .mode = UFFDIO_REGISTER_MODE_MISSING};

    self->items[self->count++] = (watched){.buffer = buffer, .host = host, .bytes = bytes};
    if (ioctl(self->faults, UFFDIO_REGISTER, &range) == 0)
        return PM_OK;
    return pm_fail(err, PM_FAILED, "buffer %s: userfaultfd: %s", buffer->name, strerror(errno));
}

pm_status pm_touched_pages_check(pm_touched_pages *self, pm_error *err)
{
    pm_status status = PM_OK;

    if (!self)
        return PM_OK;
    pthread_mutex_lock(&self->lock);
    if (self->failed)
        status = pm_fail(err, self->error.status, "%s", self->error.text);
    pthread_mutex_unlock(&self->lock);
    return status;
}
