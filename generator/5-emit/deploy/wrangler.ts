import type { JsonObject } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { jsonText } from "../project/json-text.js";
import { containerOf } from "./container.js";
import { platformVariables } from "./platform-variables.js";

/** The date of the platform's behaviour with which the runtime is tested. It has the modules of Node.js without a flag. */
export const COMPATIBILITY_DATE = "2026-11-01";

/** Without this flag, a worker does not learn that a client has gone, and its call goes on. */
export const COMPATIBILITY_FLAGS = ["enable_request_signal"];

/** `wrangler.jsonc`: how the platform runs the worker. */
export function wranglerFile(model: ServerModel): string {
  const { defaults, secrets, optionalSecrets, unset } = platformVariables(model);
  const allSecrets = [...secrets, ...optionalSecrets];
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
    ...(Object.keys(defaults).length > 0 && { vars: defaults }),
  };
  const notes = [
    "Made by mcpwright from the manifest. Your own changes stay: `mcpwright generate` merges them by lines.",
    ...(allSecrets.length > 0
      ? [`Secrets, which \`npx wrangler secret put NAME\` sets: ${allSecrets.join(", ")}`]
      : []),
    ...(unset.length > 0 ? [`Variables without which it does not start: ${unset.join(", ")}`] : []),
  ];
  return `${notes.map((note) => `// ${note}\n`).join("")}${jsonText(settings)}\n`;
}
