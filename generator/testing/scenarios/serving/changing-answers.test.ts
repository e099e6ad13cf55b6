import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { testProjects } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { outputsOfProjects } from "../../harness/runner/project-outputs.js";

/** What the generated tests of a project make of answers that differ from call to call. */

const root = await mkdtemp(join(tmpdir(), "mcpwright-changing-"));
test.after(() => rm(root, { recursive: true }));

const MANIFEST = `name: orders
version: 1.0.0
tools:
  - name: open_order
    description: Opens an order and says when it was opened.
    annotations: { readOnlyHint: true }
    inputSchema: { type: object, properties: {}, additionalProperties: false }
    outputSchema:
      type: object
      properties:
        id: { type: string, description: The order }
        openedAt: { type: string, description: When }
        lines: { type: array, items: { type: object }, description: What was ordered }
      required: [id]
    examples:
      - name: a new order
        result: { id: 7d9f7a0e-0f4b-4a6e-9f57-0a1f6a4f7f11, openedAt: 2026-01-02T03:04:05Z, lines: [{ sku: tea, row: 1 }] }
        matches:
          /id: { pattern: "^[0-9a-f-]{36}$" }
          /openedAt: { type: string }
          /lines/*/row: { any: true }
  - name: now
    description: Says what time it is.
    annotations: { readOnlyHint: true }
    examples:
      - name: a time
        text: "2026-01-02T03:04:05.678Z"
        matches: { "": { pattern: "^[0-9]{4}-[0-9T:.-]+Z$" } }
`;

const now = `import type { ToolHandler } from "../generated/index.ts";

export const now: ToolHandler<"now"> = async () => new Date().toISOString();
`;

const openOrder = (id: string, sku: string): string => `import { randomUUID } from "node:crypto";
import type { ToolHandler } from "../generated/index.ts";

export const openOrder: ToolHandler<"open_order"> = async () => ({
  id: ${id},
  openedAt: new Date().toISOString(),
  lines: [{ sku: "${sku}", row: Math.random() }],
});
`;

async function project(name: string, handler: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(join(folder, "src/tools"), { recursive: true });
  await writeFile(join(folder, "mcp.yaml"), MANIFEST);
  await writeFile(join(folder, "src/tools/open-order.ts"), handler);
  await writeFile(join(folder, "src/tools/now.ts"), now);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  return folder;
}

test("generated tests take every value that the matchers of an example allow, and compare the others", async () => {
  const right = await project("right", openOrder("randomUUID()", "tea"));
  const wrongId = await project("wrong-id", openOrder('"order 7"', "tea"));
  const otherItem = await project("other-item", openOrder("randomUUID()", "coffee"));
  const failure = await testProjects([right, wrongId, otherItem]).then(
    () => assert.unreachable("the tests pass"),
    (error: unknown) => stripVTControlCharacters((error as Error).message),
  );
  const failed = [...String(failure).matchAll(/^the tests of (.*) failed$/gm)];
  assert.equal(
    failed.map(([, folder]) => folder),
    [wrongId, otherItem],
    String(failure),
  );
  const [ofRight, ofWrongId, ofOtherItem] = outputsOfProjects(String(failure));
  assert.not.match(ofRight ?? "", "skipped: open_order, example");
  assert.match(
    ofWrongId ?? "",
    'at /structuredContent/id: expected a text that matches ^[0-9a-f-]{36}$, got "order 7"',
  );
  assert.match(ofOtherItem ?? "", 'at /lines/0/sku: expected "tea", got "coffee"');
});

test.run();
