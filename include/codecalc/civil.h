// Seconds since 1970 to a calendar date. For epoch_time.
#ifndef CODECALC_CIVIL_H
#define CODECALC_CIVIL_H

#include "codecalc/base.h"

#define CC_CIVIL_MAX_YEAR 999999

// Appends a moment as ISO 8601 in UTC, proleptic Gregorian: "2023-11-14T22:13:20+00:00", with 3, 6 or 9 digits of a second when nanos
// is not 0 (nanos < 10^9 is added to seconds); years outside 0 … 9999 get a sign and six digits. False, with nothing written, when
// the year is outside ±CC_CIVIL_MAX_YEAR.
bool cc_civil_print(cc_buf *out, int64_t seconds, uint32_t nanos);

#endif
