/** The documented way: a server, with its schemas, for every request. */
import { build, promptSchema, toolSchemas } from "./mcp-server.mjs";
import { serve } from "./serve.mjs";

serve(() => build(toolSchemas, promptSchema));
