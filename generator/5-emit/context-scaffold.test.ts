import { Project, ScriptTarget, ModuleKind, ModuleResolutionKind } from "ts-morph";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Manifest } from "../model/manifest.js";
import { checkedManifest } from "../testing/checked-manifest.js";
import { emit } from "./emit.js";

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
  const context = project.getSourceFileOrThrow("/src/context.ts");
  context.addStatements(addition);
  const { compilerObject } = project.getProgram();
  return compilerObject
    .getSemanticDiagnostics(context.compilerNode)
    .map(({ messageText }) =>
      typeof messageText === "string" ? messageText : messageText.messageText,
    );
}

const scoped = { name: "a", description: "x", scopes: ["s"] };
const watched = { uri: "a://b", name: "b", description: "x", subscribe: true };

test("createServices shows both of its parameters, whatever a server can change", async () => {
  for (const manifest of [
    {},
    { resources: [watched] },
    { tools: [scoped], transports: [{ type: "http" as const }] },
  ]) {
    const both = "const [env, controls]: Parameters<typeof createServices> = [{}, null as never];";
    assert.equal(await problems(manifest, both), [], JSON.stringify(manifest));
  }
});

test("the second one has what the manifest gives to change", async () => {
  const told =
    "export function tell(controls: ServerControls) { controls.notify.resourceUpdated(''); }";
  assert.equal(await problems({ resources: [watched] }, told), []);
  assert.equal(await problems({}, told), [
    "Property 'notify' does not exist on type 'ServerControls'.",
  ]);
});

test.run();
