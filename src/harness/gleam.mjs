// Compiles Gleam with the compiler's WebAssembly build, for the JavaScript target: node gleam.mjs COMPILER SOURCE OUT. All .gleam files of
// the working directory are modules, .mjs and .js files are there for their externals. OUT/run.mjs starts the program. The standard
// library is a package that this compiler does not bring; gleam/io, without which nothing can be said, is provided here.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [compiler, source, out] = process.argv.slice(2);
// Its package does not say that it is a module, and older versions of node do not look: as a file of this name it is one.
const module = fileURLToPath(new URL("gleam_wasm.mjs", import.meta.url));
fs.copyFileSync(path.join(compiler, "gleam_wasm.js"), module);
const { default: load, compile } = await import(pathToFileURL(module));
await load(fs.readFileSync(path.join(compiler, "gleam_wasm_bg.wasm")));

const io = `
@external(javascript, "./io_ffi.mjs", "print")
pub fn print(text: String) -> Nil
@external(javascript, "./io_ffi.mjs", "println")
pub fn println(text: String) -> Nil
@external(javascript, "./io_ffi.mjs", "print_error")
pub fn print_error(text: String) -> Nil
@external(javascript, "./io_ffi.mjs", "println_error")
pub fn println_error(text: String) -> Nil
@external(javascript, "./io_ffi.mjs", "debug")
pub fn debug(term: anything) -> anything
`;
const ioFfi = `
import fs from "node:fs";
import { inspect } from "../gleam.mjs";
const pause = new Int32Array(new SharedArrayBuffer(4));
const write = (fd, text) => {
  for (let b = Buffer.from(text); b.length; ) {
    try { b = b.subarray(fs.writeSync(fd, b)); }
    catch (e) { if (e.code !== "EAGAIN") throw e; Atomics.wait(pause, 0, 0, 2); } // a full pipe that does not block
  }
};
export const print = (text) => write(1, text);
export const println = (text) => write(1, text + "\\n");
export const print_error = (text) => write(2, text);
export const println_error = (text) => write(2, text + "\\n");
export const debug = (term) => { write(2, inspect(term) + "\\n"); return term; };
`;
const run = (name) => `
import * as program from "./${name}.mjs";
if (typeof program.main !== "function") {
  console.error("error: ${name}.gleam has no pub fn main");
  process.exit(1);
}
try {
  await program.main();
} catch (error) {
  if (!error?.gleam_error) throw error;
  console.error("error: " + error.message + "\\n  at " + error.module + "." + error.fn + " (" + error.module + ".gleam:" + error.line + ")");
  process.exit(1);
}
`;

const sources = { "/src/gleam/io.gleam": io };
const others = [];
const collect = (dir) => {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith(".")) collect(file);
    else if (file.endsWith(".gleam")) sources["/src/" + file.replace(/^src\//, "")] = fs.readFileSync(file, "utf8");
    else if (/\.m?js$/.test(file)) others.push(file);
  }
};
collect(".");

const { Ok: modules, Err: problem } = compile({ target: "javascript", sourceFiles: sources, dependencies: [], mode: "Prod" });
if (!modules) {
  console.error(problem.replaceAll("/src/", "").trimEnd());
  process.exit(1);
}
const put = (file, text) => {
  const place = path.join(out, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
};
for (const [name, text] of modules) put(name.replace(/^.*\/gleam-wasm\//, ""), text);
put("gleam/io_ffi.mjs", ioFfi);
for (const file of others) put(file.replace(/^src\//, ""), fs.readFileSync(file));
put("run.mjs", run(path.basename(source, ".gleam")));
