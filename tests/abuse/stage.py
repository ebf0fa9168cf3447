"""Where hostile programs run: one server, at one level of isolation and as one user, and what it may not leave behind.

The test process is a subreaper, so that whatever a program starts and however it detaches, it stays a descendant of this process.
"""

import atexit
import ctypes
import errno
import functools
import json
import os
import pathlib
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

import harness

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 4, 22, 24, 36, 38
SECCOMP_MODE_FILTER, SYS_LANDLOCK_CREATE_RULESET = 2, 444
CLONE_NEWUSER = 0x10000000
CAP_SYS_ADMIN = 21
SYS_ADD_KEY, SYS_KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}[os.uname().machine]
KEYCTL_JOIN_SESSION_KEYRING, KEY_SPEC_SESSION_KEYRING = 1, -3

ROOT = os.geteuid() == 0
USER = 63017 if ROOT else os.geteuid()  # nobody else's, so that what belongs to it is ours
GROUP = 63018 if ROOT else os.getegid()  # a supplementary group of the user's
GUESTS = range(0x70000000, 0x70400000)  # user ids of guests of a server started as root
PROBE = "codecalc_probe"  # what programs call the files that they try to leave
PLACES = ["/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/etc", "/home", "/root"]
CONTROL_FD = 639  # {control}: the only descriptor besides 0, 1 and 2 that a driver's program may find, the highest below the limit
LEAVE_S = 0.5  # how long a process of a program that has ended may be seen
LAST_S = 10  # and how much longer one that runs no more: the kernel takes apart what it had
PF_EXITING = 4

LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def check(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), what)


@functools.cache
def binary_for_all():
    """A copy of the program where any user can execute it."""
    where = pathlib.Path(tempfile.mkdtemp(prefix="abuse-binary-", dir="/tmp"))
    where.chmod(0o755)
    atexit.register(shutil.rmtree, where, ignore_errors=True)
    return pathlib.Path(shutil.copy(harness.BINARY, where))


def without_landlock():
    """As on a kernel that does not have it: landlock_create_ruleset, the first of its calls, gives ENOSYS."""
    load, equal, give = 0x20, 0x15, 0x06  # BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
    code = [(load, 0, 0, 0), (equal, 0, 1, SYS_LANDLOCK_CREATE_RULESET), (give, 0, 0, 0x00050000 | errno.ENOSYS), (give, 0, 0, 0x7FFF0000)]
    filter = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(filter)))
    check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0), "prctl")


def is_exiting(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[6]) & PF_EXITING
    except OSError:
        return True


def parent_name(pid):
    try:
        parent = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        return pathlib.Path(f"/proc/{parent}/comm").read_text().strip()
    except OSError:
        return ""


class Stage:
    """level is "full", "restricted" or "rlimits"; who is "root" or "user"."""

    def __init__(self, level, who):
        self.level, self.who = level, who
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="abuse-stage-", dir="/tmp"))
        self.dir.chmod(0o711)
        self.tmp = self.dir / "tmp"  # the server's TMPDIR
        self.tmp.mkdir()
        self.tmp.chmod(0o1777)
        self.binary = binary_for_all()
        self.canary = "canary-" + secrets.token_hex(8)
        self.secret = self.dir / "secret"
        self.secret.write_text(self.canary)
        self.secret.chmod(0o600)
        self.group_file = self.dir / "of-the-group"
        self.group_file.write_text(self.canary)
        self.group_file.chmod(0o640)
        if ROOT:
            os.chown(self.group_file, 0, GROUP)
        if ROOT and who == "user":
            for path in (self.tmp, self.secret):
                os.chown(path, USER, USER)
        self.listeners = self.listen()
        self.server = None
        self.start()
        answer = self.run({"language": "bash", "code": "echo up"})
        self.real_level = answer.receipt.get("isolation", {}).get("level", "none")
        self.reason = answer.receipt.get("isolation", {}).get("reason", "")

    def listen(self):
        """What a program may not reach: services of the machine on TCP, a socket in the file system, an abstract one."""
        self.path_socket, self.abstract = str(self.dir / "sock"), "abuse-" + secrets.token_hex(4)
        sockets = []
        for family, address in ((socket.AF_INET, None), (socket.AF_UNIX, self.path_socket), (socket.AF_UNIX, "\0" + self.abstract)):
            s = socket.socket(family)
            if family == socket.AF_INET:
                for port in (8080, 9229, 6379, 5432, 3000, 0):  # as well known as there is left
                    try:
                        s.bind(("127.0.0.1", port))
                        self.port = s.getsockname()[1]
                        break
                    except OSError:
                        continue
            else:
                s.bind(address)
            s.listen(64)
            sockets.append(s)
        os.chmod(self.path_socket, 0o777)
        return sockets

    def confine(self):
        """In the server's process, before it is executed."""
        if self.who == "user" and ROOT:
            os.setgroups([GROUP])
            os.setresgid(USER, USER, USER)
            os.setresuid(USER, USER, USER)
            check(LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "prctl")
        # A key that its owner may see in /proc/keys, in a session keyring of its own.
        LIBC.syscall(SYS_KEYCTL, KEYCTL_JOIN_SESSION_KEYRING, None)
        name = self.canary.encode()
        LIBC.syscall(SYS_ADD_KEY, b"user", name, name, ctypes.c_size_t(len(name)), KEY_SPEC_SESSION_KEYRING)
        if self.level != "full" and self.who == "user":
            # A user namespace in which no further one can be made.
            group = os.getegid()
            check(LIBC.unshare(CLONE_NEWUSER), "unshare")
            for path, text in (("setgroups", "deny"), ("uid_map", f"{USER} {USER} 1"), ("gid_map", f"{group} {group} 1")):
                pathlib.Path("/proc/self", path).write_text(text)
            pathlib.Path("/proc/sys/user/max_user_namespaces").write_text("0")
        if self.level != "full" and self.who == "root":
            check(LIBC.prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0), "prctl")
        if self.level == "rlimits":
            without_landlock()

    def start(self):
        env = {"ABUSE_SECRET": self.canary, "TMPDIR": str(self.tmp), "HOME": str(self.dir), "PATH": "/usr/local/bin:/usr/bin:/bin"}
        harness.BINARY, kept = self.binary, harness.BINARY
        try:
            self.server = harness.Server(env=env, preexec_fn=self.confine, cwd=str(self.tmp))
        finally:
            harness.BINARY = kept
        self.server.initialize()
        self.before = self.owned_files()
        self.mounts = self.mount_table()

    def close(self):
        for s in self.listeners:
            s.close()
        try:
            if self.server.process.poll() is None:
                self.server.__exit__(None, None, None)
        finally:
            shutil.rmtree(self.dir, ignore_errors=True)

    # calling

    def arguments(self, case):
        """The arguments of the call that a case describes."""
        opts = case.get("opts", {})
        code = case["code"]
        for key, value in (("secret", self.secret), ("socket", self.path_socket), ("abstract", self.abstract), ("port", self.port), ("control", CONTROL_FD),
                           ("group_file", self.group_file)):
            code = code.replace("{%s}" % key, str(value))
        out = {"language": {"python": "python3", "javascript": "node"}.get(case["language"], case["language"]), "code": code}
        if "timeout_s" in opts:
            out["timeout"] = opts["timeout_s"]
        if "memory_mb" in opts:
            out["max_memory_mb"] = opts["memory_mb"]
        if "stdin_bytes" in opts:
            out["stdin"] = "x" * opts["stdin_bytes"]
        return out | opts.get("arguments", {})

    def run(self, arguments, meanwhile=False):
        """One call; with meanwhile, another one is made and answered while it runs."""
        id = self.server.start_call("execute_code", arguments)
        if meanwhile:
            time.sleep(0.1)
            self.server.call("calc_exact", {"expr": "1/3"}, timeout=2)
        message = self.server.frame(arguments.get("timeout", 10) + 20)
        # What is no JSON has no id.
        assert message.get("id") == id or ("error" in message and "id" not in message), message
        self.server.sent.pop((int, id), None)
        return Answer(message)

    def restart_if_dead(self):
        """True when the server had to be started again."""
        try:
            if self.server.process.poll() is None and self.server.call("calc_exact", {"expr": "6*7"}, timeout=5)["ok"]:
                return False
        except (harness.Closed, BrokenPipeError, TimeoutError):
            pass
        self.server.process.kill()
        self.server.process.wait()
        for stream in (self.server.process.stdin, self.server.process.stdout, self.server.process.stderr):
            try:
                stream.close()
            except OSError:
                pass
        self.start()
        return True

    # what is left

    def programs(self):
        """{pid: name} of guests and their supervisors below this process; its own children are the server, and orphans.

        An interpreter that waits for a program of its own is none: the one child of an init that says so.
        """
        found = {}
        for pid in harness.process_tree(os.getpid()):
            if pid in (os.getpid(), self.server.pid):
                continue
            try:
                name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:
                continue
            try:
                ours = os.path.samefile(f"/proc/{pid}/exe", self.binary)
            except OSError:  # not ours to read, as the server's processes are for its own user
                ours = name.startswith(("codecalc", "cc-"))
            if (name == "init" or not ours) and parent_name(pid) != "cc-waiting":
                found[pid] = name
        return found

    def owned_files(self):
        """Names, in places where everybody can write, that belong to a program or bear its mark."""
        found = {str(p) for p in self.tmp.iterdir()}
        for place in PLACES:
            try:
                entries = list(os.scandir(place))
            except OSError:
                continue
            for entry in entries:
                try:
                    uid = entry.stat(follow_symlinks=False).st_uid
                except OSError:
                    continue
                if PROBE in entry.name or uid in GUESTS or (ROOT and uid == USER and entry.path != str(self.dir)):
                    found.add(entry.path)
        for kind in ("shm", "sem", "msg"):
            for line in pathlib.Path("/proc/sysvipc", kind).read_text().splitlines()[1:]:
                fields = line.split()
                if any(f.isdigit() and (int(f) in GUESTS or (ROOT and int(f) == USER)) for f in fields[2:]):
                    found.add(f"sysv:{kind}:{fields[1]}")
        return found

    def mount_table(self):
        return pathlib.Path("/proc/self/mounts").read_text(), pathlib.Path(f"/proc/{self.server.pid}/mounts").read_text()

    def left_behind(self):
        """What a program left, as text; and removes it, so that the next case starts clean."""
        deadline = time.monotonic() + LEAVE_S
        while (programs := self.programs()) and time.monotonic() < deadline + (LAST_S if all(map(is_exiting, programs)) else 0):
            time.sleep(0.01)
        left = [f"process {pid} ({name})" for pid, name in programs.items()]
        for pid in programs:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        files = self.owned_files() - self.before
        while files and time.monotonic() < deadline:
            time.sleep(0.01)
            files = self.owned_files() - self.before
        for path in sorted(files):
            left.append(f"file {path}")
            if path.startswith("sysv:"):
                _, kind, id = path.split(":")
                subprocess.run(["ipcrm", {"shm": "-m", "sem": "-s", "msg": "-q"}[kind], id], check=False)
            elif os.path.isdir(path) and not os.path.islink(path):
                subprocess.run(["chmod", "-R", "u+rwx", path], check=False, stderr=subprocess.DEVNULL)
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)
        if self.server.process.poll() is None and self.mount_table() != self.mounts:
            left.append("a mount")
        self.reap_orphans()
        return left

    def reap_orphans(self):
        for pid in os.listdir("/proc"):
            if not pid.isdigit() or int(pid) == self.server.pid:
                continue
            try:
                fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                if fields[0] == "Z" and int(fields[1]) == os.getpid():
                    os.waitpid(int(pid), os.WNOHANG)
            except (OSError, IndexError):
                pass

    def memory_kb(self):
        text = pathlib.Path(f"/proc/{self.server.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0])


class Answer:
    """A response: its text as it came, the result, and the receipt beside it; or the protocol's error."""

    def __init__(self, message):
        self.error = message.get("error")
        result = message.get("result", {})
        self.receipt = result.get("_meta", {}).get("codecalc/receipt", {})
        self.body = json.loads(result["content"][0]["text"]) if result else {}
        self.text = json.dumps(message, ensure_ascii=False)
