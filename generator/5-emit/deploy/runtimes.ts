import type { JsonObject } from "../../model/json.js";
import { BODIES } from "../../bodies/index.js";
import type { ServerModel } from "../../model/server-model.js";
import { bodyItems, remoteServersOf } from "../bodies/body-items.js";
import { hasDatabase } from "../model-facts.js";

/**
 * The scripts that start the server on other runtimes than Node.js, and those that make a worker or a function.
 *
 * @param program the bundle with its arguments
 */
export function runtimeScripts(model: ServerModel, program: string): JsonObject {
  const { bun = false, deno = false, workers = false } = model.deploy ?? {};
  const { lambda = false, vercel = false } = model.deploy ?? {};
  return {
    ...(bun && { "start:bun": `bun ${program}` }),
    ...(deno && { "start:deno": `deno run ${denoPermissions(model).join(" ")} ${program}` }),
    ...(workers && { "build:worker": "mcpwright-runtime bundle-worker" }),
    ...(lambda && { "build:lambda": "mcpwright-runtime bundle-lambda" }),
    ...(vercel && { "build:vercel": "mcpwright-runtime bundle-vercel" }),
  };
}

/** What Deno lets the server do: what its manifest needs, and no more. */
export function denoPermissions(model: ServerModel): string[] {
  const startsPrograms =
    bodyItems(model).some(({ behaviour }) => BODIES[behaviour.kind].needs === "programs") ||
    remoteServersOf(model, "program").length > 0;
  const writes = hasDatabase(model, "sqlite") || model.audit?.to !== undefined;
  return [
    ...["--allow-net", "--allow-env", "--allow-read", "--allow-sys"],
    ...(startsPrograms ? ["--allow-run"] : []),
    ...(writes ? ["--allow-write"] : []),
  ];
}
