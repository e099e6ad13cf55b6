import type { JsonObject } from "../../../../model/json.js";
import { benchManifest } from "../bench-server/projects.js";

/** A tool as manifests and OpenAPI documents describe it. */
export interface BenchTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** What is generated: tools that share one schema, or tools with schemas of their own, as real servers have them. */
export interface ToolKind {
  tools(count: number): readonly BenchTool[];
  manifest(count: number): string;
  /** The manifest after its last tool has changed. */
  changed(count: number): string;
}

const sameInput: JsonObject = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 1, maxLength: 80, description: "City name" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3, description: "How many days" },
  },
  required: ["city"],
  additionalProperties: false,
};

const sameOutput: JsonObject = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: {
      type: "array",
      items: {
        type: "object",
        properties: {
          day: { type: "integer" },
          high: { type: "number", description: "Highest temperature in °C" },
          sky: { type: "string", enum: ["clear", "clouds", "rain"] },
        },
        required: ["day", "high", "sky"],
      },
    },
  },
  required: ["city", "days"],
};

function sameTool(index: number): BenchTool {
  return {
    name: `tool_${index}`,
    description: `Daily forecast for one city, by method ${index}.`,
    inputSchema: sameInput,
    outputSchema: sameOutput,
  };
}

const SUBJECTS = ["order", "invoice", "user", "ticket", "branch", "report", "device", "contract"];
const VERBS = ["find", "create", "update", "list", "cancel", "export", "share"];

/** Makers of properties; none that follow each other are alike, and hardly any two tools have the same. */
const PROPERTIES: readonly ((index: number, about: string) => [string, JsonObject])[] = [
  (index, about) => [
    `${about}_name`,
    { type: "string", description: `Name of the ${about}`, minLength: 1, maxLength: 20 + index },
  ],
  (index, about) => [
    `${about}_limit`,
    { type: "integer", description: "At most so many", minimum: 1, maximum: 10 + index },
  ],
  (index, about) => [
    `${about}_state`,
    { type: "string", description: "Its state", enum: ["open", "closed", `state_${index}`] },
  ],
  (index, about) => [
    `with_${about}_details`,
    { type: "boolean", description: `Whether to add the details of ${about} ${index}` },
  ],
  (index, about) => [
    `${about}_since`,
    { type: "string", format: "date", description: `First day, in view ${index}` },
  ],
  (index, about) => [
    `${about}_weight`,
    { type: "number", description: "In kilograms", exclusiveMinimum: 0, maximum: index + 0.5 },
  ],
  (index, about) => [
    `${about}_labels`,
    { type: "array", description: "Labels", maxItems: 1 + (index % 9), items: { type: "string" } },
  ],
  (index, about) => [
    `${about}_filter`,
    {
      type: "object",
      description: "What to leave out",
      properties: {
        [`by_${index % 31}`]: { type: "string", description: "By whom" },
        page: { type: "integer", description: "Which page", minimum: 1, maximum: 100 + index },
      },
      required: ["page"],
      additionalProperties: false,
    },
  ],
];

/** One in ten takes a value of either of two types. */
const EITHER: JsonObject = {
  description: "Number or name",
  anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }],
};

function differentTool(index: number): BenchTool {
  const subject = SUBJECTS[index % SUBJECTS.length] ?? "item";
  const verb = VERBS[index % VERBS.length] ?? "do";
  const count = 3 + (index % 5);
  const properties = Array.from({ length: count }, (_, at) => {
    const maker = PROPERTIES[(index * 3 + at) % PROPERTIES.length] ?? PROPERTIES[0]!;
    return maker(index * 7 + at, SUBJECTS[(index + at) % SUBJECTS.length] ?? subject);
  });
  if (index % 10 === 0) properties.push(["reference", EITHER]);
  const names = properties.map(([name]) => name);
  return {
    name: `${verb}_${subject}_${index}`,
    description: `${verb}s ${subject}s of department ${index}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(properties),
      required: names.slice(0, 1 + (index % 3)),
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        [`${subject}_${index}`]: { type: "string", description: "Its id" },
        found: { type: "integer", minimum: 0 },
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: Object.fromEntries(properties.slice(0, 2)),
            required: names.slice(0, 1),
          },
        },
      },
      required: ["found"],
    },
  };
}

function manifestOf(tools: readonly BenchTool[]): string {
  const items = tools.map(
    ({ name, description, inputSchema, outputSchema }) => `  - name: ${name}
    description: ${description}
    inputSchema: ${JSON.stringify(inputSchema)}
${outputSchema === undefined ? "" : `    outputSchema: ${JSON.stringify(outputSchema)}\n`}`,
  );
  return `manifestVersion: 1
name: bench
version: 1.0.0
diagnostics: { toolBudget: 0 }
transports:
  - type: stdio
  - type: http
tools:
${items.join("")}`;
}

function tools(count: number, make: (index: number) => BenchTool): BenchTool[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** With more tools than these, only inputs are described: a manifest holds 8 MiB. */
const MOST_WITH_OUTPUT = 5_000;

function differentTools(count: number): BenchTool[] {
  const all = tools(count, differentTool);
  if (count <= MOST_WITH_OUTPUT) return all;
  return all.map(({ outputSchema: _left, ...tool }) => tool);
}

/** Another text, and another property. */
function changedTool(tool: BenchTool): BenchTool {
  const { description, inputSchema } = tool;
  const properties = { ...(inputSchema["properties"] as JsonObject), note: { type: "string" } };
  return {
    ...tool,
    description: `${description} Newer.`,
    inputSchema: { ...inputSchema, properties },
  };
}

export const TOOL_KINDS = {
  same: {
    tools: (count) => tools(count, sameTool),
    manifest: benchManifest,
    changed: (count) => {
      const last = `by method ${count - 1}.`;
      return benchManifest(count).replace(last, `${last} Newer.`);
    },
  },
  different: {
    tools: differentTools,
    manifest: (count) => manifestOf(differentTools(count)),
    changed: (count) => {
      const all = differentTools(count);
      return manifestOf([...all.slice(0, -1), ...all.slice(-1).map(changedTool)]);
    },
  },
} as const satisfies Readonly<Record<string, ToolKind>>;
