import type { ManifestTool } from "../../../model/manifest.js";
import { slottedSchema } from "./slotted-schema.js";
import { elicitations, icon, meta, mimeType, plain, pointerPart, type FillSlot } from "./slots.js";

/** Tools in which every string that may hold free text is a slot. */
export function slottedTools(fill: FillSlot): ManifestTool[] {
  return [
    handledTool(fill),
    checkedTool(fill),
    olderTool(fill),
    fixedTool(fill),
    toldTool(fill),
    failingTool(fill),
    askingTool(fill),
    listingTool(fill),
    removingTool(fill),
    queryingTool(fill),
    runningTool(fill),
    passingTool(fill),
  ];
}

/** A tool whose callers ask for one page after the other. */
function listingTool(fill: FillSlot): ManifestTool {
  const member = `a${fill("listing.headers.member", "key")}`;
  return {
    name: "listing",
    description: "Lists.",
    inputSchema: {
      type: "object",
      properties: { who: { type: "string", description: "Who" } },
      required: ["who"],
    },
    http: {
      upstream: "api",
      path: "/lists/{{who}}",
      retries: { max: 1 },
      paginate: {
        cursor: { query: "after", from: pointerTo(fill("listing.pointer", "key")) },
        expose: true,
      },
      result: { headers: { [member]: "X-Some" } },
    },
  };
}

/** A tool whose body changes something and answers without content. */
function removingTool(fill: FillSlot): ManifestTool {
  return {
    name: "removing",
    description: "Removes.",
    inputSchema: {
      type: "object",
      properties: { who: { type: "string", description: "Who" } },
      required: ["who"],
    },
    http: {
      upstream: "api",
      method: "DELETE",
      path: "/lists/{{who}}",
      result: { noContent: `${plain(fill("removing.noContent", "text"))} {{who}}` },
    },
  };
}

/** A tool whose body asks an upstream. */
function askingTool(fill: FillSlot): ManifestTool {
  const argument = `a${fill("asking.input.property", "key")}`;
  return {
    name: "asking",
    description: "Asks.",
    inputSchema: {
      type: "object",
      properties: { who: { type: "string", description: "Who" }, [argument]: { type: "string" } },
      required: ["who"],
    },
    confirm: `${plain(fill("asking.confirm", "text"))} {{who}}?`,
    http: {
      upstream: "api",
      method: "POST",
      path: "/people/{{who}}",
      query: {
        // The language has no key `__proto__`.
        [`q${fill("asking.query", "uri")}`]: { from: argument, style: "form", explode: false },
        fixed: plain(fill("asking.query.value", "uri")),
      },
      headers: { "X-Note": `{{who}} ${plain(fill("asking.header", "header"))}` },
      body: {
        [fill("asking.body", "key")]: `${plain(fill("asking.body.value", "text"))} {{who}}`,
        list: [plain(fill("asking.body.item", "text")), "{{who}}"],
      },
      result: { fields: ["id"] },
      errors: { "404": `{{who}}{{#who}}${plain(fill("asking.error", "text"))}{{/who}}` },
    },
    examples: [
      {
        name: fill("asking.examples.name", "text"),
        // It is in a header, too, which cannot contain every text.
        arguments: { who: fill("asking.examples.arguments", "header") },
        http: { status: 500, text: fill("asking.examples.http", "text") },
        error: "The upstream api answered 500 Internal Server Error.",
      },
    ],
  };
}

/** A tool whose body asks a database. */
function queryingTool(fill: FillSlot): ManifestTool {
  const text = fill("querying.query", "key");
  return {
    name: "querying",
    description: "Queries.",
    inputSchema: {
      type: "object",
      properties: { who: { type: "string", description: "Who" } },
      required: ["who"],
    },
    outputSchema: {
      type: "array",
      items: {
        type: "object",
        properties: { [fill("querying.column", "key")]: { type: "number" } },
      },
    },
    sql: {
      database: "shop",
      query: `select $mcpwright$${text}$mcpwright$, :who`,
      role: { claim: "role", oneOf: [`x${fill("querying.role", "key")}`] },
      set: { "app.user": { caller: "subject" } },
    },
    examples: [
      {
        name: fill("querying.examples.name", "text"),
        arguments: { who: fill("querying.examples.arguments", "text") },
        database: "shop",
        result: [],
      },
    ],
  };
}

/** A tool whose body runs a program. */
function runningTool(fill: FillSlot): ManifestTool {
  const argument = `a${fill("running.input.property", "word")}`;
  const program = fill("running.program", "choice");
  return {
    name: "running",
    description: "Runs.",
    inputSchema: {
      type: "object",
      properties: { who: { type: "string", description: "Who" }, [argument]: { type: "string" } },
      required: ["who"],
    },
    exec: {
      command: [
        `bin/${plain(program)}`,
        `--note=${plain(fill("running.command", "choice"))}`,
        `{{#${argument}}}--more={{${argument}}}{{/${argument}}}`,
        "--",
        "{{who}}",
      ],
      trusted: ["who", argument],
      env: { NOTE: `x${fill("running.env", "setting")}` },
      cwd: `data/${fill("running.cwd", "setting")}`,
      stdin: `{{who}} ${plain(fill("running.stdin", "text"))}`,
    },
    examples: [
      {
        name: fill("running.examples.name", "text"),
        arguments: { who: fill("running.examples.arguments", "text") },
        exec: { stdout: fill("running.examples.stdout", "text"), status: 3 },
        error: `The program bin/${program} ended with status 3.`,
      },
    ],
  };
}

/** A tool whose call another MCP server gets. */
function passingTool(fill: FillSlot): ManifestTool {
  const argument = `a${fill("passing.input.property", "word")}`;
  return {
    name: "passing",
    description: "Passes.",
    inputSchema: {
      type: "object",
      properties: { who: { type: "string", description: "Who" }, [argument]: { type: "string" } },
      required: ["who"],
    },
    mcp: {
      upstream: "remote",
      name: `x${fill("passing.name", "text")}`,
      arguments: {
        // The manifest's order does not count: the letter keeps it.
        [`z${fill("passing.argument", "key")}`]: `${plain(fill("passing.value", "text"))} {{who}}`,
        list: [plain(fill("passing.item", "text")), `{{${argument}}}`],
      },
    },
  };
}

function handledTool(fill: FillSlot): ManifestTool {
  const result = fill("handled.output.property", "key");
  return {
    name: "handled",
    title: fill("handled.title", "text"),
    description: fill("handled.description", "text"),
    inputSchema: slottedSchema(fill),
    outputSchema: {
      type: "object",
      description: fill("handled.output.description", "text"),
      properties: {
        [result]: {
          type: "string",
          description: fill("handled.output.property.description", "text"),
        },
      },
      required: [result],
    },
    annotations: { title: fill("handled.annotations.title", "text"), readOnlyHint: true },
    icons: [icon("handled.icons", fill)],
    _meta: meta("handled._meta", fill),
    uses: ["sampling", "roots"],
    elicitations: elicitations("handled.elicitations", fill),
    examples: [
      {
        name: fill("handled.examples.name", "text"),
        arguments: { note: {}, other: fill("handled.examples.arguments", "text") },
        result: { [result]: fill("handled.examples.result", "text") },
      },
    ],
  };
}

/** The keywords whose validators are the most code around names and values. */
function checkedTool(fill: FillSlot): ManifestTool {
  const key = fill("checked.property", "key");
  const word = fill("checked.word", "word");
  const absent = fill("checked.absent", "key");
  const node = fill("checked.$defs", "key");
  const reference = { $ref: `#/$defs/${pointerPart(node)}` };
  return {
    name: "checked",
    description: fill("checked.description", "text"),
    inputSchema: {
      type: "object",
      properties: {
        [key]: { type: "string" },
        [word]: { type: "string", default: fill("checked.default", "text") },
        named: {
          type: "object",
          propertyNames: { enum: [fill("checked.propertyNames", "short key")] },
        },
        list: {
          type: "array",
          contains: { const: fill("checked.contains", "text") },
          uniqueItems: true,
        },
        one: {
          oneOf: [
            { const: fill("checked.oneOf.0", "choice") },
            { const: fill("checked.oneOf.1", "choice") },
          ],
        },
        other: { not: { const: fill("checked.not", "text") } },
        tree: reference,
      },
      required: [key],
      dependentSchemas: { [key]: { required: [word] } },
      if: { properties: { [key]: { const: fill("checked.if", "text") } } },
      then: { properties: { [fill("checked.then", "word")]: { type: "integer" } } },
      else: { required: ["named"] },
      not: { required: [absent] },
      unevaluatedProperties: false,
      $defs: {
        [node]: {
          type: "object",
          properties: { [fill("checked.$defs.word", "word")]: { type: "array", items: reference } },
        },
      },
    },
  };
}

/** The older dialect has its own forms. */
function olderTool(fill: FillSlot): ManifestTool {
  const key = fill("older.property", "key");
  const word = fill("older.word", "word");
  const definition = fill("older.definitions", "key");
  return {
    name: "older",
    description: fill("older.description", "text"),
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: {
        [key]: { type: "string" },
        [word]: { type: "string" },
        referred: { $ref: `#/definitions/${pointerPart(definition)}` },
      },
      dependencies: { [key]: [word], [word]: { required: [key] } },
      definitions: { [definition]: { enum: [fill("older.enum", "short")] } },
    },
  };
}

function fixedTool(fill: FillSlot): ManifestTool {
  return {
    name: "fixed",
    description: fill("fixed.description", "text"),
    inputSchema: { type: "object", properties: { who: { type: "string" } } },
    content: [
      {
        type: "text",
        text: plain(fill("fixed.text", "text")),
        _meta: meta("fixed.text._meta", fill),
      },
      {
        type: "resource",
        resource: {
          uri: `demo://within/${fill("fixed.resource.uri", "uri")}`,
          mimeType: mimeType("fixed.resource.mimeType", fill),
          text: fill("fixed.resource.text", "text"),
        },
      },
      {
        type: "resource_link",
        uri: `demo://linked/${fill("fixed.link.uri", "uri")}`,
        name: `linked ${fill("fixed.link.name", "name")}`,
        title: fill("fixed.link.title", "text"),
        description: fill("fixed.link.description", "text"),
      },
    ],
    structuredContent: {
      [fill("fixed.structured.key", "key")]: fill("fixed.structured.value", "text"),
    },
  };
}

/** A tool whose mock answer is the text of its example. */
function toldTool(fill: FillSlot): ManifestTool {
  return {
    name: "told",
    description: fill("told.description", "text"),
    examples: [
      { name: fill("told.examples.name", "text"), text: fill("told.examples.text", "text") },
    ],
  };
}

function failingTool(fill: FillSlot): ManifestTool {
  return {
    name: "failing",
    description: fill("failing.description", "text"),
    examples: [{ error: fill("failing.examples.error", "text") }],
  };
}

/** The JSON Pointer to a member of an object. */
function pointerTo(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
