// Background runs as jobs. Folder-private.
#ifndef CODECALC_JOB_BACKGROUND_H
#define CODECALC_JOB_BACKGROUND_H

#include "codecalc/job.h"
#include "codecalc/runs.h"

// Does what the table of runs asks for: starts those that have a place, stops those that are cancelled. Called whenever a tool of the
// server has looked at the table, and when a run has ended.
void cc_background_tend(cc_jobs *jobs, cc_runs *runs);

// ---- jobs.c ----

// As cc_jobs_submit, at a place of the caller's choice and, with run_id, as the work of a background run.
cc_job *cc_jobs_start(cc_jobs *jobs, const cc_tool *tool, cc_where where, const char *run_id, cc_str arguments, unsigned language,
                      unsigned deadline_ms, cc_job_events events, void *ctx, cc_error *err);

#endif
