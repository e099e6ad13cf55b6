import * as assert from "uvu/assert";
import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";

/** The arguments that commands use, by the first word of their names: `free` and `free_2` have the same schema. */
const SCHEMAS: Readonly<Record<string, string>> = {
  free: "type: string",
  optional: "type: string",
  list: "type: array, items: { type: string }",
  /** Begins with a letter or a digit; all else may follow. */
  word: 'type: string, pattern: "^[A-Za-z0-9]"',
  /** Has letters, digits, dots and hyphens only. */
  name: 'type: string, pattern: "^[A-Za-z0-9][A-Za-z0-9.-]*$"',
  /** Has no hyphen at its beginning, and any other character. */
  other: 'type: string, pattern: "^[^-]"',
  later: 'type: string, pattern: "[A-Za-z0-9]"',
  either: 'type: string, pattern: "^[a-z]+$|x"',
  ahead: 'type: string, pattern: "^(?!-)"',
  group: 'type: string, pattern: "^(?:[a-z]+|[0-9]?x)$"',
  digits: 'type: string, pattern: "^[0-9]{1,3}$"',
  https: 'type: string, pattern: "^https://"',
  count: "type: integer, minimum: 0",
  number: "type: integer",
  date: "type: string, format: date",
  host: "type: string, format: hostname",
  uri: "type: string, format: uri",
  choice: "enum: [a, b]",
  names: 'type: array, items: { type: string, pattern: "^[a-z]+$" }',
  branches: 'type: string, anyOf: [{ enum: ["-a"] }, { type: string, pattern: "^[a-z]" }]',
  program: "enum: [ls, find]",
};

/** The codes of the problems of a body. @param body the keys of `exec`, in flow style */
export function codesOf(body: string): string[] {
  const names = [
    ...new Set([...body.matchAll(/\{\{[#^/]?(\w+)\}\}/g)].map(([, name]) => name ?? "")),
  ];
  const properties = names.map((name) => {
    const schema = SCHEMAS[name.split("_")[0] ?? ""];
    assert.ok(schema !== undefined, name);
    return `${name}: { ${schema}, description: An argument }`;
  });
  const required = names.filter((name) => !name.startsWith("optional"));
  const text = `name: demo
version: 1.0.0
tools:
  - name: a
    description: Does a.
    inputSchema: { type: object, additionalProperties: false, required: [${required.join(", ")}], properties: { ${properties.join(", ")} } }
    exec: { ${body} }
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest, text);
  return validateManifest(manifest).map(({ code }) => code);
}

/** The keys of `exec`, of a command or of keys. */
export const bodyOf = (command: string): string =>
  command.startsWith("[") ? `command: ${command}` : command;

/** The same body, with all its arguments trusted. */
export function trusting(body: string): string {
  const names = [...body.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  return `${body}, trusted: [${[...new Set(names)].join(", ")}]`;
}

/** What is wrong with the bodies: each whose codes, without repetitions, are others than expected. */
export function unexpected(bodies: readonly string[], expected: readonly string[]): string[] {
  return bodies.flatMap((body) => {
    const codes = [...new Set(codesOf(body))].filter((code) => code !== "MW2146");
    return codes.join() === expected.join() ? [] : [`${body}: ${codes.join()}`];
  });
}
