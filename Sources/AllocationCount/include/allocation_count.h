/// The environment variable that names a file of eight bytes, in which the allocations of the process are counted.
#define ALLOCATION_COUNT_FILE "CERCA_ALLOCATION_COUNT"
