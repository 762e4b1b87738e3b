#!/usr/bin/env python3
"""Makes one self-contained HTML page of what suite.py measured.

  report.py results.json -o report.html [--images=docs/images]

The page needs nothing from elsewhere, suits light and dark schemes, and has a table of every figure. With
`--images`, its first pictures are also written there, as SVG and PNG, for README. Needs matplotlib (Debian's
python3-matplotlib, or `pip install matplotlib`).
"""
import argparse
import html
import json
import pathlib
import statistics
import sys

try:
    import charts
except ImportError as missing:
    charts, why_no_charts = None, missing

STYLE = """
:root{--page:#fff;--card:#f6f8fa}@media(prefers-color-scheme:dark){:root{--page:#0f1318;--card:#171d25}}
*{box-sizing:border-box}html{color-scheme:light dark}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:1060px;margin:0 auto;padding:32px 20px 64px}h1{font-size:30px;line-height:1.2;margin:0 0 4px}
h2{font-size:21px;margin:44px 0 6px}p{margin:6px 0;max-width:76ch}.soft,figcaption{color:var(--soft)}
figure{margin:14px 0 0;overflow-x:auto}figure svg{max-width:100%;height:auto;display:block}
figcaption{font-size:14px;margin-top:6px;max-width:92ch}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:12px;margin:22px 0}
.card{background:var(--card);border-radius:10px;padding:14px 16px}.card b{display:block;font-size:27px;line-height:1.2}
.card span{color:var(--soft);font-size:14px}.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;width:100%}
th,td{padding:4px 9px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
th{position:sticky;top:0;background:var(--page);text-align:right}th:first-child,td:first-child,th:nth-child(3),
td:nth-child(3){text-align:left}tr.ew td{font-weight:600}pre{background:var(--card);padding:12px;border-radius:8px;
overflow-x:auto;font-size:13px}details{margin:10px 0}summary{cursor:pointer}a{color:var(--EW)}
"""


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def geometric(values):
    return statistics.geometric_mean(values) if values else None


def best_over_ew(rows, size):
    """Of each workload, the best peer's time over EW's."""
    ratios = {}
    for name in {row["workload"] for row in rows}:
        found = charts.by_peer(rows, name, size)
        others = [row["median_us"] for peer, row in found.items() if peer != "EW"]
        if "EW" in found and others:
            ratios[name] = min(others) / found["EW"]["median_us"]
    return ratios


class Page:
    def __init__(self, results, images):
        self.results, self.images = results, images
        self.rows = results["rows"]
        self.sizes = sorted({row["size"] for row in self.rows}, reverse=True)
        # The order of the suite, which is that of the first run.
        self.names = list(dict.fromkeys(row["workload"] for row in self.rows))
        self.machine = results.get("machine", {})
        self.parts = []

    def add(self, text):
        self.parts.append(text)

    def figure(self, name, draw, title, caption, picture=False):
        """`title` is the picture's text alternative, `caption` what stands below it."""
        svg = charts.to_svg(draw(), name, title)
        if picture and self.images:
            self.images.mkdir(parents=True, exist_ok=True)
            (self.images / f"{name}.svg").write_text(
                svg.replace("</title>", f"</title><style>{charts.style_sheet(':root')}</style>", 1))
            charts.use(1)
            draw().savefig(self.images / f"{name}.png", dpi=130, bbox_inches="tight", facecolor="white",
                           metadata={"Software": None})
            charts.use(0)
        self.add(f"<figure>{svg}<figcaption>{html.escape(caption)} "
                 '<a href="#figures">All figures in a table.</a></figcaption></figure>')

    def head(self):
        device = self.machine.get("device", "unknown device")
        versions = ", ".join(dict.fromkeys(self.results["versions"].values()))
        self.add(f"<h1>EW beside its peers</h1><p class=soft>{html.escape(device)} · {self.results['date']}"
                 + (f" · {html.escape(versions)}" if versions else "") + "</p>")
        cards = []
        size = self.sizes[0]
        ew = [row for row in charts.rows_at(self.rows, size) if row["peer"] == "EW"]
        ratios = best_over_ew(self.rows, size)
        if ratios:
            cards.append((f"{geometric(ratios.values()):.3f}×",
                          f"the best peer's time over EW's at 2^{size}, geometric mean over {len(ratios)} workloads"))
            cards.append((f"{sum(r >= 0.99 for r in ratios.values())} of {len(ratios)}",
                          "workloads at most 1% behind the best peer"))
        eager = [charts.by_peer(self.rows, row["workload"], size)["eager"]["median_us"] / row["median_us"]
                 for row in ew if "eager" in charts.by_peer(self.rows, row["workload"], size)]
        if eager:
            cards.append((f"{geometric(eager):.2f}×", "PyTorch eager's time over EW's, geometric mean"))
        reached = [row["of_ceiling"] for row in ew if "of_ceiling" in row]
        if reached:
            cards.append((f"{statistics.median(reached):.1%}", "of what a copy of the same traffic reaches, median"))
        self.add('<div class="cards">' + "".join(
            f"<div class=card><b>{value}</b><span>{html.escape(text)}</span></div>" for value, text in cards) + "</div>")

    def bandwidth(self):
        for number_, size in enumerate(self.sizes[:1] if len(self.sizes) > 3 else self.sizes):
            self.add(f"<h2>2^{size} elements</h2>")
            ratios = best_over_ew(self.rows, size)
            behind = sorted((name for name, ratio in ratios.items() if ratio < 0.99), key=ratios.get)
            caption = "Bars are EW, marks are peers, the upright mark is a copy kernel that moves the same bytes in as " \
                      "many streams, timed in turn with EW."
            if behind:
                caption += " More than 1% behind the best peer: " + ", ".join(
                    f"{name} ({ratios[name]:.2f})" for name in behind) + "."
            title = f"TB/s of each workload at 2^{size} elements: " + "; ".join(
                f"{name} {found['EW']['tb_per_s']:.2f}" for name in self.names
                if "EW" in (found := charts.by_peer(self.rows, name, size)))
            self.figure(f"bandwidth-{size}", lambda: charts.bandwidth(self.rows, size, self.names), title, caption,
                        picture=number_ == 0)

    def roofline(self):
        size = self.sizes[0]
        if not charts.by_peer(self.rows, self.names[0], size).get("EW"):
            return
        self.add("<h2>What limits them</h2>")
        has_mix = any(row.get("instructions") for row in charts.rows_at(self.rows, size))
        caption = ("Left, memory is the limit, and kernels lie on what a copy reaches; right, the rate at which instructions "
                   "are issued. Instructions are estimated from PTX; functions that wait for one unit lie below the line."
                   if has_mix else "Time over the bytes that a call moves; the line is the fastest copy.")
        self.figure("roofline", lambda: charts.roofline(self.rows, size, self.machine),
                    f"Roofline at 2^{size} elements: " + "; ".join(
                        f"{row['workload']} {row['instructions'] / row['bytes']:.2f} instructions a byte, "
                        f"{row['tb_per_s']:.2f} TB/s" if row.get("instructions") else
                        f"{row['workload']} {row['bytes']} bytes, {row['median_us']:.2f} us"
                        for row in charts.rows_at(self.rows, size) if row["peer"] == "EW"), caption, picture=True)

    def sweeps(self):
        if len(self.sizes) < 2:
            return
        self.add("<h2>From small to large</h2>")
        means = "; ".join(f"2^{size}: {geometric(best_over_ew(self.rows, size).values()):.3f}"
                          for size in self.sizes if best_over_ew(self.rows, size))
        self.figure("sizes", lambda: charts.sweeps(self.rows, self.names),
                    "TB/s over the number of elements for each workload; the figures are in the table",
                    "Small calls cost a launch whatever they compute; data of the middle sizes is near the cache's. "
                    + (f"The best peer's time over EW's, geometric mean: {means}." if means else ""), picture=True)

    def of_peers(self, figure, label):
        """What the peers have of a figure of the rows: (label of the peer's name, peer, values)."""
        for peer in charts.peers_of(self.rows):
            values = [row[figure] for row in self.rows if row["peer"] == peer and row.get(figure)]
            if values:
                yield label.format(charts.NAMES[peer]), peer, values

    def host(self):
        native = {run["name"].split("/manual_time")[0]: run for run in self.results.get("native", [])}
        entries = [(f"EW, {text}", "EW", [native[name]["real_time"] * (1e-3 if native[name]["time_unit"] == "ns" else 1)])
                   for name, text in (("launch/api", "C++ API"),) if name in native]
        if "launch/bare" in native:
            run = native["launch/bare"]
            entries.append(("cuLaunchKernel alone", "ceiling",
                            [run["real_time"] * (1e-3 if run["time_unit"] == "ns" else 1)]))
        entries += self.of_peers("host_us", "{}")
        if not entries:
            return
        self.add("<h2>What a call costs the host</h2>")
        self.figure("host", lambda: charts.ranges(entries, "microseconds of the host for one asynchronous call"),
                    "Host cost of a call, median in us: " + "; ".join(
                        f"{name} {statistics.median(values):.2f}" for name, _, values in entries),
                    "From the least to the largest over the workloads; the point is the median. EW's and the bare "
                    "launch are of one kernel of three arguments.")

    def compiling(self):
        native = [run["real_time"] for run in self.results.get("native", [])
                  if run["name"].startswith("compile/ptx/")]
        launch = self.results.get("launch", [])
        entries = [("EW, text to PTX in a warm process", "EW", native)] if native else []
        if launch:
            entries += [("EW, whole process, nothing cached", "EW", [entry["process_ms"] for entry in launch]),
                        ("EW, whole process, from the cache", "EW", [entry["cached_process_ms"] for entry in launch])]
        entries += self.of_peers("compile_ms", "{}, first call")
        if not entries:
            return
        self.add("<h2>Until the first result</h2>")
        self.figure("compile", lambda: charts.ranges(entries, "milliseconds"),
                    "Compile time, median in ms: " + "; ".join(
                        f"{name} {statistics.median(values):.1f}" for name, _, values in entries),
                    "From the least to the largest over the workloads; the point is the median. A whole process starts, "
                    "compiles, loads, runs and writes a small result; peers' first calls are in a warm process, Triton's "
                    "of one launch shape.")

    def table(self):
        self.add("<h2 id=figures>All figures</h2><div class=wide><table><thead><tr>" + "".join(
            f"<th scope=col>{text}</th>" for text in (
                "workload", "size", "system", "us", "p20", "p80", "TB/s", "of ceiling", "ceiling TB/s", "of best peer",
                "relative error", "host us", "first call ms", "registers", "spilled")) + "</tr></thead><tbody>")
        order = {"EW": -1, **{peer: k for k, peer in enumerate(charts.NAMES)}}
        for row in sorted(self.rows, key=lambda row: (self.names.index(row["workload"]), -row["size"],
                                                      order.get(row["peer"], len(order)))):
            ratio = None
            if row["peer"] == "EW":
                ratio = best_over_ew([r for r in self.rows if r["workload"] == row["workload"]], row["size"]).get(
                    row["workload"])
            cells = [row["workload"], f"2^{row['size']}", charts.NAMES.get(row["peer"], row["peer"]),
                     number(row["median_us"]), number(row["p20_us"]), number(row["p80_us"]), number(row["tb_per_s"], 3),
                     f"{row['of_ceiling']:.1%}" if "of_ceiling" in row else "–", number(row.get("ceiling_tb_per_s"), 3),
                     f"{ratio:.3f}×" if ratio else "–",
                     f"{row['max_relative_error']:.1e}" if "max_relative_error" in row else "oracle",
                     number(row.get("host_us")), number(row.get("compile_ms"), 1),
                     *(str(row[key]) if key in row else "–" for key in ("registers", "spill_bytes"))]
            self.add(f"<tr{' class=ew' if row['peer'] == 'EW' else ''}>"
                     + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
        self.add("</tbody></table></div>")
        if self.results.get("launch"):
            self.add("<details open><summary>Processes</summary><div class=wide><table><thead><tr><th>workload</th>"
                     "<th>nothing cached, ms</th><th>from the cache, ms</th></tr></thead><tbody>" + "".join(
                         f"<tr><td>{entry['workload']}</td><td>{number(entry['process_ms'], 1)}</td>"
                         f"<td>{number(entry['cached_process_ms'], 1)}</td></tr>" for entry in self.results["launch"])
                     + "</tbody></table></div></details>")
        if self.results.get("native"):
            self.add("<details><summary>ew-benchmark</summary><div class=wide><table><thead><tr><th>benchmark</th>"
                     "<th>time</th><th>unit</th></tr></thead><tbody>" + "".join(
                         f"<tr><td>{html.escape(run['name'])}</td><td>{number(run['real_time'])}</td>"
                         f"<td>{run['time_unit']}</td></tr>" for run in self.results["native"])
                     + "</tbody></table></div></details>")

    def foot(self):
        if self.results["skipped"]:
            self.add("<h2>Left out</h2><ul>" + "".join(
                "<li>" + html.escape(f"{entry['peer']}" + (f", {entry['workload']} at 2^{entry['size']}"
                                                          if entry["workload"] else "") + f": {entry['why']}")
                + "</li>" for entry in self.results["skipped"]) + "</ul>")
        self.add("<h2>How it was measured</h2><p>Device time: CUDA graphs over buffers that rotate through three times the "
                 "last cache (on a CPU, the clock over calls back to back); JAX by the clock around calls that are not waited for, so "
                 "that only its large sizes say anything. Each figure is the median over the rounds, in which EW and every "
                 "peer took turns; p20 and p80 are the medians of the rounds' percentiles. Every result was judged first: EW's by "
                 "an oracle in multiple precision, the peers' against float64.</p><pre>"
                 + html.escape("\n".join(self.results["commands"])) + "</pre>")

    def render(self):
        self.head()
        self.bandwidth()
        self.roofline()
        self.sweeps()
        self.host()
        self.compiling()
        self.table()
        self.foot()
        return ("<!doctype html><html lang=en><head><meta charset=utf-8><title>EW beside its peers</title>"
                '<meta name=viewport content="width=device-width,initial-scale=1"><style>'
                + charts.style_sheet(":root") + STYLE + "</style></head><body><main>" + "\n".join(self.parts)
                + "</main></body></html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, help="what suite.py wrote")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("report.html"),
                        help="where the page goes (default: %(default)s)")
    parser.add_argument("--images", type=pathlib.Path, help="a folder for README's pictures")
    args = parser.parse_args()
    if not charts:
        sys.exit(f"report.py: no matplotlib in {sys.executable} ({why_no_charts}): {sys.executable} -m pip install "
                 "matplotlib, or Debian's package python3-matplotlib for /usr/bin/python3")
    try:
        results = json.loads(args.results.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"report.py: cannot read {args.results}: {error}")
    if not isinstance(results, dict) or results.get("schema") != 1 or not results.get("rows"):
        sys.exit(f"{args.results} has no rows of suite.py's")
    args.output.write_text(Page(results, args.images).render())
    print(f"{args.output}: {len(results['rows'])} row{'' if len(results['rows']) == 1 else 's'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
