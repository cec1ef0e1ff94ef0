# The tool-info module of heddle for BenchExec: copy it into benchexec/tools, or name it as
# `--tool-directory` and `<benchmark tool="heddle">` say. Python 3.8 or later.
#
# SPDX-License-Identifier: Apache-2.0

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

ANSWERS = {
    "TRUE": result.RESULT_TRUE_PROP,
    "FALSE(unreach-call)": result.RESULT_FALSE_PROP + "(unreach-call)",
    "FALSE(no-data-race)": result.RESULT_FALSE_PROP + "(no-data-race)",
    "UNKNOWN": result.RESULT_UNKNOWN,
}

# Of the time that BenchExec gives: what is left is for writing the answer.
SHARE = 0.93


class Tool(benchexec.tools.template.BaseTool2):
    """heddle finds races and failing assertions of multi-threaded C programs, or proves that there are none."""

    REQUIRED_PATHS = ["bin", "lib", "share"]

    def name(self):
        return "heddle"

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "svcomp"]
        if task.property_file:
            words += ["--property", task.property_file]
        if "--data-model" not in options:
            model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
            words += ["--data-model", model or "ILP32"]
        limit = rlimits.walltime or rlimits.cputime
        if rlimits.cputime:
            limit = min(limit, rlimits.cputime)
        if limit and "--timeout" not in options:
            words += ["--timeout", str(max(1, int(limit * SHARE)))]
        return words + list(options) + [task.single_input_file]

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            answer = ANSWERS.get(line.strip())
            if answer == result.RESULT_UNKNOWN and run.exit_code.value not in (None, 0, 2):
                return result.RESULT_ERROR
            if answer:
                return answer
        return result.RESULT_ERROR
