"""PARI/GP and Maxima as long-lived processes that answer one line after another, and their notations beside the program's own.

For test_oracles_pari.py and test_oracles_maxima.py. A peer that takes too long, dies or says that it cannot gives None: it is asked for what is
true, never for how good it is. How many examples a property gets, and which: `examine`. Nothing of this is part of the program.
"""

import ast
import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from harness import SLOW
from questions import balls

COUNT = int(os.environ.get("CODECALC_ORACLES", 0))
FIRST = int(os.environ.get("CODECALC_ORACLES_FROM", 0))


KINDS = {"many": COUNT} if COUNT else {"fixed": 12 if SLOW == 1 else 3, "random": 2 if SLOW == 1 else 1}


TIMEOUT = 200 + 4 * COUNT  # of a test, in seconds; each call has its own


def examine(property, kind, *subjects):
    """Puts a property to the test on that many random.Random: "fixed" ones are the same every time, "random" ones are new.
    CODECALC_ORACLES=N makes N instead, from the seed CODECALC_ORACLES_FROM."""

    def one(r):
        property(*subjects, r)

    one.__name__ = property.__name__  # by which a failure is reported
    how = settings(max_examples=KINDS[kind], derandomize=kind == "fixed", deadline=None, database=None, suppress_health_check=list(HealthCheck))
    test = how(given(r=st.randoms(use_true_random=False))(one))
    (seed(FIRST)(test) if kind == "many" else test)()


class Peer:
    """Its questions go through a pipe, so that what it prints has no width; an answer is what is printed before a mark."""

    command, prologue, mark = [], [], ""
    most = 3000  # questions to one process: they keep what they have seen

    def __init__(self):
        self.process, self.pending, self.asked = None, b"", 0
        self.home = tempfile.mkdtemp(prefix="codecalc-peer-")

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.home,
                                        env={"PATH": os.environ["PATH"], "HOME": self.home, "LC_ALL": "C.UTF-8"}, start_new_session=True)
        self.pending, self.asked = b"", 0
        for line in self.prologue:
            self.process.stdin.write(line.encode() + b"\n")
        assert self.send("1", 60) is not None, f"{self.command} does not answer"

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def send(self, text, timeout=10.0):
        """What is printed for one line, or None."""
        self.asked += 1
        mark = self.mark.format(self.asked)
        try:
            self.process.stdin.write(f"{self.wrap(text)}\n{self.say(mark)}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            return self.stop()
        deadline, end = time.monotonic() + timeout * SLOW, mark.encode()
        while end not in self.pending:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not data:
                return self.stop()
            self.pending += data
        answer, _, self.pending = self.pending.partition(end)
        return answer.decode(errors="replace")

    def ask(self, text, timeout=5.0):
        """The value of an expression in the peer's notation, as it prints it; None when there is none."""
        assert "\n" not in text, text
        if self.process is None or self.asked >= self.most:
            self.stop()
            self.start()
        return self.read(self.send(text, timeout) or "")


HUGE = re.compile(r"[eE][-+]?\d{5}")  # such a number is not written out


class Pari(Peer):
    """Numbers with 77 digits; a result is printed after "=", an error leaves none."""

    command = ["gp", "-q", "-f", "--default", "colors=no", "--default", "breakloop=0", "--default", "parisizemax=512M"]
    prologue = ["default(realprecision,77);"]
    mark = "@{}@"

    def wrap(self, text):
        return f'iferr(print("=",{text}),E,print("!"))'

    def say(self, mark):
        return f'print("{mark}")'

    def read(self, answer):
        line = next((line for line in answer.splitlines() if line.startswith("=")), None)
        return line and re.sub(r"(\d) E([-+]?\d)", r"\1E\2", line[1:])

    def number(self, text, timeout=5.0, digits=77):
        """(real part, imaginary part) as fractions, or None."""
        answer = self.ask(f"(()->localprec({digits});my(z={text}+0.);[real(z),imag(z)])()", timeout)
        match = re.fullmatch(r"\[(.*), (.*)\]", answer or "")
        try:
            return (Fraction(match[1]), Fraction(match[2])) if match and not HUGE.search(answer) else None
        except ValueError:
            return None


class Maxima(Peer):
    """A question that it would ask a person is an error instead: nobody is there. What is printed are the items of a list that is empty after an error."""

    command = ["maxima", "--very-quiet"]
    prologue = ["display2d:false$", "linel:1000000$", "errormsg:false$", "ratprint:false$", "load(simplify_sum)$",
                ':lisp-quiet (defun retrieve (msg flag &aux (print? nil)) (declare (ignore msg flag print?)) (merror "a question"))']
    mark = "@{}@"

    def wrap(self, text):
        return f'print(sconcat("=",string(errcatch({text}))))$'

    def say(self, mark):
        return f'print("{mark}")$'

    def read(self, answer):
        line = next((line for line in answer.splitlines() if line.startswith("=[")), "").strip()
        return line[2:-1] if line.endswith("]") and line != "=[]" else None



PEERS = {"gp": Pari, "maxima": Maxima}


def peer(name):
    """The body of a fixture: the peer, for all the tests of a file. A machine without it skips these, and CI, which installs it, fails."""
    if not shutil.which(name):
        reason = f"no {name} here: scripts/setup.sh test installs it"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    one = PEERS[name]()
    yield one
    one.close()


@contextlib.contextmanager
def within(seconds):
    """Ends what computes here after so much processor time, by a TimeoutError."""

    def over(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# ---- notations ----

PARI = {
    "log": "log({0})", "abs": "abs({0})", "Abs": "abs({0})", "sign": "(({0})/abs({0}))", "sec": "(1/cos({0}))", "csc": "(1/sin({0}))", "cot": "cotan({0})",
    "acot": "atan(1/({0}))", "asec": "acos(1/({0}))", "acsc": "asin(1/({0}))", "coth": "cotanh({0})", "sech": "(1/cosh({0}))", "csch": "(1/sinh({0}))",
    "acoth": "atanh(1/({0}))", "asech": "acosh(1/({0}))", "acsch": "asinh(1/({0}))", "sinc": "sinc({0})", "loggamma": "lngamma({0})", "digamma": "psi({0})",
    "erf": "(1-erfc({0}))", "erfi": "(I*(erfc(I*({0}))-1))", "uppergamma": "incgam({0},{1})", "lowergamma": "incgamc({0},{1})", "LambertW": "lambertw({*})",
    "expint": "(({1})^(({0})-1)*incgam(1-({0}),{1}))", "elliptic_k": "ellK(sqrt({0}))", "bessely": "besseln({0},{1})", "airyai": "airy({0})[1]", "airybi": "airy({0})[2]",
    "beta": "(gamma({0})*gamma({1})/gamma(({0})+({1})))", "hyper": "hypergeom({0},{1},{2})", "polygamma": "((-1)^(({0})+1)*({0})!*zetahurwitz(({0})+1,{1}))",
    "harmonic": "(psi(({0})+1)+Euler)", "factorial": "gamma(({0})+1)", "atan2": "arg(({1})+I*({0}))", "root": "(({0})^(1/({1})))", "re": "real({0})", "im": "imag({0})",
    "conjugate": "conj({0})", "ceiling": "ceil({0})", "Mod": "(({0})-({1})*floor(({0})/({1})))", "Max": "max({0},{1})", "Min": "min({0},{1})",
    "fibonacci": "fibonacci({0})", "cbrt": "(({0})^(1/3))", "Heaviside": "((1+sign({0}))/2)",
}
PARI_NAMES = {"pi": "Pi", "E": "exp(1)", "I": "I", "EulerGamma": "Euler", "Catalan": "Catalan", "GoldenRatio": "((1+sqrt(5))/2)"}
MAXIMA = {
    "Abs": "abs({0})", "sign": "signum({0})", "ceiling": "ceiling({0})", "loggamma": "log_gamma({0})", "digamma": "psi[0]({0})", "polygamma": "psi[{0}]({1})",
    "uppergamma": "gamma_incomplete({0},{1})", "lowergamma": "gamma_incomplete_lower({0},{1})", "LambertW": "lambert_w({0})", "Ei": "expintegral_ei({0})",
    "li": "expintegral_li({0})", "Si": "expintegral_si({0})", "Ci": "expintegral_ci({0})", "polylog": "li[{0}]({1})", "elliptic_k": "elliptic_kc({0})",
    "besselj": "bessel_j({0},{1})", "bessely": "bessel_y({0},{1})", "besseli": "bessel_i({0},{1})", "besselk": "bessel_k({0},{1})", "Heaviside": "unit_step({0})",
    "factorial": "factorial({0})", "re": "realpart({0})", "im": "imagpart({0})", "arg": "carg({0})", "atan2": "atan2({0},{1})", "cbrt": "(({0})^(1/3))", "expint": "expintegral_e({0},{1})",
    "fresnels": "fresnel_s({0})", "fresnelc": "fresnel_c({0})",
}
MAXIMA_NAMES = {"pi": "%pi", "E": "%e", "I": "%i", "EulerGamma": "%gamma", "GoldenRatio": "%phi", "oo": "inf"}
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}
RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class Foreign(Exception):
    """Something that the other notation has no word for."""


def render(n, functions, names):
    """A tree in the notation of a peer; every operation in parentheses."""
    if isinstance(n, ast.Constant):
        return str(n.value)
    if isinstance(n, ast.Name):
        return names.get(n.id, n.id)
    if isinstance(n, ast.UnaryOp):
        return f"({'-' if isinstance(n.op, ast.USub) else ''}{render(n.operand, functions, names)})"
    if isinstance(n, ast.BinOp) and type(n.op) in OPERATORS:
        return f"({render(n.left, functions, names)}{OPERATORS[type(n.op)]}{render(n.right, functions, names)})"
    if isinstance(n, ast.List):
        return f"[{','.join(render(e, functions, names) for e in n.elts)}]"
    if isinstance(n, ast.Compare) and len(n.ops) == 1 and type(n.ops[0]) in RELATIONS:
        return f"({render(n.left, functions, names)}{RELATIONS[type(n.ops[0])]}{render(n.comparators[0], functions, names)})"
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "Piecewise" and functions is PARI:
        value = "(1/0)"
        for piece in reversed(n.args):
            if not isinstance(piece, ast.Tuple) or len(piece.elts) != 2:
                raise Foreign("Piecewise")
            v, condition = (render(e, functions, names) for e in piece.elts)
            value = v if condition == "True" else f"if({condition},{v},{value})"
        return value
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Name):
        args = [render(a, functions, names) for a in n.args]
        form = functions.get(n.func.id, n.func.id + "({*})")
        return form.replace("{*}", ",".join(args)).format(*args)
    raise Foreign(ast.dump(n)[:80])


def to_pari(text):
    return render(balls.read(text), PARI, PARI_NAMES)


def to_maxima(text):
    return render(balls.read(text), MAXIMA, MAXIMA_NAMES)


FROM_MAXIMA = [(re.compile(a), b) for a, b in (
    (r"%pi\b", "pi"), (r"%e\b", "E"), (r"%i\b", "I"), (r"%gamma\b", "EulerGamma"), (r"%phi\b", "GoldenRatio"), (r"\bminf\b", "(-oo)"), (r"\binf\b", "oo"), (r"%c\b", "C1"), (r"%k(\d)", r"C\1"),
    (r"\bli\[(\w+)\]\(", r"polylog(\1,"), (r"\bpsi\[0\]\(", "digamma("), (r"\bpsi\[(\d+)\]\(", r"polygamma(\1,"), (r"\bexpintegral_e\(", "expint("),
    (r"\bexpintegral_(\w)(\w)\(", lambda m: (m[1].upper() if m[0][12:14] != "li" else "l") + m[2] + "("),
    (r"\bgamma_incomplete_lower\(", "lowergamma("), (r"\bgamma_incomplete\(", "uppergamma("), (r"\blambert_w\(", "LambertW("), (r"\bsignum\(", "sign("), (r"\bbessel_([jyik])\(", r"bessel\1("),
    (r"\bunit_step\(", "Heaviside("), (r"\brealpart\(", "re("), (r"\bimagpart\(", "im("), (r"\bcarg\(", "arg("), (r"\bfresnel_([sc])\(", r"fresnel\1("), (r"\blog_gamma\(", "loggamma("),
    (r"\belliptic_kc\(", "elliptic_k("), (r"\belliptic_ec\(", "elliptic_e("), (r"\bharmonic_number\(", "harmonic("), (r"\bgen_harmonic_number\((\d+),([^()]+)\)", r"harmonic(\2,\1)"), (r"\^", "**"))]


def from_maxima(text):
    """The program's notation of what Maxima printed. A factorial is left as it is: both write n!."""
    for pattern, to in FROM_MAXIMA:
        text = pattern.sub(to, text)
    if re.search(r"[%\[\]]|'", text):
        raise Foreign(text)
    return text


NUMBER = re.compile(r"([-+]?) ?(\d+(?:\.\d+)?(?:e[-+]?\d+)?)?(\*?I)?")


def decimal(value):
    """What the program's `value` says: ((real part, one in its last place), (imaginary part, one in its last place)), as fractions; of an enclosure
    the middle and the radius."""
    enclosure = re.fullmatch(r"\[(\S+) \+/- (\S+)\]", value)
    if enclosure:
        return [(Fraction(enclosure[1]), Fraction(enclosure[2])), (Fraction(0), Fraction(0))]
    if not re.fullmatch(r"[-+0-9.eI* ]+", value) or HUGE.search(value):
        return None
    parts = [(Fraction(0), Fraction(0)), (Fraction(0), Fraction(0))]
    for sign, number, i in NUMBER.findall(value):
        if number or i:
            number = number or "1"
            digits, _, exponent = number.partition("e")
            exact = "." not in digits and not exponent and len(digits) < 15
            unit = Fraction(0) if exact else Fraction(10) ** (int(exponent or 0) - len(digits.partition(".")[2]))
            parts[bool(i)] = (Fraction(number) * (-1 if sign == "-" else 1), unit)
    return parts
