// Seconds since 1970-01-01 to a calendar date. Called by epoch_time. The day count is turned into a date by eras of 400 years
// (146 097 days) that begin on 1 March, after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"; leap years are right in
// any year, and no table or time zone of the host is used.
#include <assert.h>

#include "codecalc/civil.h"

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); } // b > 0

bool cc_civil_print(cc_buf *out, int64_t seconds, uint32_t nanos) {
    assert(nanos < 1000000000);
    int64_t days = floor_div(seconds, 86400);
    int second = (int)(seconds - days * 86400);

    days += 719468; // from 0000-03-01 to 1970-01-01
    int64_t era = floor_div(days, 146097);
    int64_t day = days - era * 146097;                                    // of the era
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365; // of the era, beginning in March
    int64_t day_of_year = day - (365 * year + year / 4 - year / 100);     // since 1 March
    int64_t month = (5 * day_of_year + 2) / 153;                          // 0 = March; five months have 153 days
    int date = (int)(day_of_year - (153 * month + 2) / 5 + 1);
    month += month < 10 ? 3 : -9;
    year += era * 400 + (month <= 2);
    if (year > CC_CIVIL_MAX_YEAR || year < -CC_CIVIL_MAX_YEAR) return false;

    bool plain = year >= 0 && year <= 9999;
    cc_buf_printf(out, plain ? "%04lld" : "%+07lld", (long long)year);
    cc_buf_printf(out, "-%02d-%02dT%02d:%02d:%02d", (int)month, date, second / 3600, second / 60 % 60, second % 60);
    if (nanos % 1000)
        cc_buf_printf(out, ".%09u", nanos);
    else if (nanos % 1000000)
        cc_buf_printf(out, ".%06u", nanos / 1000);
    else if (nanos)
        cc_buf_printf(out, ".%03u", nanos / 1000000);
    cc_buf_addz(out, "+00:00");
    return true;
}
