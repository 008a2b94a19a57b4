// A clock that is wrong by the seconds of CLOCK_SHIFT_S, for a program that is started with this as LD_PRELOAD.
// (libfaketime keeps programs in Swift from seeing their arguments.)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    const int code = (int)syscall(SYS_clock_gettime, clock, now);
    const char *shift = getenv("CLOCK_SHIFT_S");
    if (code == 0 && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += atol(shift);
    return code;
}

// Whoever waits until a time of this clock waits for the machine's.
int pthread_cond_timedwait(pthread_cond_t *restrict what, pthread_mutex_t *restrict lock, const struct timespec *restrict end) {
    int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    const char *shift = getenv("CLOCK_SHIFT_S");
    struct timespec real = *end;
    // A time since the start of the machine is less than thirty years.
    if (shift && real.tv_sec > 1000000000) real.tv_sec -= atol(shift);
    return wait(what, lock, &real);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}
