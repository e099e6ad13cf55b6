/** The SDK's low-level `Server`: lists are made once, and arguments are checked with zod by hand. */
import { Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { serve } from "./serve.mjs";
import { count, descriptionOf, forecast, nameOf, promptText, resource, schemas } from "./tools.mjs";

const { inputSchema, outputSchema } = schemas(z);
const wire = {
  inputSchema: z.toJSONSchema(inputSchema, { io: "input" }),
  outputSchema: z.toJSONSchema(outputSchema),
};
const tools = Array.from({ length: count }, (_, index) => ({
  name: nameOf(index),
  description: descriptionOf(index),
  ...wire,
}));
const names = new Set(tools.map(({ name }) => name));

await serve(() => {
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities });
  server.setRequestHandler("tools/list", async () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    if (!names.has(params.name)) throw new Error("unknown tool");
    const structuredContent = outputSchema.parse(forecast(inputSchema.parse(params.arguments)));
    return {
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: "text/markdown", text: resource.text }],
  }));
  server.setRequestHandler("prompts/get", async ({ params }) => ({
    messages: [
      { role: "user", content: { type: "text", text: promptText(params.arguments?.city) } },
    ],
  }));
  return server;
});
