/// A library that sets the time of day for one program, which is started with `LD_PRELOAD=libStillClock.so`.
///
/// The environment variable `STILL_CLOCK_FILE` names a file of two numbers of eight bytes in the machine's byte order. If
/// the second is 0, the clock stands still at the first: milliseconds since 1970. Otherwise the clock is ahead of the
/// machine's by the first. The file may be overwritten at any time. Clocks other than the time of day are unchanged.
/// (libfaketime keeps programs in Swift from seeing their arguments.)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct clock {
    int64_t milliseconds, runs;
};

/// NULL if there is no such file. The machine's clock is then used.
static volatile const struct clock *file;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("STILL_CLOCK_FILE");
    const int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0) return;
    void *const page = mmap(NULL, sizeof *file, PROT_READ, MAP_SHARED, descriptor, 0);
    if (page != MAP_FAILED) file = page;
    close(descriptor);
}

static void add(struct timespec *time, int64_t milliseconds) {
    const int64_t nanoseconds = time->tv_nsec + milliseconds % 1000 * 1000000;
    time->tv_sec += milliseconds / 1000 + (nanoseconds >= 1000000000) - (nanoseconds < 0);
    time->tv_nsec = (nanoseconds + 1000000000) % 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    const int isSet = file && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE);
    if (isSet && !file->runs) {
        *time = (struct timespec){0};
        add(time, file->milliseconds);
        return 0;
    }
    const int code = (int)syscall(SYS_clock_gettime, clock, time);
    if (isSet && code == 0) add(time, file->milliseconds);
    return code;
}

/// A wait until a time of a clock that is ahead is a wait until a time of the machine's.
int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock, const struct timespec *restrict end) {
    int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) =
        dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    struct timespec real = *end;
    // A time since the start of the machine is less than thirty years.
    if (file && file->runs && real.tv_sec > 1000000000) add(&real, -file->milliseconds);
    return wait(condition, lock, &real);
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *time) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (time) *time = now.tv_sec;
    return now.tv_sec;
}
