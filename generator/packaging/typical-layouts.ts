import { readdirSync, readFileSync } from "node:fs";
import { emit } from "../5-emit/emit.js";
import { compileBytes } from "../cli/compile-manifest.js";
import { packageRoot } from "../text/package-root.js";

/**
 * By its source, the layout of each piece of code that several kinds of projects have: what does not
 * depend on the manifest, or only on which features it uses.
 *
 * @throws when a manifest that it looks at is wrong
 */
export async function typicalLayouts(): Promise<ReadonlyMap<string, string>> {
  const layouts = new Map<string, string>();
  const seen = new Set<string>();
  for (const manifest of [...exampleManifests(), ...smallManifests()]) {
    const found = new Map<string, string>();
    await collectLayouts(manifest, found);
    for (const [source, layout] of found) if (seen.has(source)) layouts.set(source, layout);
    for (const source of found.keys()) seen.add(source);
  }
  return layouts;
}

async function collectLayouts(manifest: string, found: Map<string, string>): Promise<void> {
  const read = { bytes: Buffer.from(manifest), diagnostics: [] };
  const { model, diagnostics } = compileBytes("mcp.yaml", read, { flags: new Set() });
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  await emit(model(), { onLayout: (source, layout) => found.set(source, layout) });
}

function exampleManifests(): string[] {
  const examples = new URL("examples/", packageRoot);
  return readdirSync(examples).map((name) =>
    readFileSync(new URL(`${name}/mcp.yaml`, examples), "utf8"),
  );
}

const TRANSPORTS = [
  "[{ type: stdio }]",
  "[{ type: http }]",
  "[{ type: stdio }, { type: http }]",
  "[{ type: stdio }, { type: http, sessions: memory }]",
];

const ITEMS = {
  tools: `tools:
  - { name: find, description: Finds., outputSchema: { type: object } }
  - { name: count, description: Counts. }`,
  resources: "resources:\n  - { uri: 'a://b', name: b, description: B., text: B }",
  templates:
    "resourceTemplates:\n  - { uriTemplate: 'c://{d}', name: d, description: D., list: code }",
  prompts: "prompts:\n  - { name: ask, description: Asks., arguments: [{ name: a }] }",
};

/** Each with each of the usual transports, and with some items or others; twice, so that all count. */
function smallManifests(): string[] {
  const groups = [
    [ITEMS.tools],
    [ITEMS.tools, ITEMS.resources],
    [ITEMS.tools, ITEMS.resources, ITEMS.prompts],
    Object.values(ITEMS),
  ];
  const manifests = TRANSPORTS.flatMap((transports) =>
    groups.map((items) => `transports: ${transports}\n${items.join("\n")}\n`),
  );
  return ["one", "two"].flatMap((name) =>
    manifests.map((manifest) => `name: ${name}\nversion: 1.0.0\n${manifest}`),
  );
}
