import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../../2-validate/validate.js";
import type { JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { sarifShape } from "../../testing/harness/oracles/sarif-shape.js";
import { shownDiagnostics } from "../preview/item-diagnostics.js";
import { diagnosticsText } from "./diagnostics-text.js";
import { githubAnnotations } from "./github.js";
import { sarifLog } from "./sarif.js";
import { semanticText } from "./semantic-text.js";

const paint = (_style: string, text: string): string => text;
const paths = { folder: "/repository/server", repository: "/repository" };

function load(file: string, text: string): LoadedManifest {
  const { manifest, diagnostics } = loadManifest(file, Buffer.from(text));
  assert.ok(manifest, diagnostics[0]?.message);
  return manifest;
}

const toolsOf = ({ value: { tools } }: LoadedManifest): readonly JsonValue[] =>
  Array.isArray(tools) ? tools : [];

/** Two files as one manifest: the tools of the second follow those of the first, and each stays at its place. */
function joined(first: LoadedManifest, second: LoadedManifest): LoadedManifest {
  const count = toolsOf(first).length;
  return {
    ...first,
    texts: new Map([...first.texts, ...second.texts]),
    value: { ...first.value, tools: [...toolsOf(first), ...toolsOf(second)] },
    locate: (path, target) => {
      const [list, index, ...inner] = path;
      return list === "tools" && typeof index === "number" && index >= count
        ? second.locate([list, index - count, ...inner], target)
        : first.locate(path, target);
    },
  };
}

const manifest = joined(
  load(
    "mcp.yaml",
    `name: weather
version: 1.0.0
tools:
  - name: get_forecast
    description: Weather of a day.
`,
  ),
  load(
    "tools/days.yaml",
    `tools:
  - name: get_forecast
    description: "Weather\\u200b of a day."
`,
  ),
);
const diagnostics = validateManifest(manifest);

test("a problem is shown with the lines of its own file, and a related place with those of the other", () => {
  assert.is(
    diagnosticsText(diagnostics, 0, manifest.texts, { paint }),
    `tools/days.yaml:2:11  error MW2004  there are two tools named "get_forecast"; the first is on line 4 of mcp.yaml
   1 | tools:
 → 2 |   - name: get_forecast
     |           ^^^^^^^^^^^^
mcp.yaml:4:11  "get_forecast" is here
 → 4 |   - name: get_forecast
     |           ^^^^^^^^^^^^

tools/days.yaml:3:18  warning MW2307  "description" has characters that are not shown: U+200B (column 26)
   1 | tools:
   2 |   - name: get_forecast
 → 3 |     description: "Weather\\u200b of a day."
     |                  ^^^^^^^^^^^^^^^^^^^^^^^^^

\`mcpwright explain MW2004\` says more.
`,
  );
});

test("GitHub: a related place is named with its own file", () => {
  assert.match(githubAnnotations(diagnostics, 0, paths), "%0Amcp.yaml:4:11  ");
});

test("SARIF: a result and its related place are in different files", () => {
  const log = sarifLog(diagnostics, 0, paths);
  const validate = new Ajv2020({ strict: false }).compile(sarifShape);
  assert.ok(validate(log), JSON.stringify(validate.errors));
  const uris = JSON.stringify(log).match(/(?<="uri":")[^"]*/g);
  assert.equal(uris, ["server/tools/days.yaml", "server/mcp.yaml", "server/tools/days.yaml"]);
});

test("a semantic change names the file and line of its item", () => {
  const change = { rule: "r", severity: "info", path: "tools", message: "changed" } as const;
  const changes = [0, 1].map((index) => ({ ...change, at: ["tools", index, "description"] }));
  assert.is(
    semanticText(changes, manifest, paint),
    "mcp.yaml:5  info  changed\n   tools  [r]\ntools/days.yaml:3  info  changed\n   tools  [r]\n",
  );
});

test("the page shows a problem at the item that contains its line in the same file", () => {
  const places = shownDiagnostics(diagnostics, manifest).map(
    ({ file, line, item }) => `${file}:${line} ${item?.list} ${item?.index}`,
  );
  assert.equal(places, ["tools/days.yaml:2 tools 1", "tools/days.yaml:3 tools 1"]);
});

test.run();
