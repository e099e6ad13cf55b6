/** The documented way: a server, with its schemas, for every request. */
import { build, promptSchema, toolSchemas } from "./mcp-server.mjs";
import { serve } from "./serve.mjs";

await serve(() => build(toolSchemas, promptSchema));
