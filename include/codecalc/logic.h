// Logic: the solver (z3). Called by tools and, for its version, by the command line.
#ifndef CODECALC_LOGIC_H
#define CODECALC_LOGIC_H

// Version of the z3 in this program, "4.16.0". Static.
const char *cc_logic_solver_version(void);

#endif
