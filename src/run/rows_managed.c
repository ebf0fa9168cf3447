// Rows of the table of languages: compiled for a virtual machine. Read through languages.c.
#include "run/rows.h"

#define JVM_OUT_OF_MEMORY "java.lang.OutOfMemoryError"
// Fewer threads and less reserved than on a server.
#define SMALL_JVM      "-XX:+UseSerialGC", "-Xshare:auto"
#define JAVA_READS     "/etc/java-*-openjdk", "/etc/ssl/certs/java"
#define JAVA_RUN_FLAGS SMALL_JVM, "-Xmx{mb}m", "-XX:-UsePerfData"

static const cc_warm java_warm = {
    .name = "java",
    .fill = WORDS("{0}", "-J-XX:ArchiveClassesAtExit={warm}/javac.jsa", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-d", "{tmp}",
                  "{file}"),
};

const cc_language cc_row_java = {
    .name = "java",
    .extension = "java",
    .file = "Main.java",
    .file_rule = CC_FILE_JAVA,
    .sources = WORDS("java"),
    .variants = {{
        .tools = {"javac", "java"},
        .compile = WORDS("{0}", "-J-XX:SharedArchiveFile={warm}/javac.jsa", "-J-Xshare:auto", "-J-XX:+UseSerialGC",
                         "-J-XX:TieredStopAtLevel=1", "-encoding", "UTF-8", "-g", "-d", ".", "{files}"),
        .run = WORDS("{1}", JAVA_RUN_FLAGS, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8", "-cp", ".",
                     "{main}"),
        .reads = WORDS(JAVA_READS),
        .version = WORDS("{0}", "-version"),
        .warm = &java_warm,
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "java",
    .out_of_memory = WORDS(JVM_OUT_OF_MEMORY),
    .hello = "import java.util.Scanner;\n\npublic class Main {\n    public static void main(String[] args) {\n        "
             "System.out.println(\"hello "
             "\" + new Scanner(System.in).nextLine());\n    }\n}\n",
    .notes = "the JDK only",
    .install = "apt install default-jdk-headless",
};

static const cc_warm kotlin_warm = {
    .name = "kotlin",
    .fill = WORDS("/bin/sh", "-c",
                  "JAVA_OPTS=\"-XX:ArchiveClassesAtExit={warm}/kotlinc.jsa -XX:+UseSerialGC -XX:TieredStopAtLevel=1\" exec \"$0\" \"$@\"",
                  "{0}", "-d", "{tmp}/out", "{file}"),
};

const cc_language cc_row_kotlin = {
    .name = "kotlin",
    .aliases = WORDS("kt"),
    .extension = "kt",
    .file = "main.kt",
    .file_rule = CC_FILE_KOTLIN,
    .sources = WORDS("kt"),
    .variants = {{
        .tools = {"kotlinc", "java"},
        .needs = "lib/kotlin-stdlib.jar",
        .compile = WORDS("{0}", "-d", ".", "{files}"),
        .run = WORDS("{1}", JAVA_RUN_FLAGS, "-cp", ".:{home0}/lib/kotlin-stdlib.jar", "{main}"),
        .env = WORDS("JAVA_OPTS="
                     "-XX:SharedArchiveFile={warm}/kotlinc.jsa -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx768m"),
        .reads = WORDS(JAVA_READS),
        .version = WORDS("{0}", "-version"),
        .warm = &kotlin_warm,
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "kotlin",
    .out_of_memory = WORDS(JVM_OUT_OF_MEMORY),
    .hello = "fun main() {\n    println(\"hello \" + readln())\n}\n",
    .notes = "kotlin-stdlib and the JDK",
    .install = "scripts/runtimes.sh, or a kotlinc from kotlinlang.org and a JDK",
};

const cc_language cc_row_csharp = {
    .name = "csharp",
    .aliases = WORDS("c#", "cs"),
    .extension = "cs",
    .file = "main.cs",
    .sources = WORDS("cs"),
    .variants = {{
        .tools = {"mcs", "mono"},
        // A method that is inlined has no line of its own in a stack trace.
        .compile = WORDS("{0}", "-debug", "-r:System.Numerics.dll", "-out:main.exe", "{files}"),
        .run = WORDS("{1}", "--debug", "-O=-inline", "main.exe"),
        .env = WORDS("MONO_GC_PARAMS=max-heap-size={mb}m"),
        .reads = WORDS("/etc/mono"),
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "csharp",
    .out_of_memory = WORDS("System.OutOfMemoryException"),
    .hello = "using System;\n\nclass Program {\n    static void Main() {\n        Console.WriteLine(\"hello \" + Console.ReadLine());\n    "
             "}\n}\n",
    .notes = "C# 7: no records, no top-level statements",
    .install = "apt install mono-mcs mono-runtime",
};

// The BEAM: small schedulers do not spin, and there are no more of them than a run may use.
#define BEAM_FLAGS         "+sbwt none +sbwtdcpu none +sbwtdio none +SDio 1"
#define BEAM_OUT_OF_MEMORY "Cannot allocate", "^eheap_alloc:", "^binary_alloc:"

extern const char cc_harness_erlang[], cc_harness_erlang_end[];
static const cc_helper erlang_driver = {"erlang.escript", cc_harness_erlang, cc_harness_erlang_end};

const cc_language cc_row_erlang = {
    .name = "erlang",
    .aliases = WORDS("erl"),
    .extension = "erl",
    .file = "main.erl",
    .variants = {{
        .tools = {"escript"},
        .run = WORDS("{0}", "{lib}/erlang.escript", "{file}"),
        .env = WORDS("ERL_FLAGS=" BEAM_FLAGS),
        .version = WORDS("/bin/sh", "-c",
                         "echo 'main(_) -> io:put_chars(erlang:system_info(otp_release)).' | sed '1i\\\\' >{tmp}/v; \"$0\" {tmp}/v", "{0}"),
        .driver = &erlang_driver,
        .driver_file = true,
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "erlang",
    .out_of_memory = WORDS(BEAM_OUT_OF_MEMORY),
    .hello = "main(_) -> io:format(\"hello ~s\", [io:get_line(\"\")]).\n",
    .install = "apt install erlang-base",
};

const cc_language cc_row_elixir = {
    .name = "elixir",
    .aliases = WORDS("exs"),
    .extension = "exs",
    .file = "main.exs",
    .variants = {{
        .tools = {"elixir", "erl"},
        .run = WORDS("{0}", "{file}"),
        .env = WORDS("ERL_FLAGS=" BEAM_FLAGS),
        .version = WORDS("{0}", "--short-version"),
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "elixir",
    .out_of_memory = WORDS(BEAM_OUT_OF_MEMORY),
    .hello = "IO.puts(\"hello \" <> IO.read(:stdio, :line))\n",
    .install = "apt install elixir",
};
