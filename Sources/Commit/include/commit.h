/// The commit that the program was built from, as the environment variable CERCA_COMMIT named it at build time; empty if it did not.
const char *cerca_commit(void);
