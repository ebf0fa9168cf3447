// The table of tools: adding a tool is adding its file and one line here. The order is the order of tools/list.
#include "codecalc/tools.h"

extern const cc_tool cc_tool_list_languages, cc_tool_execute_code, cc_tool_execute_code_stream;
extern const cc_tool cc_tool_list_execution_providers, cc_tool_runtime_probe, cc_tool_compare_execution, cc_tool_run_submit,
    cc_tool_run_inspect, cc_tool_run_cancel;
extern const cc_tool cc_tool_calc_exact, cc_tool_compare_threshold;
extern const cc_tool cc_tool_percentage, cc_tool_percent_change, cc_tool_calc_stats, cc_tool_percentiles, cc_tool_collision_probability;
extern const cc_tool cc_tool_data_sizes, cc_tool_human_duration, cc_tool_epoch_time, cc_tool_bits, cc_tool_radix_convert,
    cc_tool_float_repr;
extern const cc_tool cc_tool_convert_units, cc_tool_list_units, cc_tool_physical_constants;
extern const cc_tool cc_tool_matrix, cc_tool_evaluate_expression, cc_tool_symbolic;
extern const cc_tool cc_tool_algebraic_equiv;

const cc_tool *const cc_tools[] = {
    &cc_tool_list_languages,      &cc_tool_list_execution_providers,
    &cc_tool_runtime_probe,       &cc_tool_execute_code,
    &cc_tool_execute_code_stream, &cc_tool_compare_execution,
    &cc_tool_run_submit,          &cc_tool_run_inspect,
    &cc_tool_run_cancel,          &cc_tool_calc_exact,
    &cc_tool_compare_threshold,   &cc_tool_percentage,
    &cc_tool_percent_change,      &cc_tool_calc_stats,
    &cc_tool_percentiles,         &cc_tool_collision_probability,
    &cc_tool_data_sizes,          &cc_tool_human_duration,
    &cc_tool_epoch_time,          &cc_tool_bits,
    &cc_tool_radix_convert,       &cc_tool_float_repr,
    &cc_tool_convert_units,       &cc_tool_list_units,
    &cc_tool_physical_constants,  &cc_tool_matrix,
    &cc_tool_evaluate_expression, &cc_tool_symbolic,
    &cc_tool_algebraic_equiv,     NULL,
};
