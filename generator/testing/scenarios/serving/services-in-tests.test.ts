import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { testProjects } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** What the generated tests of a project do with the services that its server opens. */
const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const manifest = `name: shop
version: 1.0.0
tools:
  - name: count_goods
    description: Counts the goods on a shelf.
    annotations: { readOnlyHint: true }
    inputSchema:
      type: object
      properties: { shelf: { type: string } }
      required: [shelf]
      additionalProperties: false
    examples:
      - name: one shelf
        arguments: { shelf: top }
        text: "3"
  - name: count_orders
    description: Counts the orders.
    annotations: { readOnlyHint: true }
    inputSchema: { type: object, properties: {}, additionalProperties: false }
    examples:
      - name: all
        arguments: {}
        text: "none"
`;

const context = `import { writeFileSync } from "node:fs";

export async function createServices() {
  writeFileSync("shop.db", "");
  return { count: (_shelf: string): number => 7, orders: (): number => 2 };
}

export async function closeServices() {
  writeFileSync("closed.db", "");
}
`;

const handler = `import type { ToolHandler } from "../generated/index.ts";

export const countGoods: ToolHandler<"count_goods"> = async ({ shelf }, { services }) => String(services.count(shelf));
`;

/** A handler that answers its own errors. */
const careful = `import type { ToolHandler } from "../generated/index.ts";

export const countOrders: ToolHandler<"count_orders"> = async (_input, { services }) => {
  try {
    return String(services.orders());
  } catch {
    return "the orders cannot be counted";
  }
};
`;

async function shop(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-services-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  return folder;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Handlers that need services, whose examples are in the manifest. */
const counting: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/context.ts": context,
  "src/tools/count-goods.ts": handler,
  "src/tools/count-orders.ts": careful,
};

const listing: Readonly<Record<string, string>> = {
  "mcp.yaml": `name: shop
version: 1.0.0
resourceTemplates:
  - name: shelf
    uriTemplate: shop://shelves/{shelf}
    description: A shelf.
    mimeType: text/plain
    list: code
`,
  "src/context.ts": context,
  "src/resources/shelf.list.ts": `import type { ResourceTemplateList } from "../generated/index.ts";

export const shelfInstances: ResourceTemplateList<"shelf"> = ({ services }) =>
  Array.from({ length: services.orders() }, (_, shelf) => ({ name: \`shelf-\${shelf}\`, variables: { shelf: String(shelf) } }));
`,
};

const giving: Readonly<Record<string, string>> = {
  ...counting,
  "test/services.ts": `import type { Services } from "../src/generated/index.ts";

export const services: Partial<Services> = { count: (_shelf: string): number => 3 };
`,
};

/** What the tests of each project printed. */
let outputs: readonly string[] = [];

test.before(async () => {
  for (const files of [giving, listing, counting]) await shop(files);
  outputs = (await testProjects(folders)).map(stripVTControlCharacters);
});

test("generated tests give handlers the services of test/services.ts, and name missing ones", () => {
  const [output = ""] = outputs;
  const missing = "needs ctx.services.orders: give it in test/services.ts";
  assert.match(output, `skipped: count_orders, example: all (${missing})`);
  assert.not.match(output, "skipped: count_goods, example", output);
});

test("a list that code builds with services is empty in tests without these services", () => {
  assert.match(outputs[1] ?? "", /generated\/server\.test\.js[^]*?\((\d+) \/ \1\)/);
});

test("without test services, the examples of handlers that need services are skipped by name", async () => {
  const [, , output = ""] = outputs;
  const stub = await readFile(join(folders[2] ?? "", "test/services.ts"), "utf8");
  assert.match(stub, "export const services: Partial<Services> = {};");
  assert.match(output, /skipped: count_goods, example: one shelf \(needs ctx\.services\.count: /);
  assert.match(output, /skipped: count_orders, example: all \(needs ctx\.services\.orders: /);
});

test("generated tests open no services of the server", async () => {
  for (const folder of folders) {
    assert.not(await exists(join(folder, "shop.db")), "opened by createServices of src/context.ts");
    assert.not(await exists(join(folder, "closed.db")), "written by closeServices");
  }
});

test.run();
