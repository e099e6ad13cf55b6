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
 * The name that the requested tool, resource, template or prompt has in the manifest. Undefined if the
 * request names no item.
 */
export function subjectOf(
  engine: Engine,
  method: string,
  parameters: RequestParameters,
): string | undefined {
  const isAboutResource = method === "resources/subscribe" || method === "resources/unsubscribe";
  const answered = engine.methods.get(isAboutResource ? "resources/read" : method);
  return answered?.itemOf?.(parameters)?.definition.name;
}
