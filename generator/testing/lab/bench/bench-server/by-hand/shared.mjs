/** As documented, but the schemas are made once. */
import { build, promptSchema, toolSchemas } from "./mcp-server.mjs";
import { serve } from "./serve.mjs";
import { count } from "./tools.mjs";

const all = Array.from({ length: count }, toolSchemas);
const prompt = promptSchema();
await serve(() =>
  build(
    (index) => all[index],
    () => prompt,
  ),
);
