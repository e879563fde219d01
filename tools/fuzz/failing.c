/* A preloaded library. From the FAIL_AT-th call on, calls that change files fail or write only a part, according to FAIL_HOW.
   Calls on pipes and terminals are not counted. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls;

static int fails(void) {
    const char *at = getenv("FAIL_AT");
    return at != NULL && __sync_add_and_fetch(&calls, 1) >= atol(at);
}

static int is_file(int descriptor) {
    struct stat found;
    return fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
}

static int how(void) {
    const char *said = getenv("FAIL_HOW");
    return said == NULL ? 0 : atoi(said);
}

/* FAIL_HOW is 0 if the disk is full, 1 if it is broken, and 2 if every write is short, which is not an error. */
static int fault(void) {
    errno = how() == 1 ? EIO : ENOSPC;
    return -1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int descriptor, const void *data, size_t size) {
    if (is_file(descriptor) && fails()) {
        if (how() == 2) return REAL(write)(descriptor, data, size > 1 ? size / 2 : size);
        return fault();
    }
    return REAL(write)(descriptor, data, size);
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t at) {
    if (is_file(descriptor) && fails()) {
        if (how() == 2) return REAL(pwrite64)(descriptor, data, size > 1 ? size / 2 : size, at);
        return fault();
    }
    return REAL(pwrite64)(descriptor, data, size, at);
}

int fsync(int descriptor) { return how() != 2 && fails() ? fault() : REAL(fsync)(descriptor); }
int fdatasync(int descriptor) { return how() != 2 && fails() ? fault() : REAL(fdatasync)(descriptor); }
int rename(const char *old, const char *new) { return how() != 2 && fails() ? fault() : REAL(rename)(old, new); }
int link(const char *old, const char *new) { return how() != 2 && fails() ? fault() : REAL(link)(old, new); }
int ftruncate64(int descriptor, off64_t size) { return how() != 2 && fails() ? fault() : REAL(ftruncate64)(descriptor, size); }
