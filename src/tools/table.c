// The table of tools: adding a tool is adding its file and one line here. The order is the order of tools/list.
#include "codecalc/tools.h"

const cc_tool *const cc_tools[] = {
    NULL,
};
