import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { count, descriptionOf, forecast, nameOf, promptText, resource, schemas } from "./tools.mjs";

/** A server with everything registered; `schemasOf` gives the schemas of a tool. */
export function build(schemasOf, promptSchema) {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (let index = 0; index < count; index++) {
    server.registerTool(
      nameOf(index),
      { description: descriptionOf(index), ...schemasOf(index) },
      async (input) => {
        const structuredContent = forecast(input);
        return {
          content: [{ type: "text", text: JSON.stringify(structuredContent) }],
          structuredContent,
        };
      },
    );
  }
  server.registerResource("help", resource.uri, { mimeType: "text/markdown" }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/markdown", text: resource.text }],
  }));
  server.registerPrompt(
    "plan_trip",
    { description: "Plan a trip.", argsSchema: promptSchema() },
    async ({ city }) => ({
      messages: [{ role: "user", content: { type: "text", text: promptText(city) } }],
    }),
  );
  return server;
}

export const promptSchema = () => z.object({ city: z.string() });
export const toolSchemas = () => schemas(z);
