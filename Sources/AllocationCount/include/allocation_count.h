/// The environment variable with the path of an eight-byte file that receives the number of the process's allocations.
#define ALLOCATION_COUNT_FILE "CERCA_ALLOCATION_COUNT"
