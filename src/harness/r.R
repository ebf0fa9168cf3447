# Runs the R program that R_MAIN_FILE names as Rscript would, statement by statement, and says where an error happened, which R by itself does
# not: only parse() knows the lines. It tells the same as one JSON object in a line, in the file "told" beside this one. An R that is started
# before there is a program stops here, and is continued when the program's files and limits are there.
local({
  file <- Sys.getenv("R_MAIN_FILE")
  Sys.unsetenv("R_MAIN_FILE")
  here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
  if (!file.exists(file)) system("kill -STOP $PPID")
  options(warn = 1)
  quoted <- function(text) {
    codes <- utf8ToInt(substr(enc2utf8(text), 1L, 2000L))
    if (anyNA(codes)) return("\"\"")
    units <- unlist(lapply(codes, function(n) if (n > 65535L) c(55232L + n %/% 1024L, 56320L + n %% 1024L) else n))
    plain <- units >= 32L & units < 127L & units != 34L & units != 92L
    paste0("\"", paste(ifelse(plain, intToUtf8(units, multiple = TRUE, allow_surrogate_pairs = FALSE), sprintf("\\u%04x", units)), collapse = ""), "\"")
  }
  end <- function(type, message, frames, ...) {
    line <- sprintf("{\"event\":\"exception\",\"type\":%s,\"message\":%s,\"frames\":[%s]}", quoted(type), quoted(message), paste(frames, collapse = ","))
    try(writeLines(line, file.path(here, "told")), silent = TRUE)
    cat(..., "\n", sep = "", file = stderr())
    quit(save = "no", status = 1)
  }
  own <- function(ref) !is.null(ref) && identical(attr(ref, "srcfile")$filename, file)
  frame <- function(line, call) {
    name <- if (is.null(call) || !is.name(call[[1]])) "" else as.character(call[[1]])
    sprintf("{\"file\":%s,\"line\":%d,\"function\":%s}", quoted(file), line, quoted(name))
  }
  statements <- tryCatch(parse(file, keep.source = TRUE, encoding = "UTF-8"), error = function(e) {
    said <- regmatches(conditionMessage(e), regexec("^[^:\n]*:([0-9]+):[0-9]+: ([^\n]*)", conditionMessage(e)))[[1]]
    end("parseError", if (length(said)) said[3] else conditionMessage(e), if (length(said)) frame(as.integer(said[2]), NULL),
        "Error: ", conditionMessage(e))
  })
  refs <- attr(statements, "srcref")
  failed <- function(e) {
    calls <- sys.calls()
    parents <- sys.parents()
    inner <- lapply(calls, attr, "srcref")
    call <- conditionCall(e)
    if (is.null(call) || identical(call[[1]], quote(eval))) call <- NULL
    ours <- which(vapply(inner, own, NA))
    at <- if (length(ours)) inner[[max(ours)]] else refs[[i]]
    frames <- vapply(ours, function(k) frame(inner[[k]][[1]], if (parents[k] > 0L) calls[[parents[k]]]), "")
    end(class(e)[1], conditionMessage(e), tail(c(frame(refs[[i]][[1]], NULL), frames), 16L),
        "Error", if (!is.null(call)) paste0(" in ", paste(deparse(call, nlines = 1L))), if (is.null(call)) ": " else " : ",
        conditionMessage(e), "\n  at ", file, ":", at[[1]], ":", at[[5]])
  }
  for (i in seq_along(statements)) withCallingHandlers({
    result <- withVisible(eval(statements[[i]], globalenv()))
    if (result$visible) print(result$value)
  }, error = failed, warning = function(w) {
    if (!identical(conditionCall(w), quote(eval(statements[[i]], globalenv())))) return()
    w$call <- NULL # it is none of the program's
    warning(w)
    invokeRestart("muffleWarning")
  })
})
