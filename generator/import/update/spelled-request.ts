import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";

/**
 * Writes out the implicit arguments in the `http` body of a tool, if another version of the tool has them written out.
 * A new argument is then added to a list that a person has written.
 */
export function spelledAs(tool: JsonObject, other: JsonObject): JsonObject {
  const [http, others] = [ownValue(tool, "http"), ownValue(other, "http")];
  if (!isJsonObject(http) || !isJsonObject(others)) return tool;
  const key = implicitKey(http);
  if (key === undefined || !isJsonObject(ownValue(others, key))) return tool;
  const values = implicitArguments(tool, http);
  return values.length === 0 ? tool : { ...tool, http: { ...http, [key]: fromNames(values) } };
}

const fromNames = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name): [string, JsonValue] => [name, `{{${name}}}`]));

/** The key that arguments without a place are sent in. Undefined if every argument has a place. */
function implicitKey(http: JsonObject): "query" | "body" | undefined {
  if (["query", "body", "form", "multipart", "text"].some((key) => key in http)) return undefined;
  const method = String(ownValue(http, "method") ?? "GET");
  return ["GET", "HEAD", "DELETE"].includes(method) ? "query" : "body";
}

function implicitArguments(tool: JsonObject, http: JsonObject): string[] {
  const schema = ownValue(tool, "inputSchema");
  const properties = isJsonObject(schema) ? ownValue(schema, "properties") : undefined;
  const text = JSON.stringify(http);
  return Object.keys(isJsonObject(properties) ? properties : {}).filter(
    (name) => !text.includes(`{{${name}}}`) && !text.includes(`"from":${JSON.stringify(name)}`),
  );
}
