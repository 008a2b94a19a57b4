/// A library that sets the time of day for one program, which is started with `LD_PRELOAD=libStillClock.so`.
///
/// The environment variable `STILL_CLOCK_FILE` names a file of eight bytes: milliseconds since 1970 in the machine's
/// byte order. The file may be overwritten at any time. Clocks other than the time of day are unchanged.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/// NULL if there is no such file. The machine's clock is then used.
static volatile const int64_t *milliseconds;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("STILL_CLOCK_FILE");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *const page = mmap(NULL, sizeof *milliseconds, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) milliseconds = page;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!milliseconds || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
        return (int)syscall(SYS_clock_gettime, clock, time);
    const int64_t now = *milliseconds;
    time->tv_sec = now / 1000;
    time->tv_nsec = now % 1000 * 1000000;
    return 0;
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
