"""Looks for every figure of suite.py's results on report.py's page, and for what must not be there."""
import html
import html.parser
import json
import pathlib
import re
import sys

results = json.loads(pathlib.Path(sys.argv[1]).read_text())
page = pathlib.Path(sys.argv[2]).read_text()


def require(condition, what):
    if not condition:
        sys.exit(f"missing: {what}")


if "--picture" in sys.argv:
    require("<title>" in page and "prefers-color-scheme:dark" in page and "var(--EW" in page, "colours")
    # No placeholder is left.
    require(not re.search(r"#0[0-9a-f]0[0-9a-f]0[0-9a-f]\b(?<!#000000)", page), "a colour")
    print("light and dark")
    sys.exit()


class Cells(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.open = [], False

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        self.open |= tag == "td"
        for name, value in attributes:
            # Links within the page and names of XML are all that looks like an address.
            if name in ("src", "href", "xlink:href"):
                require(value.startswith("#"), f"nothing from elsewhere, but there is {value}")

    def handle_endtag(self, tag):
        self.open &= tag != "td"

    def handle_data(self, data):
        if self.open:
            self.rows[-1].append(data)


cells = Cells()
cells.feed(page)
for row in results["rows"]:
    wanted = [row["workload"], f"2^{row['size']}", f"{row['median_us']:.2f}", f"{row['p20_us']:.2f}",
              f"{row['p80_us']:.2f}", f"{row['tb_per_s']:.3f}", f"{row['of_ceiling']:.1%}"]
    require(any(all(text in found for text in wanted) for found in cells.rows), wanted)
for entry in results["launch"]:
    wanted = [entry["workload"], f"{entry['process_ms']:.1f}", f"{entry['cached_process_ms']:.1f}"]
    require(any(all(text in found for text in wanted) for found in cells.rows), wanted)
for command in results["commands"]:
    require(html.escape(command) in page, command)
for entry in results["skipped"]:
    require(html.escape(entry["why"]) in page, entry)
pictures = page.count("<svg")
require(page.count('role="img"') == pictures and page.count("<title>") == pictures + 1, "a picture's text")
print(f"{len(results['rows'])} rows, {len(results['launch'])} processes, {pictures} pictures with text alternatives: "
      "all there")
