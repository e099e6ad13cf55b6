import { test } from "uvu";
import * as assert from "uvu/assert";
import { manifestView } from "./manifest-view.js";

test("the usual place needs no arguments", () => {
  assert.equal(manifestView("mcp.yaml"), {
    place: { path: "mcp.yaml", link: "mcp.yaml" },
    planCommand: "mcpwright plan    ",
    generateCommand: "mcpwright generate",
    checkCommand: "mcpwright check",
    devCommand: "mcpwright dev     ",
  });
});

test("elsewhere, the commands say where, and that the project stays here", () => {
  const commandFor = (path: string): string => manifestView(path).generateCommand;
  assert.is(commandFor("server.yaml"), "mcpwright generate server.yaml");
  assert.is(commandFor("../mcp.yaml"), "mcpwright generate ../mcp.yaml --out .");
  assert.is(commandFor("spec/my api.yaml"), 'mcpwright generate "spec/my api.yaml" --out .');
  assert.is(manifestView("spec/my api.yaml").place?.link, "spec/my%20api.yaml");
});

test("a path that says more of the machine than of the project, or is none for a shell, is not named", () => {
  for (const path of ["../../../home/ann/mcp.yaml", "a$(id).yaml", "a`b`.yaml", "-o", "a\nb", ""]) {
    const { place, generateCommand } = manifestView(path);
    assert.is(place, undefined, path);
    assert.is(generateCommand, "mcpwright generate path/to/the/manifest --out .");
  }
});

test.run();
