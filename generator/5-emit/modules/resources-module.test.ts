import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../3-normalize/normalize.js";
import type { Manifest } from "../../model/manifest.js";
import { importTypes } from "./structures.js";
import { resourcesModule } from "./resources-module.js";

const code = "code" as const;

test("the types that resources.ts imports are in the order of their names", () => {
  const manifest: Manifest = {
    name: "demo",
    version: "1.0.0",
    resources: [{ uri: "demo://log", name: "log" }],
    resourceTemplates: [
      { uriTemplate: "a://{x}", name: "a", list: code },
      { uriTemplate: "b://{x}", name: "b", complete: { x: code } },
    ],
  };
  const types = [
    "ResourceHandler",
    "ResourceTemplateCompletion",
    "ResourceTemplateHandler",
    "ResourceTemplateList",
  ];
  const imported = resourcesModule(normalize(manifest)).find(
    (one) =>
      typeof one === "object" && "moduleSpecifier" in one && one.moduleSpecifier === "./types.js",
  );
  assert.equal(imported, importTypes("./types.js", types));
});

test.run();
