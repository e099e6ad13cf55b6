import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../testing/harness/projects/generated-project.js";
import { githubAnnotations } from "./github.js";
import { sarifLog } from "./sarif.js";
import { sarifShape } from "../../testing/harness/oracles/sarif-shape.js";

const place = { file: "odd, na:me%.yaml", line: 2, column: 3, endLine: 2, endColumn: 9 };
const finding = {
  ...place,
  code: "MW1203",
  severity: "error",
  message: "50%: a, b\r\n::warning::no\u001b",
} as const;
const paths = { folder: "/repository/server", repository: "/repository" };

test("GitHub: characters that would end a command or a property are escaped", () => {
  assert.is(
    githubAnnotations([finding], 0, paths),
    "::error file=server/odd%2C na%3Ame%25.yaml,line=2,endLine=2,col=3,endColumn=9,title=MW1203::" +
      "50%25: a, b\\u000d\\u000a::warning::no\\u001b\n",
  );
});

test("GitHub: a range of several lines has no columns; related places and the hint are in the message", () => {
  const long = {
    ...finding,
    severity: "warning",
    message: "m",
    file: "/elsewhere/a.yaml",
    endLine: 4,
    hint: "h",
    related: [{ ...place, file: "/elsewhere/b.yaml", message: "here" }],
  } as const;
  assert.is(
    githubAnnotations([long, finding], 3, paths).split("\n")[0],
    "::warning file=/elsewhere/a.yaml,line=2,endLine=4,title=MW1203::m%0A/elsewhere/b.yaml:2:3  here%0Ahint: h",
  );
  assert.match(githubAnnotations([], 3, paths), /^and 3 more/);
});

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(sarifShape);

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly invocations: readonly { readonly toolExecutionNotifications?: unknown[] }[];
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly locations: readonly {
          readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
        }[];
      }[];
    },
  ];
}

function checked(document: unknown): Log["runs"][0] {
  assert.ok(validate(document), JSON.stringify(validate.errors));
  return (document as Log).runs[0];
}

test("SARIF: paths are URIs relative to the repository", () => {
  const inside = checked(sarifLog([{ ...finding, message: "{0} [a](1)", hint: "h" }], 0, paths));
  const uriOf = (run: Log["runs"][0]): string | undefined =>
    run.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri;
  assert.is(uriOf(inside), "server/odd%2C%20na%3Ame%25.yaml");
  const outside = checked(sarifLog([{ ...finding, file: "/else where/a.yaml" }], 0, paths));
  assert.is(uriOf(outside), pathToFileURL("/else where/a.yaml").href);
});

/** Controls, line separators and bidirectional characters, which act on a terminal or reorder what it shows. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const HOSTILE = "\u001b[2J\u0007\u009b\u200f\u2028\u202e\u2066";

test("GitHub: neither a path nor a text has a raw control or bidirectional character", () => {
  const hostile = {
    ...finding,
    message: HOSTILE,
    file: `${HOSTILE}.yaml`,
    hint: HOSTILE,
    related: [{ ...place, file: `${HOSTILE}.yaml`, message: HOSTILE }],
  } as const;
  assert.not.match(githubAnnotations([hostile], 0, paths), RAW);
});

const folder = await mkdtemp(join(tmpdir(), "mcpwright-formats-"));
test.after(() => rm(folder, { recursive: true }));

async function sarif(...parameters: string[]): Promise<Log["runs"][0]> {
  const { out, err } = await mcpwright(folder, "validate", "--format", "sarif", ...parameters);
  assert.is(err, "");
  return checked(JSON.parse(out));
}

test("SARIF: a log has at most 1,000 results, or the requested number, each with its rule", async () => {
  const prompts = Array.from({ length: 1_100 }, (_, index) => `  - name: p${index}\n`).join("");
  await mkdir(join(folder, "server"));
  await writeFile(
    join(folder, "server/mcp.yaml"),
    `name: demo\nversion: "1.0"\nfoo: 1\nprompts:\n${prompts}`,
  );
  const usual = await sarif("-C", "server");
  assert.is(usual.results.length, 1_000);
  assert.match(JSON.stringify(usual.invocations), "and 102 more");
  const { rules } = usual.tool.driver;
  assert.is(new Set(usual.results.map(({ ruleId }) => ruleId)).size, rules.length);
  for (const { ruleId, ruleIndex } of usual.results) assert.is(rules[ruleIndex]?.id, ruleId);
  assert.is(
    usual.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri,
    "server/mcp.yaml",
  );

  const all = await sarif("-C", "server", "--max-diagnostics", "5000");
  assert.is(all.results.length, 1_102);
  assert.is(all.invocations[0]?.toolExecutionNotifications, undefined);
  assert.is((await sarif("-C", "server", "--max-diagnostics", "1")).results.length, 1);
});

test("SARIF: a missing manifest is one result, and a manifest without problems none", async () => {
  assert.is((await sarif("absent.yaml")).results[0]?.ruleId, "MW1001");
  await writeFile(join(folder, "mcp.yaml"), "name: demo\nversion: 1.0.0\n");
  assert.equal((await sarif()).results, []);
});

const mayHoldAnything = process.platform !== "win32";

for (const format of [["--format=text"], ["--format=github"], ["--format=sarif"], ["--json"]]) {
  const name = `${format[0] ?? ""}: hostile names of files, keys and values are printed escaped`;
  test(name, async () => {
    const file = mayHoldAnything ? `${HOSTILE}.yaml` : "hostile.yaml";
    const text = JSON.stringify(HOSTILE);
    await writeFile(
      join(folder, file),
      `name: ${text}\nversion: ${text}\n${text}: 1\ntools: [{name: ${text}, description: x}]\n# \u202e\n`,
    );
    const { status, out, err } = await mcpwright(folder, "validate", ...format, file);
    assert.is(status, 1);
    assert.match(out + err, "MW1203");
    assert.not.match(out + err, RAW);
  });
}

test.run();
