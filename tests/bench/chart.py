"""Draws measured times as a chart: groups of bars, shorter is better, one scale a group."""

from html import escape

WIDTH, LEFT, BAR, GAP = 760, 210, 18, 6
OURS, OTHER = "#2563eb", "#9ca3af"
STYLE = "text{font:13px system-ui,sans-serif;fill:#374151}.t{font-weight:600}@media (prefers-color-scheme:dark){text{fill:#d1d5db}}"


def draw(bars):
    """bars: (group, who, milliseconds) in order; who begins with 'codecalc' for our own."""
    groups = {}
    for group, who, ms in bars:
        groups.setdefault(group, []).append((who, ms))
    parts, y = [], 10
    for group, rows in groups.items():
        y += 16
        parts.append(f'<text class="t" x="8" y="{y}">{escape(group)}</text>')
        y += 8
        scale = (WIDTH - LEFT - 90) / max(ms for _, ms in rows)
        for who, ms in rows:
            width = max(ms * scale, 1)
            parts.append(f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(who)}</text>')
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}" rx="3" fill="{OURS if who.startswith("codecalc") else OTHER}"/>')
            parts.append(f'<text x="{LEFT + width + 6:.1f}" y="{y + 14}">{ms:.3g} ms</text>')
            y += BAR + GAP
        y += 10
    title = "; ".join(groups)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img" aria-label="{escape(title)}">'
            f"<style>{STYLE}</style>{''.join(parts)}</svg>\n")
