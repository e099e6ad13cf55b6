import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../3-normalize/normalize.js";
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
  const urls = { authorizationUrl: "https://mail.example/", tokenUrl: "https://mail.example/t" };
  const auth = { perCaller: { ...urls, clientId: "books" } };
  const { upstreams = [] } = normalize({
    ...{ name: "demo", version: "1.0.0" },
    upstreams: { mail: { baseUrl: "https://mail.example", auth } },
  });
  const model = { ...weatherModel, upstreams };
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
