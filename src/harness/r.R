# Runs the R program that R_MAIN_FILE names as Rscript would, statement by statement, and says where an error happened, which R by itself does
# not: only parse() knows the lines.
local({
  file <- Sys.getenv("R_MAIN_FILE")
  Sys.unsetenv("R_MAIN_FILE")
  options(warn = 1)
  end <- function(...) {
    cat(..., "\n", sep = "", file = stderr())
    quit(save = "no", status = 1)
  }
  place <- function(refs) {
    for (ref in rev(refs))
      if (!is.null(ref) && identical(attr(ref, "srcfile")$filename, file)) return(paste0("\n  at ", file, ":", ref[[1]], ":", ref[[5]]))
    ""
  }
  statements <- tryCatch(parse(file, keep.source = TRUE, encoding = "UTF-8"), error = function(e) end("Error: ", conditionMessage(e)))
  refs <- attr(statements, "srcref")
  failed <- function(e) {
    inner <- lapply(sys.calls(), attr, "srcref")
    call <- conditionCall(e)
    if (is.null(call) || identical(call[[1]], quote(eval))) call <- NULL
    end("Error", if (!is.null(call)) paste0(" in ", paste(deparse(call, nlines = 1L))), if (is.null(call)) ": " else " : ",
        conditionMessage(e), place(c(refs[i], inner)))
  }
  for (i in seq_along(statements)) withCallingHandlers({
    result <- withVisible(eval(statements[[i]], globalenv()))
    if (result$visible) print(result$value)
  }, error = failed)
})
