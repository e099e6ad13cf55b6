import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Era } from "./project-clients.js";
import { sharedUrl } from "../runner/shared-data.js";
import { skipTest } from "../runner/skipped-test.js";
import type { ServerMessage } from "./wire-record.js";

const SCHEMAS = "data/schemas/";
const folder = sharedUrl(SCHEMAS);
const files: Readonly<Record<Era, string>> = {
  modern: "mcp-2026-07-28.schema.json",
  legacy: "mcp-2025-11-25.schema.json",
};

/** The types of results, by the method that they answer. */
const RESULTS: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  "server/discover": "DiscoverResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
  "logging/setLevel": "EmptyResult",
  "subscriptions/listen": "SubscriptionsListenResult",
  ping: "EmptyResult",
};

/** Why messages cannot be held against the protocol's own schemas; undefined where they can. */
export const noWireSchemas = folder === undefined ? `../shared/${SCHEMAS} is absent` : undefined;
if (noWireSchemas !== undefined) skipTest("messages fit the protocol's schemas", noWireSchemas);

/** Checks messages of servers against the JSON Schema that the protocol publishes for an era. */
export class WireSchema {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #era: Era;

  constructor(era: Era) {
    this.#era = era;
    addFormats.default(this.#ajv);
    this.#ajv.addFormat("byte", true);
    this.#ajv.addSchema(
      JSON.parse(readFileSync(new URL(files[era], folder), "utf8")) as object,
      "mcp",
    );
  }

  /** What is wrong with a message, or nothing. */
  problemsOf({ message, answers }: ServerMessage): string[] {
    return this.#typesOf(message, answers).flatMap(([type, value]) => {
      const validate = this.#ajv.getSchema(`mcp#/$defs/${type}`) as ValidateFunction;
      if (validate(value)) return [];
      const problems = validate.errors?.map(({ instancePath, message: what }) =>
        [instancePath, what].join(" "),
      );
      return [`${type}: ${problems?.join("; ")}\n${JSON.stringify(message)}`];
    });
  }

  #typesOf(message: ServerMessage["message"], answers = ""): [type: string, value: unknown][] {
    if ("error" in message) return [["JSONRPCErrorResponse", message]];
    if (!("result" in message)) {
      const isNotification = message["id"] === undefined;
      return [[isNotification ? "ServerNotification" : "ServerRequest", message]];
    }
    const result = message["result"] as Readonly<Record<string, unknown>>;
    const isQuestion = this.#era === "modern" && result["resultType"] === "input_required";
    const type = isQuestion ? "InputRequiredResult" : RESULTS[answers];
    if (type === undefined) throw new Error(`no request of ${JSON.stringify(message)} is known`);
    return [
      ["JSONRPCResultResponse", message],
      [type, result],
    ];
  }
}

/** The schemas of the eras; what they have compiled is of use to the next messages. */
const schemas = new Map<Era, WireSchema>();

function schemaOf(era: Era): WireSchema {
  const schema = schemas.get(era) ?? new WireSchema(era);
  schemas.set(era, schema);
  return schema;
}

/** What is wrong with the messages that a server sent; nothing where the protocol's schemas are not here. */
export function wireProblems(messages: readonly ServerMessage[], era: Era): string[] {
  if (noWireSchemas !== undefined) return [];
  const schema = schemaOf(era);
  return messages.flatMap((message) => schema.problemsOf(message));
}
