"""Runs every suite of cases that is at hand and keeps their outcomes in docs/results.md: what `make suites` calls.

    tests/suites/run.py [--bin=build/codecalc]

Exit status 1 when an answer of any suite is wrong. All cases are run, which takes some minutes.
"""
import pathlib
import subprocess
import sys

import complaints
import peer_faults
from asking import BESIDE, program, record

HERE = pathlib.Path(__file__).resolve().parent
# (script, cases, target, what SymPy does with them: 1.14, 10 s a case)
OTHERS = [("limits.py", "limits", "≥ 90 % solved, 0 wrong", ""),
          ("integrals.py", "integrals-rubi-independent", "≥ 70 % solved, 0 wrong, 2 s a case", "64 % solved (10 s a case)"),
          ("integrals.py", "integrals-rubi-sections", "≥ 20 % solved, 0 wrong, 2 s a case", "10 % solved (10 s a case)")]


def main():
    failed = complaints.main() | peer_faults.main()
    for script, cases, target, theirs in OTHERS:
        path = BESIDE / f"{cases}.jsonl"
        if not path.exists():
            print(f"{cases}: no cases beside the repository")
            continue
        run = subprocess.run([sys.executable, "-B", HERE / script, path, "--bin", program()], capture_output=True, text=True)
        print(run.stdout + run.stderr, end="", flush=True)
        if run.returncode not in (0, 1) or not run.stdout.strip():
            return 2
        failed |= run.returncode
        outcome = run.stdout.strip().splitlines()[-1].removeprefix("limits: ").replace("{", "").replace("}", "").replace("'", "")
        record(cases, f"{outcome} | {target} | {theirs}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
