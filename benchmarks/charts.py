"""The report's pictures, by matplotlib, as SVG whose colours are variables of the page (or, in a file of its own, of
the reader's light or dark scheme)."""
import io
import math
import re
import statistics

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

# Placeholders in matplotlib's output: name -> (colour in it, light, dark).
COLOURS = {
    "ink": ("#010101", "#1b1f24", "#e6e9ee"),
    "soft": ("#020202", "#59636e", "#9aa4b2"),
    "grid": ("#030303", "#d8dee4", "#333b46"),
    "EW": ("#040404", "#0b62c4", "#4ea1ff"),
    "ceiling": ("#050505", "#c2340f", "#ff8a65"),
    # Peers: Okabe and Ito's palette, which most colour-blind readers tell apart; shapes differ, too.
    "eager": ("#060606", "#8a8f98", "#8a93a0"),
    "compile": ("#070707", "#c77700", "#f0a63a"),
    "max-autotune": ("#080808", "#a8457f", "#dd86b5"),
    "triton": ("#090909", "#00795a", "#2fc49a"),
    "cub": ("#0a0a0a", "#5b4bb7", "#a99bff"),
    "jax": ("#0b0b0b", "#0b7c94", "#56c7de"),
}
MARKERS = {"eager": "o", "compile": "s", "max-autotune": "D", "triton": "^", "cub": "P", "jax": "v"}
NAMES = {"eager": "PyTorch eager", "compile": "torch.compile", "max-autotune": "torch.compile, max-autotune",
         "triton": "Triton, tuned", "cub": "CUB", "jax": "JAX"}


column = 0  # of COLOURS: placeholders, but for pictures in PNG


def colour(name):
    return COLOURS[name][column]


def use(which):
    """Draws with column `which` of COLOURS from now on."""
    global column
    column = which
    plt.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "ew", "font.family": "sans-serif", "font.size": 10,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": colour("soft"),
        "axes.labelcolor": colour("ink"), "text.color": colour("ink"), "xtick.color": colour("soft"),
        "ytick.color": colour("ink"), "grid.color": colour("grid"), "grid.linewidth": 0.8, "axes.axisbelow": True,
        "legend.frameon": False, "figure.facecolor": "none", "axes.facecolor": "none", "axes.titlesize": 10,
        "axes.titleweight": "bold"})


use(0)


def style_sheet(selector):
    def rule(column):
        return "".join(f"--{name}:{values[column]};" for name, values in COLOURS.items())
    return f"{selector}{{{rule(1)}}}@media(prefers-color-scheme:dark){{{selector}{{{rule(2)}}}}}"


def to_svg(figure, name, title):
    """SVG text for a page. Colours become variables, ids the picture's own."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    text = buffer.getvalue()
    text = text[text.index("<svg"):]
    for variable, (placeholder, light, _) in COLOURS.items():
        text = text.replace(placeholder, f"var(--{variable},{light})")
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", text)
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.S)
    # Only weight and size: which family matplotlib names depends on its version and on the machine.
    text = re.sub(r'font: ([^;"]*?)(\d+(?:\.\d+)?px)[^;"]*', r"font: \1\2 system-ui, sans-serif", text)
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"(<svg[^>]*?)>", lambda head: f'{head[1]} role="img"><title>{escaped}</title>', text, count=1)


def rows_at(rows, size):
    return [row for row in rows if row["size"] == size]


def by_peer(rows, workload, size):
    return {row["peer"]: row for row in rows if row["workload"] == workload and row["size"] == size}


def peers_of(rows):
    return [peer for peer in NAMES if any(row["peer"] == peer for row in rows)]


def legend(figure_or_axes, peers, bar=True, ceiling=True, **where):
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour("EW"), label="EW")] if bar else [
        plt.Line2D([], [], color=colour("EW"), linewidth=2.5, label="EW")]
    if ceiling:
        handles.append(plt.Line2D([], [], color=colour("ceiling"), marker="|", linestyle="", markersize=11,
                                  markeredgewidth=2, label="a copy of the same traffic"))
    handles += [plt.Line2D([], [], color=colour(peer), marker=MARKERS[peer], linestyle="" if bar else "-",
                           markersize=6, label=NAMES[peer]) for peer in peers]
    figure_or_axes.legend(handles=handles, **where)


def bandwidth(rows, size, names):
    """A bar of TB/s for each workload, with the peers and the ceiling on it."""
    names = [name for name in names if "EW" in by_peer(rows, name, size)]
    figure, axes = plt.subplots(figsize=(9, 1.3 + 0.33 * len(names)))
    for y, name in enumerate(names):
        found = by_peer(rows, name, size)
        reached = found["EW"]["tb_per_s"]
        # Pale, so that marks show on it, with a strong end.
        axes.barh(y, reached, height=0.66, color=colour("EW"), alpha=0.3)
        axes.plot([reached, reached], [y - 0.33, y + 0.33], color=colour("EW"), linewidth=3.5, solid_capstyle="butt")
        for peer in peers_of(rows):
            if peer in found:
                axes.plot(found[peer]["tb_per_s"], y, MARKERS[peer], color=colour(peer), markersize=6,
                          markeredgecolor=colour("ink"), markeredgewidth=0.5)
        if "ceiling_tb_per_s" in found["EW"]:
            axes.plot(found["EW"]["ceiling_tb_per_s"], y, "|", color=colour("ceiling"), markersize=16,
                      markeredgewidth=2.2)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("TB/s of operands, each counted once")
    legend(axes, peers_of(rows), loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=4, fontsize=9)
    return figure


def roofline(rows, size, machine):
    """TB/s over instructions a byte: below the memory's roof and the issue's. Without instructions, time over
    bytes."""
    rows = [row for row in rows_at(rows, size) if row["peer"] == "EW"]
    figure, axes = plt.subplots(figsize=(9, 4.6))
    with_mix = [row for row in rows if row.get("instructions")]
    roof = max([row.get("ceiling_tb_per_s", 0) for row in rows] + [0])
    if with_mix and machine.get("clock_mhz"):
        points = [(row["instructions"] / row["bytes"], row["tb_per_s"], row["workload"]) for row in with_mix]
        issue = 128 * machine["multiprocessors"] * machine["clock_mhz"] * 1e6 * 1e-12
        low, high = min(p[0] for p in points) / 1.6, max(max(p[0] for p in points) * 1.8, issue / roof * 2
                                                         if roof else 0)
        xs = [low * (high / low) ** (k / 200) for k in range(201)]
        axes.plot(xs, [min(roof or math.inf, issue / x) for x in xs], color=colour("ceiling"), linewidth=2)
        axes.set_xlabel("instructions for each byte (estimated from PTX)")
        axes.set_ylabel("TB/s")
        top = roof or max(p[1] for p in points)
        axes.annotate("what a copy reaches", (low, top * 1.12), color=colour("ceiling"), fontsize=9)
        axes.set_ylim(0, top * 1.22)
    else:
        points = [(row["bytes"], row["median_us"], row["workload"]) for row in rows]
        if roof:
            xs = [min(p[0] for p in points) * 0.8, max(p[0] for p in points) * 1.2]
            axes.plot(xs, [x / roof * 1e-6 for x in xs], color=colour("ceiling"), linewidth=2)
        axes.set_yscale("log")
        axes.set_xlabel("bytes moved")
        axes.set_ylabel("microseconds")
    axes.set_xscale("log")
    axes.plot([p[0] for p in points], [p[1] for p in points], "o", color=colour("EW"), markersize=7)
    label(axes, points)
    axes.grid(True, which="major")
    return figure


def label(axes, points):
    """A number at each point, above and below in turn, and beside the picture what has it: the points lie close, and
    names would cover them."""
    lines = []
    for number, (x, y, name) in enumerate(sorted(points), 1):
        lines.append(f"{number}  {name}")
        axes.annotate(str(number), (x, y), xytext=(0, 6 if number % 2 else -13), textcoords="offset points",
                      ha="center", fontsize=7, color=colour("soft"))
    axes.text(1.02, 1, "\n".join(lines), transform=axes.transAxes, va="top", fontsize=7.5, linespacing=1.35,
              color=colour("soft"))


def sweeps(rows, names):
    """TB/s over the size, a small picture for each workload."""
    sizes = sorted({row["size"] for row in rows})
    columns = 4
    lines = math.ceil(len(names) / columns)
    figure, all_axes = plt.subplots(lines, columns, figsize=(10.5, 1.9 * lines + 0.5), sharex=True, squeeze=False)
    for axes, name in zip(all_axes.flat, names):
        for peer in [*peers_of(rows), "EW"]:
            points = [(size, by_peer(rows, name, size)[peer]["tb_per_s"]) for size in sizes
                      if peer in by_peer(rows, name, size)]
            if points:
                axes.plot(*zip(*points), color=colour(peer), linewidth=2.2 if peer == "EW" else 1.1,
                          marker=MARKERS.get(peer, "o"), markersize=4 if peer == "EW" else 3.2)
        axes.set_title(name, loc="left", fontsize=8.5)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y")
        axes.xaxis.set_major_locator(FixedLocator(sizes))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"2^{round(x)}"))
        axes.tick_params(labelsize=7.5)
    for axes in list(all_axes.flat)[len(names):]:
        axes.axis("off")
    figure.supylabel("TB/s", fontsize=9)
    legend(figure, peers_of(rows), bar=False, ceiling=False, loc="upper center", ncols=4, fontsize=9,
           bbox_to_anchor=(0.5, 1.0 + 0.35 / lines))
    figure.tight_layout()
    return figure


def ranges(entries, unit, log=True):
    """A bar from the least to the largest and a point at the median, for each (name, colour, values)."""
    figure, axes = plt.subplots(figsize=(9, 0.9 + 0.42 * len(entries)))
    for y, (name, paint, values) in enumerate(entries):
        axes.plot([min(values), max(values)], [y, y], color=colour(paint), linewidth=6, alpha=0.35,
                  solid_capstyle="round")
        middle = statistics.median(values)
        axes.plot(middle, y, "o", color=colour(paint), markersize=8)
        axes.annotate(f"{middle:.3g}", (middle, y), xytext=(0, 8), textcoords="offset points", ha="center",
                      fontsize=8.5)
    axes.set_yticks(range(len(entries)), [entry[0] for entry in entries])
    axes.set_ylim(len(entries) - 0.4, -0.7)
    if log:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(unit)
    return figure
