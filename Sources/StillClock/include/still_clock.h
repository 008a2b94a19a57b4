/// The name of the environment variable that holds the path of a file of eight bytes: the time in milliseconds since 1970, in
/// the machine's order of bytes. A program that is started with `LD_PRELOAD=libStillClock.so` sees that time as the time of day,
/// and another one as soon as the file holds another one. Its other clocks go on as they do.
#define STILL_CLOCK_FILE "STILL_CLOCK_FILE"
