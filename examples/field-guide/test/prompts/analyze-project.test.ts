import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { analyzeProject } from "../../src/prompts/analyze-project.ts";
import { temporaryWorkspace } from "../services.ts";

const { workspace, remove } = await temporaryWorkspace({
  "logs/app.log": "ERROR timeout\n",
  "app.py": "print(1)\n",
});
test.after(remove);

test("embeds the log and the file", async () => {
  const ctx = createTestContext({ services: { workspace } });
  const messages = await analyzeProject({ timeframe: "1h", fileUri: "file:///app.py" }, ctx);
  assert.equal(
    (messages as readonly { content: unknown }[]).slice(1).map(({ content }) => content),
    [
      {
        type: "resource",
        resource: { uri: "file:///logs/app.log", text: "ERROR timeout\n", mimeType: "text/plain" },
      },
      {
        type: "resource",
        resource: { uri: "file:///app.py", text: "print(1)\n", mimeType: "text/plain" },
      },
    ],
  );
});

test.run();
