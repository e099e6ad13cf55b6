import type { JsonObject } from "../../model/json.js";

/** What the platform does when it gets the sources of the project: the build makes all of the deployment. */
const project: JsonObject = {
  $schema: "https://openapi.vercel.sh/vercel.json",
  framework: null,
  buildCommand: "npm run build:vercel",
};

/** How the platform runs the function, in the form of its Build Output API. */
const serverFunction: JsonObject = {
  runtime: "nodejs24.x",
  handler: "index.mjs",
  launcherType: "Nodejs",
  shouldAddHelpers: false,
  supportsResponseStreaming: true,
  supportsCancellation: true,
  maxDuration: 120,
};

/** The settings of Vercel, which people adapt, by their paths. `bundle-vercel` copies those of the function. */
export const vercelFiles: readonly (readonly [string, JsonObject])[] = [
  ["vercel.json", project],
  ["deploy/vercel/function.json", serverFunction],
];
