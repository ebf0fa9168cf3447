"""Calls that the system whose contract we keep answers wrongly, asked of the program.

    tests/suites/peer_faults.py [--bin=build/codecalc] [--show=unknown|right|all]

Like complaints.py: the cases (peer-faults.jsonl) are named by their input, each has a call and a check here. Exit status 1 when one is wrong.
"""
import json
import sys

from asking import BESIDE, Server, close, program, record, tally, value
from complaints import RIGHT, UNKNOWN, WRONG, Ask, family, limit, roots, verdict


def two_sides(left, right, expr):
    def check(ask):
        body = ask("symbolic", op="limit", expr=expr, var="x", point="0")
        return verdict((body.get("left"), body.get("right")) == (left, right) and "limit" not in body)
    return check


def identical(a, b, conditions=()):
    def check(ask):
        body = ask("algebraic_equiv", a=a, b=b)
        if body.get("identical") is None:
            return UNKNOWN
        return verdict(body["identical"] is True and all(c in body.get("conditions", []) for c in conditions))
    return check


def exactly(wanted, expr, digits=25, **fields):
    """calc_exact: an approximation of that value, and these fields."""
    def check(ask):
        body = ask("calc_exact", expr=expr)
        return verdict(close(body["approx"], wanted, digits) and all(body.get(k) == v for k, v in fields.items())) if body.get("ok") else UNKNOWN
    return check


def great_factorial(ask):
    body = ask("symbolic", op="simplify", expr="factorial(2000)")
    product = 1
    for i in range(2, 2001):
        product *= i
    sys.set_int_max_str_digits(0)
    return verdict(body.get("simplified") == str(product)) if body.get("ok") else UNKNOWN


def fixed_point(ask):
    """The only real root of cos x = x, with digits that mpmath gives."""
    body = ask("symbolic", op="solve", expr="cos(x)=x", var="x", assume="x real")
    if not body.get("ok") or str(body.get("status", "")).startswith("unknown"):
        body = ask("symbolic", op="solve", expr="cos(x)=x", var="x", lower="-2", upper="2")
    got = body.get("approx") or body.get("solutions")
    return verdict(len(got) == 1 and close(got[0], "0.739085133215160641655312087673873404", 12)) if got else UNKNOWN


def odd(ask):
    body = ask("symbolic", op="simplify", expr="sin(tan(-4*x**2-3)**3)")
    text = body.get("simplified")
    if not text:
        return UNKNOWN
    return verdict(all(close(value(text, x=p), value("-sin(tan(4*x**2+3)**3)", x=p)) for p in ("1/3", "-7/5")))


CHECKS = {
    "abs(x-3)=2": roots(["1", "5"], "abs(x-3)=2", assume="x real"),
    "abs(x)/x, x->0": two_sides("-1", "1", "abs(x)/x"),
    "1/x, x->0": two_sides("-oo", "oo", "1/x"),
    "4*atan(1/5)-atan(1/239) , pi/4": identical("4*atan(1/5)-atan(1/239)", "pi/4"),
    "(x^2-1)/(x-1) , x+1": identical("(x^2-1)/(x-1)", "x+1", ["x != 1"]),
    "exp(pi*sqrt(163))": exactly("262537412640768743.99999999999925007259719818568888", "exp(pi*sqrt(163))", 29),
    "sqrt(2)": exactly("sqrt(2)", "sqrt(2)", 28, value="sqrt(2)", exact=True),
    "1e400*1e-400": exactly("1", "1e400*1e-400", value="1", exact=True),
    "2**0.5": exactly("sqrt(2)", "2**0.5", 28, exact=True),
    "factorial(2000)": great_factorial,
    "cos(x)=x": fixed_point,
    "x - x = 0": roots([], "x - x = 0", status="all"),
    "11000000000/a - 1/(100000000*a*x**2)": roots(["sqrt(110)/11000000000", "-sqrt(110)/11000000000"], "11000000000/a - 1/(100000000*a*x**2)"),
    "sin(a*x)=cos(x)": family("sin(a*x)-cos(x)", ["pi/2*(4*2+1)/(a+1)", "-3*pi/2/(a-1)"], never=["pi"], at={"a": "17/5"}, expr="sin(a*x)=cos(x)"),
    "-0.4*sin(x)+0.25*sin(2*x)": family("-2/5*sin(x)+1/4*sin(2*x)", ["0", "pi", "2*pi", "acos(4/5)", "-acos(4/5)+2*pi"], expr="-0.4*sin(x)+0.25*sin(2*x)"),
    "(2*I)**x, x->-oo": limit("0", "(2*I)**x", point="-oo"),
    "airybi(x)*x**(1/4)*exp(-2*x**(3/2)/3), x->oo": limit("1/sqrt(pi)", "airybi(x)*x**(1/4)*exp(-2*x**(3/2)/3)"),
    "sin(tan(-4*x**2-3)**3)": odd,
}


def main():
    cases = [json.loads(line) for line in (BESIDE / "peer-faults.jsonl").read_text().splitlines()] if BESIDE.exists() else []
    if not cases:
        print("peer_faults: no cases beside the repository")
        return 0
    shown = next((a.split("=")[1] for a in sys.argv if a.startswith("--show=")), "unknown")
    server, rows = Server(program()), []
    for case in cases:
        ask = Ask(server)
        outcome = CHECKS[case["input"]](ask)
        rows.append((case["input"], outcome, ask.spent, f"{case['right_answer']}  ->  {json.dumps(ask.body)[:400]}"))
    server.end()
    count = tally("peer_faults", rows, shown)
    record("peer-faults", f"{count.get(RIGHT, 0)} of {len(cases)} right, {count.get(UNKNOWN, 0)} unknown, {count.get(WRONG, 0)} wrong | 0 wrong | the peer: none right")
    return 1 if count.get(WRONG) else 0


if __name__ == "__main__":
    sys.exit(main())
