import type { Engine } from "../engine/engine.js";
import type { RequestParameters } from "../engine/request-parameters.js";

/** The methods of every era that a client may call. */
export const methodNames: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "server/discover",
  "subscriptions/listen",
  "logging/setLevel",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
]);

/**
 * Returns the name that the requested tool, resource, template or prompt has in the manifest, or undefined if
 * the request names no item.
 */
export function subjectOf(
  engine: Engine,
  method: string,
  parameters: RequestParameters,
): string | undefined {
  const isAboutResource = method === "resources/subscribe" || method === "resources/unsubscribe";
  const engineMethod = engine.methods.get(isAboutResource ? "resources/read" : method);
  return engineMethod?.itemOf?.(parameters)?.definition.name;
}
