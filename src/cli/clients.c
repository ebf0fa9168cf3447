// The table of AI clients: adding one is adding a row. Called by setup, doctor and completion. Owns nothing.
#include <stdlib.h>
#include <unistd.h>

#include "cli/clients.h"

#define HOME(rest)                                                                                                                         \
    { NULL, "~", rest }
#define CONFIG(rest)                                                                                                                       \
    { "XDG_CONFIG_HOME", "~/.config", rest }

const cc_client cc_clients[] = {
    {.name = "claude-desktop",
     .title = "Claude Desktop",
     .detect = CONFIG("/Claude"),
     .file = CONFIG("/Claude/claude_desktop_config.json"),
     .format = CC_CLIENT_JSON,
     .key = "mcpServers",
     .after = "quit Claude Desktop and start it again"},
    // The user's file lies beside the folder ~/.claude, but inside the folder when CLAUDE_CONFIG_DIR names one.
    {.name = "claude-code",
     .title = "Claude Code",
     .detect = {"CLAUDE_CONFIG_DIR", "~/.claude", ""},
     .file = {"CLAUDE_CONFIG_DIR", "~", "/.claude.json"},
     .project_file = ".mcp.json",
     .format = CC_CLIENT_JSON,
     .key = "mcpServers",
     .typed = true,
     .skills = {"CLAUDE_CONFIG_DIR", "~/.claude", "/skills"},
     .project_skills = ".claude/skills",
     .after = "start a new session; /mcp shows the server"},
    {.name = "cursor",
     .title = "Cursor",
     .detect = HOME("/.cursor"),
     .file = HOME("/.cursor/mcp.json"),
     .project_file = ".cursor/mcp.json",
     .format = CC_CLIENT_JSON,
     .key = "mcpServers",
     .skills = HOME("/.cursor/skills"),
     .project_skills = ".cursor/skills",
     .after = "switch the server on in Cursor Settings > MCP"},
    {.name = "vscode",
     .title = "VS Code",
     .detect = CONFIG("/Code/User"),
     .file = CONFIG("/Code/User/mcp.json"),
     .project_file = ".vscode/mcp.json",
     .format = CC_CLIENT_JSONC,
     .key = "servers",
     .typed = true,
     .skills = HOME("/.copilot/skills"),
     .project_skills = ".github/skills",
     .after = "run \"MCP: List Servers\" and start it"},
    {.name = "zed",
     .title = "Zed",
     .detect = CONFIG("/zed"),
     .file = CONFIG("/zed/settings.json"),
     .format = CC_CLIENT_JSONC,
     .key = "context_servers",
     .env = true,
     .after = "Zed reads the change at once"},
    {.name = "windsurf",
     .title = "Windsurf",
     .detect = HOME("/.codeium/windsurf"),
     .file = HOME("/.codeium/windsurf/mcp_config.json"),
     .format = CC_CLIENT_JSON,
     .key = "mcpServers",
     .skills = HOME("/.codeium/windsurf/skills"),
     .project_skills = ".windsurf/skills",
     .after = "press Refresh in the MCP panel"},
    {.name = "codex",
     .title = "Codex CLI",
     .detect = {"CODEX_HOME", "~/.codex", ""},
     .file = {"CODEX_HOME", "~/.codex", "/config.toml"},
     .project_file = ".codex/config.toml",
     .format = CC_CLIENT_TOML,
     .key = "mcp_servers",
     .skills = HOME("/.agents/skills"),
     .project_skills = ".agents/skills",
     .after = "start a new session"},
    {.name = "gemini",
     .title = "Gemini CLI",
     .detect = HOME("/.gemini"),
     .file = HOME("/.gemini/settings.json"),
     .project_file = ".gemini/settings.json",
     .format = CC_CLIENT_JSONC,
     .key = "mcpServers",
     .skills = HOME("/.gemini/skills"),
     .project_skills = ".gemini/skills",
     .after = "start a new session"},
    {.name = "cline",
     .title = "Cline",
     .detect = HOME("/.cline"),
     .file = HOME("/.cline/data/settings/cline_mcp_settings.json"),
     .other_file = CONFIG("/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
     .format = CC_CLIENT_JSON,
     .key = "mcpServers",
     .after = "Cline reads the change at once"},
    {.name = "lmstudio",
     .title = "LM Studio",
     .detect = HOME("/.lmstudio"),
     .file = HOME("/.lmstudio/mcp.json"),
     .format = CC_CLIENT_JSON,
     .key = "mcpServers",
     .after = "LM Studio reads the change at once"},
    {0},
};

const cc_client *cc_client_find(cc_str name) {
    for (const cc_client *c = cc_clients; c->name; c++)
        if (cc_str_eqz(name, c->name)) return c;
    return NULL;
}

const char *cc_client_names(cc_arena *a) {
    CC_CLEANUP_BUF cc_buf names = {0};
    for (const cc_client *c = cc_clients; c->name; c++) cc_buf_printf(&names, "%s%s", names.n ? ", " : "", c->name);
    return cc_arena_dup(a, cc_buf_str(&names)).p;
}

const char *cc_client_path_of(cc_arena *a, const cc_client_path *path) {
    const char *home = cc_settings_get()->home, *value = path->variable ? getenv(path->variable) : NULL;
    if (!path->base) return NULL;
    if (value && value[0] == '/') return cc_arena_printf(a, "%s%s", value, path->rest).p;
    return home[0] == '/' ? cc_arena_printf(a, "%s%s%s", home, path->base + 1, path->rest).p : NULL;
}

bool cc_client_installed(const cc_client *client) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_client_path *const signs[] = {&client->detect, &client->file, &client->other_file};
    for (size_t i = 0; i < CC_ARRAY_LEN(signs); i++) {
        const char *path = cc_client_path_of(&a, signs[i]);
        if (path && access(path, F_OK) == 0) return true;
    }
    return false;
}
