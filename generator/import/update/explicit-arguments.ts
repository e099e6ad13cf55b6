import { methodOf } from "../../2-validate/manifest-view.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";

/**
 * Lists the implicit arguments in the `http` body of a tool, if another version of the tool lists its own. A new argument
 * is then added to the list that a person has written.
 */
export function withExplicitArguments(tool: JsonObject, other: JsonObject): JsonObject {
  const [http, otherHttp] = [ownValue(tool, "http"), ownValue(other, "http")];
  if (!isJsonObject(http) || !isJsonObject(otherHttp)) return tool;
  const key = implicitKey(http);
  if (key === undefined || !isJsonObject(ownValue(otherHttp, key))) return tool;
  const values = implicitArguments(tool, http);
  return values.length === 0 ? tool : { ...tool, http: { ...http, [key]: fromNames(values) } };
}

const fromNames = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name): [string, JsonValue] => [name, `{{${name}}}`]));

/** The key under which arguments are sent that no key mentions; undefined if the body lists all arguments. */
function implicitKey(http: JsonObject): "query" | "body" | undefined {
  if (["query", "body", "form", "multipart", "text"].some((key) => key in http)) return undefined;
  const method = methodOf(http);
  return ["GET", "HEAD", "DELETE", "OPTIONS"].includes(method) ? "query" : "body";
}

function implicitArguments(tool: JsonObject, http: JsonObject): string[] {
  const schema = ownValue(tool, "inputSchema");
  const properties = isJsonObject(schema) ? ownValue(schema, "properties") : undefined;
  const text = JSON.stringify(http);
  return Object.keys(isJsonObject(properties) ? properties : {}).filter(
    (name) => !text.includes(`{{${name}}}`) && !text.includes(`"from":${JSON.stringify(name)}`),
  );
}
