import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ServerModel } from "../../model/server-model.js";
import { weatherModel } from "../../testing/harness/projects/weather-model.js";
import { previewDefinition } from "./preview-definition.js";

/** The names of the tools that a preview adds to those of the manifest. */
function addedTools(model: ServerModel): string[] {
  return previewDefinition(model, process.cwd())
    .tools.map(({ definition }) => definition.name)
    .slice(model.tools.length);
}

test("a preview lists the tools for accounts of callers, which say that it has none", () => {
  const auth = { kind: "perCaller", tokenUrl: "https://mail.example/token" };
  const upstreams = [{ name: "mail", settings: { baseUrl: "https://mail.example", auth } }];
  const model = { ...weatherModel, upstreams } as unknown as ServerModel;
  assert.equal(addedTools(weatherModel), []);
  assert.equal(addedTools(model), ["connect", "disconnect"]);
  const [connect] = previewDefinition(model, process.cwd()).tools.slice(-2);
  assert.equal(connect?.answer, {
    content: [{ type: "text", text: ["No accounts are linked in a preview."] }],
    isError: true,
  });
  assert.match(JSON.stringify(connect?.definition.inputSchema), '"enum":["mail"]');
});

test.run();
