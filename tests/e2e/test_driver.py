"""Drivers of interpreted languages: a program cannot tell that it runs under one, and what it did not catch is told."""

import os
import re

import pytest
from driver_programs import LANGUAGES
from harness import Server

# Puts the program in its own place and executes the interpreter anew: without the variable that loads the driver, there is none.
DIRECTLY = """import os, sys
os.rename("program.py", "main.py")
os.execve(sys.executable, sys.orig_argv, os.environ)
"""

PROGRAMS = {
    "what it is": "import __main__, sys\nprint(__name__, __file__, __builtins__, __spec__, __package__, __doc__, sorted(globals()), sorted(vars(__main__)))\n",
    "modules": "import sys\nprint(list(sys.modules), sys.path, list(sys.path_importer_cache), sys.meta_path, len(sys.path_hooks))\n",
    "arguments": "import sys\nprint(sys.argv, sys.orig_argv, sys.flags, sys._xoptions, sys.executable, sys.prefix, sys.base_prefix)\n",
    "environment": "import os, posix\nprint(list(os.environ.items()), list(posix.environ.items()), os.getcwd(), os.umask(18), os.getpid(), os.getppid(), os.getsid(0))\n",
    "environment of children": "import subprocess\nprint(subprocess.run(['env'], capture_output=True, text=True).stdout)\n",
    "files": "import os\nprint(sorted(os.listdir('.')), sorted(os.listdir('/tmp')), sorted(os.listdir('/tmp/.home')))\n",
    "hooks": "import sys, threading, signal, builtins\nprint(sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__, sys.unraisablehook is sys.__unraisablehook__,\n"
    " threading.excepthook is threading.__excepthook__, sys.gettrace(), sys.getprofile(), [signal.getsignal(s) for s in range(1, 32)], sorted(vars(builtins)), hasattr(sys, 'last_value'))\n",
    "frames": "import inspect, sys, traceback\ndef f():\n    traceback.print_stack()\n    print([(s.filename, s.lineno, s.function) for s in inspect.stack()])\n    print(sys._getframe(1).f_back)\nf()\n",
    "source": "import inspect, linecache\ndef f(a):\n    'doc'\n    return a\nprint(inspect.getsource(f), linecache.getline(__file__, 2), inspect.getsourcefile(f))\n",
    "resources": "import resource\nprint([resource.getrlimit(i) for i in range(10)])\n",
    "children of the collector": "import gc, types\nprint(sorted(m.__name__ for m in gc.get_objects() if isinstance(m, types.ModuleType)))\n",
    "threads": "import threading\nprint([t.name for t in threading.enumerate()], threading.active_count())\n",
    "a thread at the end": "import threading, time\ndef f():\n    time.sleep(0.2); print('late')\nthreading.Thread(target=f).start()\nprint('early')\n",
    "a thread that fails": "import threading\nt = threading.Thread(target=lambda: 1 / 0, name='t')\nt.start(); t.join()\nprint('on')\n",
    "exit handlers": "import atexit, sys\natexit.register(print, 'a')\natexit.register(print, 'b')\nprint(sys.exit)\n",
    "an exit handler that fails": "import atexit\natexit.register(lambda: 1 / 0)\n",
    "exit handlers after a failure": "import atexit\natexit.register(print, 'after')\n[][1]\n",
    "exit handlers cleared": "import atexit\natexit._clear()\nraise ValueError('x')\n",
    "fork": "import os\npid = os.fork()\nif not pid:\n    raise RuntimeError('of the child')\nprint(os.waitpid(pid, 0)[1])\n",
    "multiprocessing by fork": "import multiprocessing as m\ndef f(x): return x * x\nif __name__ == '__main__':\n    with m.get_context('fork').Pool(2) as p: print(p.map(f, range(5)))\n",
    "multiprocessing by spawn": "import multiprocessing as m, sys\ndef f(x): return x * x, sys.argv, __name__, 'sitecustomize' in sys.modules\nif __name__ == '__main__':\n    with m.get_context('spawn').Pool(1) as p: print(p.map(f, range(2)))\n",
    "a child interpreter": "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'import sys, os; print(sys.path, sorted(os.environ))'], capture_output=True))\n",
    "exit": "import sys\nsys.exit()\n",
    "exit with a number": "import sys\nsys.exit(300)\n",
    "exit with a negative number": "raise SystemExit(-1)\n",
    "exit with text": "import sys\nsys.exit('some text')\n",
    "exit with an object": "raise SystemExit([1, 2])\n",
    "exit with true": "exit(True)\n",
    "exit from a handler": "import atexit, sys\natexit.register(lambda: sys.exit(4))\n",
    "exit at once": "import os\nprint('lost')\nos._exit(7)\n",
    "ended by a signal": "import os\nprint('lost')\nos.kill(os.getpid(), 9)\n",
    "abort": "import os\nos.abort()\n",
    "interrupted": "raise KeyboardInterrupt\n",
    "interrupted by a signal": "import os, signal\nprint('kept')\nos.kill(os.getpid(), signal.SIGINT)\n",
    "a syntax error": "print(1)\nx = (\ny = 2\n",
    "an indentation error": "if 1:\nprint(1)\n",
    "a bad escape": "print('\\d')\n",
    "a bad encoding": "# coding: nonsense\nprint(1)\n",
    "a declared encoding": "# coding: latin-1\nprint('ä')\n",
    "nothing": "",
    "an error": "def f(x):\n    return 1 / x\ntry:\n    f(0)\nexcept ZeroDivisionError as e:\n    raise KeyError('other') from e\n",
    "a chain": "try:\n    {}['a']\nexcept KeyError:\n    int('x')\n",
    "a group": "raise ExceptionGroup('g', [ValueError(1), TypeError('x')])\n",
    "a note": "e = ValueError('x')\ne.add_note('note')\nraise e\n",
    "text with effects": "class E(Exception):\n    def __str__(self):\n        print('asked')\n        return 'text'\nraise E\n",
    "text that fails": "class E(Exception):\n    def __str__(self): raise ValueError\nraise E\n",
    "recursion": "def f(): f()\nf()\n",
    "a module that fails": "import helper\nhelper.f()\n",
    "code from a string": "exec('def f():\\n  1/0\\nf()')\n",
    "a hook of its own": "import sys\nsys.excepthook = lambda *a: print('mine', a[0])\n1 / 0\n",
    "a hook that fails": "import sys\nsys.excepthook = lambda *a: 1 / 0\n[][0]\n",
    "nothing caught, nothing told": "import sys, atexit\natexit.register(lambda: delattr(sys, 'last_value'))\n1 / 0\n",
    "a destructor that fails": "class A:\n    def __del__(self): 1 / 0\nA()\na = A()\n",
    "warnings": "import warnings\nwarnings.warn('w', stacklevel=1)\nwarnings.warn('w', stacklevel=2)\n",
    "standard input": "import sys\nprint(input(), sys.stdin.read(), sys.stdin.isatty(), sys.stdout.encoding, sys.stdout.line_buffering)\n",
    "standard output closed": "import sys\nsys.stdout.close()\n",
    "descriptors closed": "import os\nos.closerange(3, 5000)\n1 / 0\n",
    "descriptors replaced": "import os\nf = os.open('f', os.O_RDWR | os.O_CREAT)\nos.dup2(f, 639)\nimport atexit\n1 / 0\n",
    "a descriptor at the top": "import atexit, os\nf = os.open('f', os.O_RDWR | os.O_CREAT)\nos.dup2(f, 639)\nif not os.fork():\n    os._exit(0)\nos.wait()\nprint(os.path.getsize('f'))\n",
    "another directory": "import os\nos.chdir('/')\n1 / 0\n",
    "unittest": "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(1, 1)\nif __name__ == '__main__':\n    import sys\n    unittest.main(argv=['x'], testRunner=lambda: unittest.TextTestRunner(stream=open('/dev/null', 'w')))\n",
    "doctest": "'''\n>>> 1 + 1\n3\n'''\nimport doctest\ndoctest.testmod()\n",
    "pickle": "import pickle\nclass A: pass\nprint(pickle.dumps(A()))\n",
    "asyncio": "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    raise ValueError('async')\nasyncio.run(f())\n",
}


# What happens when all is taken apart at the end. A child shows what is left of its files; it ends like any other program.
ENDS = {
    "a file that was not closed": "f = open('left', 'w'); f.write('kept')\ndef g(): return f\n",
    "a file that nothing names": "f = open('left', 'w'); f.write('kept')\nclass A: pass\na = A(); a.f = f; a.me = a\ndel a, f\n",
    "files of a class of its own": "import io\nclass F(io.FileIO):\n    def close(self):\n        print('closed'); super().close()\nf = F('left', 'w')\ndef g(): return f\n",
    "an archive": "import zipfile\nz = zipfile.ZipFile('left', 'w'); z.writestr(zipfile.ZipInfo('a'), 'b')\ndef g(): return z\n",
    "a database": "import sqlite3\nc = sqlite3.connect('left'); c.execute('pragma journal_mode=wal'); c.execute('create table t(a)'); c.commit(); c.execute('insert into t values (1)')\ndef g(): return c\n",
    "destructors": "class A:\n    def __init__(self, n): self.n = n\n    def __del__(self): print('gone', self.n, A is None)\na, b = A(1), A(2)\ndef g(): return a\n",
    "a destructor in a circle": "class A:\n    def __del__(self): print('gone', sorted(self.__dict__))\na = A(); a.me = a\ndel a\nb = A(); b.me = b\n",
    "a destructor that the collector does not know": "class A:\n    __slots__ = ()\n    def __del__(self): print('gone')\na = A()\ndef g(): return a\n",
    "a destructor of text": "class A(str):\n    __slots__ = ()\n    def __del__(self): print('gone', str(self))\na = A('x')\ndef g(): return a\n",
    "a destructor given later": "class A: pass\na = A()\ndef g(): return a\nA.__del__ = lambda self: print('gone')\n",
    "a destructor in a module of the library": "import os, builtins\nclass A:\n    def __del__(self): print('gone', os.getpid() > 0)\nos.a = A(); os.a.me = os.a\nbuiltins.a = A()\nos.environ.a = A()\n",
    "a destructor in a frame": "class A:\n    def __del__(self): print('gone')\ndef f(): a = A(); 1 / 0\nf()\n",
    "a destructor at sys.exit": "import sys\nclass A:\n    def __del__(self): print('gone')\ndef f():\n    a = A()\n    sys.exit(3)\nf()\n",
    "a destructor in a cache": "import functools\nclass A:\n    def __del__(self): print('gone')\n@functools.lru_cache\ndef f(): return A()\nf()\n",
    "a destructor in a thread's own": "import threading\nclass A:\n    def __del__(self): print('gone')\nx = threading.local(); x.a = A()\ndef f(): return x\n",
    "a destructor with its module": "import sys, types\nclass M(types.ModuleType):\n    def __del__(self): print('gone')\nsys.modules['m'] = m = M('m')\ndef f(): return m\n",
    "a destructor after many objects": "class A:\n    def __del__(self): print('gone')\na = A(); a.me = a\nx = [[i] for i in range(100000)]\n",
    "a destructor after a collection": "import gc\nclass A:\n    def __del__(self): print('gone')\na = A(); a.me = a\ngc.collect(1)\ngc.collect()\n",
    "a frozen destructor": "import gc\nclass A:\n    def __del__(self): print('gone')\na = A(); a.me = a\ngc.freeze()\n",
    "a generator": "def f():\n    try: yield 1\n    finally: print('closed')\ng = f(); next(g)\ndef h(): return g\n",
    "a coroutine": "async def f(): pass\nc = f()\ndef h(): return c\n",
    "a task": "import asyncio\nasync def f(): await asyncio.sleep(9)\nloop = asyncio.new_event_loop(); t = loop.create_task(f()); loop.call_soon(loop.stop); loop.run_forever()\ndef h(): return t\n",
    "weak references": "import weakref, builtins\nclass A: pass\na = A(); r = weakref.ref(a, print); builtins.r = weakref.ref(a, lambda r: print('told'))\nweakref.finalize(a, print, 'finalized')\ndef h(): return a\n",
    "a class that prints": "class M(type):\n    def __getattribute__(c, n): print('asked', n); return super().__getattribute__(n)\n    def __eq__(c, o): print('compared'); return c is o\n    def __hash__(c): print('hashed'); return 1\nclass A(metaclass=M): pass\na = A()\n",
    "an object that prints": "class A:\n    def __getattribute__(s, n): print('asked', n); return object.__getattribute__(s, n)\n    @property\n    def __class__(s): print('class'); return int\na = A()\n",
    "an output of its own": "import sys\nclass T:\n    def __init__(self, f): self.f = f\n    def write(self, s): self.f.write(s.upper())\n    def flush(self): import json; self.f.write(json.dumps('flush')); self.f.flush()\nsys.stdout = T(sys.stdout)\nprint('a')\n",
    "an output around the first": "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8', newline='\\r\\n')\nprint('a')\ndef g(): return sys.stdout\n",
    "a thread that goes on": "import threading, time\ndef f():\n    while True: time.sleep(0.001)\nthreading.Thread(target=f, daemon=True).start()\nprint('end')\n",
    "callbacks of the collector": "import gc\ngc.callbacks.append(lambda phase, info: print(phase, info['generation']))\n",
    "objects that are kept by the collector": "import gc\nclass A: pass\na = A(); a.me = a\ndel a\ngc.set_debug(gc.DEBUG_SAVEALL)\ngc.collect()\nprint(len(gc.garbage) > 0)\ngc.set_debug(gc.DEBUG_UNCOLLECTABLE)\n",
    "a trace function": "import sys\ndef t(frame, event, argument):\n    if 'threading' not in frame.f_code.co_filename: print(event, frame.f_code.co_name, frame.f_code.co_filename)\n    return t\nsys.settrace(t)\ndef g(): return 1\ng()\n",
    "a trace function and a destructor": "import sys\ndef t(frame, event, argument):\n    if 'threading' not in frame.f_code.co_filename: print(event, frame.f_code.co_name)\n    return t\nclass A:\n    def __del__(self): pass\na = A()\nsys.settrace(t)\n",
    "a profile function": "import sys\ndef t(frame, event, argument):\n    if 'threading' not in frame.f_code.co_filename: print(event, frame.f_code.co_name)\nclass A:\n    def __del__(self): pass\na = A()\nsys.setprofile(t)\n1 / 0\n",
    "a profiler": "import cProfile\np = cProfile.Profile(); p.enable()\nprint(1)\n",
    "an audit hook": "import sys\nsys.addaudithook(lambda event, arguments: print(event))\nopen('/dev/null')\n",
    "an audit hook and a failure": "import sys\nsys.addaudithook(lambda event, arguments: print(event))\n1 / 0\n",
}
CHILD = "import os\nif os.fork():\n    print(os.wait()[1])\n    print(sorted(os.listdir()), open('left', 'rb').read()[:500] if os.path.exists('left') else None)\n    raise SystemExit\n"
PROGRAMS |= ENDS | {f"{name}, in a child": CHILD + code for name, code in ENDS.items() if "left" in code}


def outcome(result):
    kept = {k: result.get(k) for k in ("verdict", "exit_code", "signal", "stdout", "stderr", "diagnostics")}
    return {k: re.sub("0x[0-9a-f]{6,}", "0x", v) if isinstance(v, str) else v for k, v in kept.items()}


def assert_cannot_tell(driven, directly):
    driven, directly = outcome(driven), outcome(directly)
    if not directly["diagnostics"] and driven["diagnostics"]:  # the text names no place, but the driver does
        driven["diagnostics"] = directly["diagnostics"]
    assert driven == directly


CASES = [(language, name) for language, given in LANGUAGES.items() for name in given["programs"]]
TOLD = [(language, i) for language, given in LANGUAGES.items() for i in range(len(given["told"]))]


@pytest.mark.parametrize("language,name", CASES)
def test_a_program_of_any_language_cannot_tell(shared_server, language, name):
    given = LANGUAGES[language]
    call = {"language": language, "code": given["programs"][name], "files": given["files"], "stdin": "one\ntwo\n", "args": ["a", ""]}
    driven = shared_server.call("execute_code", call | {"env": {"X": "y"}})
    if "directly" in given:
        call |= {"code": given["directly"], "files": given["files"] | {given["program"]: call["code"]}}
    assert_cannot_tell(driven, shared_server.call("execute_code", call | {"env": {"X": "y"} | given.get("without", {})}))


@pytest.mark.parametrize("language,i", TOLD)
def test_what_was_not_caught_is_told_of_any_language(shared_server, language, i):
    code, told = LANGUAGES[language]["told"][i]
    assert shared_server.call("execute_code", {"language": language, "code": code, "files": LANGUAGES[language]["files"]}).get("exception") == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_further_program_of_any_language_has_the_descriptor(shared_server, language):
    assert shared_server.call("execute_code", {"language": language, "code": LANGUAGES[language]["descriptors"]})["stdout"].split()[-1] < "7"


def tell_apart(server, name):
    files = {"helper.py": "def f():\n    raise LookupError('of the module')\n"}
    call = {"language": "python3", "stdin": "one\ntwo\n", "args": ["a", ""], "env": {"X": "y"}}
    driven = server.call("execute_code", call | {"code": PROGRAMS[name], "files": files})
    directly = server.call("execute_code", call | {"code": DIRECTLY, "files": files | {"program.py": PROGRAMS[name]}})
    assert_cannot_tell(driven, directly)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_cannot_tell(shared_server, name):
    tell_apart(shared_server, name)


@pytest.fixture(scope="module")
def plain_server():
    """One with the system's own Python, which starts with fewer modules than many another."""
    if not os.path.exists("/usr/bin/python3"):
        pytest.skip("this system has no Python of its own")
    with Server(env={"CODECALC_RUNTIME_PATH": "/usr/bin"}) as server:
        server.initialize()
        yield server


@pytest.mark.parametrize("name", ["modules", "children of the collector", *ENDS])
def test_a_program_of_another_python_cannot_tell(plain_server, name):
    tell_apart(plain_server, name)


def exception(server, code, **more):
    return server.call("execute_code", {"language": "python3", "code": code} | more).get("exception")


def test_what_was_not_caught_is_told(shared_server):
    files = {"pkg/part.py": "def g(d):\n    return d['\N{SNOWMAN}\U0001F600\"\\\\']\n"}
    assert exception(shared_server, "import json\nfrom pkg.part import g\njson.loads('{}', object_hook=g)\n", files=files) == {
        "type": "KeyError",
        "message": "'\N{SNOWMAN}\U0001F600\"\\\\'",
        "frames": [{"file": "main.py", "line": 3, "function": "<module>"}, {"file": "pkg/part.py", "line": 2, "function": "g"}],
    }
    assert exception(shared_server, "x = 1\ny = (\n") == {"type": "SyntaxError", "message": "'(' was never closed", "frames": [{"file": "main.py", "line": 2}]}
    assert exception(shared_server, "def f(): f()\nf()")["frames"] == [{"file": "main.py", "line": 1, "function": "f"}] * 3
    assert exception(shared_server, "class E(Exception):\n  def __str__(self): return 'x'\nraise E") == {
        "type": "E", "frames": [{"file": "main.py", "line": 3, "function": "<module>"}]}


@pytest.mark.parametrize("code", ["import sys\nsys.exit(3)", "import os\nos._exit(1)", "try: 1/0\nexcept: pass\nexit(1)", "import os, sys\nif not os.fork(): 1/0\nos.wait()\nsys.exit(2)"])
def test_what_was_caught_is_not(shared_server, code):
    assert exception(shared_server, code) is None


def test_a_program_can_only_spoil_its_own_message(shared_server):
    flood = "import os\nfor _ in range(400): os.write(639, b'{\"event\":\"exception\",\"type\":7}\\n' * 2000)\nprint('done')\n"
    result = shared_server.call("execute_code", {"language": "python3", "code": flood})
    assert result["verdict"] == "OK" and result["stdout"] == "done\n" and "exception" not in result
    forged = "import os\nos.write(639, b'nonsense\\n{}\\n[]\\n{\"event\":\"exception\",\"type\":\"T\",\"message\":\"m\",\"frames\":[1,{\"file\":\"f\",\"line\":-1}]}\\n')\nos._exit(%d)\n"
    assert exception(shared_server, forged % 5) == {"type": "T", "message": "m", "frames": [{"file": "f"}]}
    assert exception(shared_server, forged % 0) is None


def test_the_control_descriptor_goes_to_no_further_program(shared_server):
    shows = "import os, subprocess\nprint(os.get_inheritable(639), '639' in os.listdir('/proc/self/fd'))\nprint(subprocess.run(['ls', '/proc/self/fd'], close_fds=False, capture_output=True, text=True).stdout.split())\n"
    assert shared_server.call("execute_code", {"language": "python3", "code": shows})["stdout"] == "False True\n['0', '1', '2', '3']\n"
    # A call that takes the driver's variable for itself has no driver, and no descriptor.
    own = shared_server.call("execute_code", {"language": "python3", "env": {"PYTHONPATH": "/box/lib"}, "code": "import os, sys\nprint(os.environ['PYTHONPATH'], sys.path[1], '639' in os.listdir('/proc/self/fd'))"})
    assert own["stdout"] == "/box/lib /box/lib False\n"
