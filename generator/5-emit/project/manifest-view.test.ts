import { test } from "uvu";
import * as assert from "uvu/assert";
import { manifestView } from "./manifest-view.js";

test("commands for mcp.yaml in the project's folder need no arguments", () => {
  assert.equal(manifestView("mcp.yaml"), {
    place: { path: "mcp.yaml", link: "mcp.yaml" },
    validateCommand: "mcpwright validate",
    planCommand: "mcpwright plan",
    generateCommand: "mcpwright generate",
    checkCommand: "mcpwright check",
    devCommand: "mcpwright dev",
  });
});

test("commands for a manifest elsewhere have its path and, for another folder, --out", () => {
  const commandFor = (path: string): string => manifestView(path).generateCommand;
  assert.is(commandFor("server.yaml"), "mcpwright generate server.yaml");
  assert.is(commandFor("../mcp.yaml"), "mcpwright generate ../mcp.yaml --out .");
  assert.is(commandFor("spec/my api.yaml"), 'mcpwright generate "spec/my api.yaml" --out .');
  assert.is(manifestView("spec/api.yaml").validateCommand, "mcpwright validate spec/api.yaml");
  assert.is(manifestView("spec/my api.yaml").place?.link, "spec/my%20api.yaml");
});

test("a path that is outside of the project or unsafe in a shell is not shown", () => {
  for (const path of ["../../../home/ann/mcp.yaml", "a$(id).yaml", "a`b`.yaml", "-o", "a\nb", ""]) {
    const { place, generateCommand } = manifestView(path);
    assert.is(place, undefined, path);
    assert.is(generateCommand, "mcpwright generate path/to/the/manifest --out .");
  }
});

test.run();
