import { readdirSync, readFileSync } from "node:fs";
import { Project, ScriptTarget, ModuleKind, ModuleResolutionKind } from "ts-morph";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Manifest } from "../model/manifest.js";
import { checkedManifest } from "../testing/harness/projects/checked-manifest.js";
import { packageRoot } from "../text/package-root.js";
import { emit } from "./emit.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";

/** What the compiler finds in the `src/context.ts` that a project starts with, and in what is added to it. */
async function problems(manifest: Partial<Manifest>, addition = ""): Promise<string[]> {
  const whole = { name: "demo", version: "1.0.0", ...manifest };
  const files = await emit(checkedManifest(JSON.stringify(whole)).model);
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: {
      strict: true,
      target: ScriptTarget.ES2022,
      module: ModuleKind.NodeNext,
      moduleResolution: ModuleResolutionKind.NodeNext,
      lib: ["lib.es2022.d.ts"],
      types: [],
    },
  });
  for (const { path, content } of files) {
    if (path.endsWith(".ts")) project.createSourceFile(`/${path}`, content);
  }
  addRuntime(project);
  const context = project.getSourceFileOrThrow("/src/context.ts");
  context.addStatements(addition);
  const { compilerObject } = project.getProgram();
  return compilerObject
    .getSemanticDiagnostics(context.compilerNode)
    .map(({ messageText }) =>
      typeof messageText === "string" ? messageText : messageText.messageText,
    );
}

/** Adds the types of the runtime's package, as an installed project has them. */
function addRuntime(project: Project): void {
  const folder = new URL("dist/runtime/", packageRoot);
  const fileSystem = project.getFileSystem();
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const path of paths.filter((one) => /^package\.json$|^dist\/.*\.d\.ts$/.test(one))) {
    const text = readFileSync(new URL(path, folder), "utf8");
    fileSystem.writeFileSync(`/node_modules/@mcpwright/runtime/${path}`, text);
  }
}

const scoped = { name: "a", description: "x", scopes: ["s"] };
const watched = { uri: "a://b", name: "b", description: "x", subscribe: true };

/** What changes the parameters, each by itself. */
const each: readonly Partial<Manifest>[] = [
  { resources: [watched] },
  { tools: [scoped], transports: [{ type: "http" }] },
];

test("the type of createServices shows both parameters for every manifest", async () => {
  const all = { resources: [watched], tools: [scoped], transports: [{ type: "http" as const }] };
  for (const manifest of shortOrLong<readonly Partial<Manifest>[]>([{}, all], [{}, all, ...each])) {
    const both = "const [env, controls]: Parameters<typeof createServices> = [{}, null as never];";
    assert.equal(await problems(manifest, both), [], JSON.stringify(manifest));
  }
});

test("the second parameter of createServices has notifications only for what the manifest lets change", async () => {
  const notifying =
    "export function tell(controls: ServerControls) { controls.notify.resourceUpdated(''); }";
  assert.equal(await problems({ resources: [watched] }, notifying), []);
  assert.equal(await problems({}, notifying), [
    "Property 'notify' does not exist on type 'ServerControls'.",
  ]);
});

test.run();
