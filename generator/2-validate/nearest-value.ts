import { nearestName } from "../text/nearest-name.js";

/** Names that other formats use for values of a manifest's keys. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  bool: "boolean",
  float: "number",
  int: "number",
  integer: "number",
  str: "string",
  streamablehttp: "http",
  uri: "url",
  ws: "websocket",
};

/** The value of an enumeration that the author most likely meant. */
export function nearestValue(found: string, values: readonly string[]): string | undefined {
  const word = found.toLowerCase().replace(/[^a-z]/g, "");
  const synonym = Object.hasOwn(OTHER_VALUES, word) ? OTHER_VALUES[word] : undefined;
  return synonym !== undefined && values.includes(synonym) ? synonym : nearestName(found, values);
}
