import type { JsonObject } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { serverVariables } from "../project/env-example.js";
import { jsonText } from "../project/json-text.js";
import { containerOf } from "./container.js";

/** The date of the platform's behaviour with which the runtime is tested. It has the modules of Node.js without a flag. */
export const COMPATIBILITY_DATE = "2026-11-01";

/** Without this flag, a worker does not learn that a client has gone, and its call goes on. */
export const COMPATIBILITY_FLAGS = ["enable_request_signal"];

/** `wrangler.jsonc`: how the platform runs the worker. */
export function wranglerFile(model: ServerModel): string {
  const variables = serverVariables(model);
  const secrets = variables.filter(({ secret }) => secret).map(({ name }) => name);
  const vars = variables.flatMap(({ name, secret, default: value }) =>
    secret || value === undefined ? [] : [[name, String(value)] as const],
  );
  const unset = variables
    .filter(({ secret, default: value, required }) => !secret && required && value === undefined)
    .map(({ name }) => name);
  const settings: JsonObject = {
    $schema: "node_modules/wrangler/config-schema.json",
    name: containerOf(model).name,
    main: "dist/worker.mjs",
    // It is one file already, and minified.
    no_bundle: true,
    upload_source_maps: true,
    compatibility_date: COMPATIBILITY_DATE,
    compatibility_flags: COMPATIBILITY_FLAGS,
    observability: { enabled: true },
    ...(vars.length > 0 && { vars: Object.fromEntries(vars) }),
  };
  const notes = [
    "Made by mcpwright from the manifest. Your own changes stay: `mcpwright generate` merges them by lines.",
    ...(secrets.length > 0
      ? [`Secrets, which \`npx wrangler secret put NAME\` sets: ${secrets.join(", ")}`]
      : []),
    ...(unset.length > 0 ? [`Variables without which it does not start: ${unset.join(", ")}`] : []),
  ];
  return `${notes.map((note) => `// ${note}\n`).join("")}${jsonText(settings)}\n`;
}
