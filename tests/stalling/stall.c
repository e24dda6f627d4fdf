// A disk that hangs: as long as the file that ANNEXD_STALL names is there, nothing is synced.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void hang(void) {
    const char *sign = getenv("ANNEXD_STALL");
    while (sign && access(sign, F_OK) == 0) {
        usleep(20000);
    }
}

static int pass_on(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    hang();
    return real(file);
}

int fsync(int file) {
    return pass_on("fsync", file);
}

int fdatasync(int file) {
    return pass_on("fdatasync", file);
}
