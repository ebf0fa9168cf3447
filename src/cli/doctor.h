// What doctor found, between the file that looks and the file that prints. Private to src/cli.
#ifndef CODECALC_CLI_DOCTOR_H
#define CODECALC_CLI_DOCTOR_H

#include "cli/term.h"
#include "codecalc/run.h"
#include "codecalc/tools.h"

typedef enum cc_runtime_state { CC_SUPPORTED, CC_INSTALLED, CC_UNHEALTHY, CC_AVAILABLE } cc_runtime_state;

typedef struct cc_doctor_runtime {
    const cc_language *language;
    cc_runtime_state state;
    const char *path;        // what is executed; NULL when nothing was found
    const char *detail;      // what is missing, or how it failed; NULL when there is nothing to say
    const char *remedy;      // NULL = none
    const char *version;     // --deep
    const char *probe_error; // --deep: why there is no version
} cc_doctor_runtime;

typedef struct cc_doctor_folder {
    const char *name, *path;
    bool writable, needed;
    const char *detail; // NULL when writable
} cc_doctor_folder;

typedef struct cc_doctor_skill {
    const char *client, *path;
    bool current; // the same as the one in this program
} cc_doctor_skill;

enum { CC_DOCTOR_FOLDERS = 2, CC_DOCTOR_SKILLS_MAX = 16 };

typedef struct cc_doctor {
    bool deep;
    bool named;          // the languages are those that were asked for, not all
    bool can_execute;    // the exit status
    const char *blocker; // why not; NULL when it can
    const char *program; // absolute path
    bool program_temporary;
    cc_sandbox_level sandbox;
    const char *no_cgroup, *cgroup_fix; // why a program's memory is measured and not counted by the kernel; NULL = it is
    const char *isolation_required;     // what CODECALC_REQUIRE_ISOLATION asks for and is not met; NULL = fine
    const char *refused, *refused_fix;  // by which setting the host lets no program run; NULL = by none
    bool jobs_work;
    double job_ms; // of one sealed call, process included
    const char *jobs_detail;
    cc_doctor_runtime *runtimes;
    size_t n_runtimes;
    cc_doctor_folder folders[CC_DOCTOR_FOLDERS];
    cc_selection selection;
    const char *selection_words; // as set; "" = all
    const char *selection_error; // NULL = fine
    cc_doctor_skill skills[CC_DOCTOR_SKILLS_MAX];
    size_t n_skills;
} cc_doctor;

const char *cc_runtime_state_name(cc_runtime_state state);
void cc_doctor_print(cc_term *t, const cc_doctor *d);
// One JSON object after docs/contract/doctor-v1.schema.json.
void cc_doctor_write_json(cc_buf *out, const cc_doctor *d);

#endif
