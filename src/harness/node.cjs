// The driver of Node.js, which loads it before the program by a NODE_OPTIONS that is gone when the program begins. Node.js itself then runs
// the program. What nothing caught is told as one JSON object in a line on the control descriptor: the highest number below the limit, which
// is opened anew here, because only that closes it to further programs. The file stays: a worker thread loads it again, and it does nothing
// there. A Node.js that is started before there is a program stops here, and is continued when the program's files and limits are there.
"use strict";

// Runs in a context of its own, where nothing is as the program has changed it.
const REPORT = `(error, readable, getter, base, isProxy) => {
  const own = (name) => {
    if (name.startsWith("file://")) name = decodeURIComponent(name.slice(7));
    return name.startsWith(base) && !name.includes("\\n") ? name.slice(base.length) : null;
  };
  const property = (of, name) => { // never code of the program's
    for (; of !== null && of !== undefined && !isProxy(of); of = Object.getPrototypeOf(of)) {
      const found = Object.getOwnPropertyDescriptor(of, name);
      if (found) return found.get === getter && name === "stack" ? of.stack : found.value;
    }
  };
  const cut = (text) => text.slice(0, 2000).toWellFormed?.() ?? text.slice(0, 2000);
  const object = typeof error === "object" && error !== null || typeof error === "function";
  const named = (of) => { // the nearest class of it that has a name: those of Node.js itself hide theirs behind a getter
    for (; of !== null && !isProxy(of); of = Object.getPrototypeOf(of)) {
      const name = property(Object.getOwnPropertyDescriptor(of, "constructor")?.value, "name");
      if (typeof name === "string" && name) return cut(name);
    }
    return "Object";
  };
  const message = object ? property(error, "message") : typeof error === "symbol" ? error.description : String(error);
  const said = { event: "exception", type: object ? named(error) : error === null ? "null" : typeof error };
  if (typeof message === "string") said.message = cut(message);
  // The text is made when it is first read, of the name and the message.
  const plain = readable && typeof message === "string" && typeof property(error, "name") === "string";
  const stack = plain ? property(error, "stack") : "";
  const lines = (typeof stack === "string" ? stack : "").split("\\n"), frames = [];
  for (let at = lines.length - 1; at > 0; at--) {
    const found = /^    at (?:(.*) \\()?(?:async )?((?:file:\\/)?\\/.*?):(\\d+)(?::\\d+)?\\)?$/.exec(lines[at]);
    const file = found && own(found[2]);
    if (!/^    at /.test(lines[at])) break;
    if (!file) continue;
    const name = (found[1] ?? "").replace(/^async /, "");
    frames.push({ file, line: +found[3], ...(/^(Object\\.)?<anonymous>$/.test(name) || !name ? {} : { function: cut(name) }) });
  }
  const place = /^((?:file:\\/)?\\/.*):(\\d+)$/.exec(lines[0]); // of a syntax error
  if (place && own(place[1])) frames.push({ file: own(place[1]), line: +place[2] });
  said.frames = frames.slice(-16);
  return JSON.stringify(said) + "\\n";
}`;

const listen = () => {
  const fs = require("fs"), { isProxy, isNativeError } = require("util").types, builtin = process.getBuiltinModule ?? require;
  const { openSync, closeSync, fstatSync, writeSync, constants } = fs;
  const base = process.cwd() + "/", prepare = Error.prepareStackTrace, { get: getter } = Object.getOwnPropertyDescriptor(new Error(), "stack");
  const number = /^Max open files +(\d+)/m.exec(fs.readFileSync("/proc/self/limits", "latin1"))[1] - 1;
  let control, pipe;
  try {
    control = openSync("/proc/self/fd/" + number, constants.O_WRONLY);
    closeSync(number);
    pipe = fstatSync(control);
  } catch {
    return; // nobody listens
  }
  process.on("uncaughtExceptionMonitor", (error) => {
    try {
      if (process.listenerCount("uncaughtException") || process.hasUncaughtExceptionCaptureCallback()) return; // the program lives through it
      const now = fstatSync(control);
      if (now.dev !== pipe.dev || now.ino !== pipe.ino) return;
      const readable = isNativeError(error) && Error.prepareStackTrace === prepare; // else by a function of the program's
      writeSync(control, builtin("vm").runInNewContext(REPORT)(error, readable, getter, base, isProxy));
    } catch {
      // the program has changed what this stands on
    }
  });
};

delete require.cache[__filename];
for (const key of Object.keys(module.constructor._pathCache))
  if (module.constructor._pathCache[key] === __filename) delete module.constructor._pathCache[key];
if (process.env.NODE_OPTIONS === "--require=" + __filename) {
  delete process.env.NODE_OPTIONS;
  listen();
  if (!require("fs").existsSync(process.argv[1])) {
    require("net"); // what writing to a pipe would load, the longest part of a short program
    process.kill(process.pid, "SIGSTOP");
  }
}
