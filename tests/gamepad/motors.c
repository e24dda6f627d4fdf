/* A pad with motors: it takes every effect, and the file in MOTORS gets a line for each, with how
   strongly the heavy motor and the light one are to turn. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

int ioctl(int file, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (_IOC_TYPE(request) == 'E' && _IOC_NR(request) == _IOC_NR(EVIOCGBIT(EV_FF, 0))) {
        memset(argument, 0xff, _IOC_SIZE(request));
        return _IOC_SIZE(request);
    }
    if (request == EVIOCSFF) {
        struct ff_effect *effect = argument;
        if (effect->id == -1)
            effect->id = 0;
        FILE *motors = fopen(getenv("MOTORS"), "a");
        if (motors) {
            fprintf(motors, "%u %u\n", effect->u.rumble.strong_magnitude,
                    effect->u.rumble.weak_magnitude);
            fclose(motors);
        }
        return 0;
    }
    if (request == EVIOCRMFF)
        return 0;
    int (*next)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return next(file, request, argument);
}
