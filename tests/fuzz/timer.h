// A soft stop for targets whose work takes a time: `stop` becomes 1 when the time is over.
#ifndef CODECALC_TESTS_FUZZ_TIMER_H
#define CODECALC_TESTS_FUZZ_TIMER_H

#include <signal.h>
#include <time.h>

#include "fuzz.h"

static volatile sig_atomic_t stop;
static timer_t timer;

static void on_timer(int number) {
    (void)number;
    stop = 1;
}

// A timer and a signal of its own: libFuzzer uses SIGALRM.
// Clears `stop`, and sets it again after so many milliseconds; 0 = never.
static void arm(long ms) {
    static bool made;
    if (!made) {
        struct sigaction action = {.sa_handler = on_timer};
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
        FUZZ_REQUIRE(sigaction(SIGRTMIN, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
        made = true;
    }
    stop = 0;
    struct itimerspec when = {.it_value = {.tv_nsec = ms * 1000000}};
    timer_settime(timer, 0, &when, NULL);
}

#endif
