import { writtenJson, type JsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import type { ToolModel } from "../../model/server-model.js";
import type { FormerGeneration } from "../former/former-generation.js";
import { piecesOf, toolRows, type PieceMarks } from "../former/former-pieces.js";
import { LaidOutJson } from "../project/json-text.js";
import type {
  BreakingValue,
  ToolContract,
  ToolsContract,
} from "../../../templates/runtime/suite/contract.js";

/** What the contract of a tool says of one of its schemas. */
export interface SchemaCases {
  /** Values that the schema allows; of an input schema, its objects. */
  readonly accepted: readonly JsonValue[];
  readonly refused: readonly BreakingValue[];
  /** Without saying which of the schemas is meant. */
  readonly untested: readonly string[];
}

/** The same of an output schema, with the value that stands for an answer where the contract says it. */
export interface OutputCases extends SchemaCases {
  readonly mock?: JsonValue;
}

/** The tools in the file of their contracts, as they were listed and as they are tested. */
const LISTED: PieceMarks = { opening: '\n  "list": [', before: "\n    {", closing: "\n  ]" };
const TESTED: PieceMarks = { opening: '\n  "tools": [', before: "\n    {", closing: "\n  ]" };

/** A piece of the file as a document by itself. */
const documentOf = (piece: string): string =>
  `{${piece.endsWith(",") ? piece.slice(0, -1) : piece}`;

/** A former file of the contracts of tools; none where nothing is known of it. */
export interface FormerContractFile {
  readonly former: FormerGeneration | undefined;
  readonly path: string;
}

/** The lists of the file: what a former one says of tools that are as they were, and what is made of the others. */
export function contractLists(
  tools: readonly ToolModel[],
  { former, path }: FormerContractFile,
  contractOf: (tool: ToolModel) => ToolContract,
): Record<"list" | "tools", readonly object[]> {
  const list = (marks: PieceMarks, make: (tool: ToolModel) => object): object[] =>
    toolRows(tools, former, path, marks).flatMap(({ tools: row, text }) =>
      text === undefined ? row.map(make) : new LaidOutJson(documentOf(text)),
    );
  return { list: list(LISTED, ({ wire }) => wire), tools: list(TESTED, contractOf) };
}

/** What the file says of the schemas of the other tools, or of all where it cannot be told apart. */
export function formerContracts(
  former: FormerGeneration,
  path: string,
): FormerContracts | undefined {
  const changed = former.tools.names.filter((name) => !former.tools.kept.has(name));
  const [list, tools] = [LISTED, TESTED].map((marks) => piecesOf(former, path, marks, changed));
  if (list === undefined || tools === undefined) {
    const text = former.text(path);
    return text === undefined ? undefined : new FormerContracts(JSON.parse(text) as ToolsContract);
  }
  const parse = (piece: Buffer): JsonValue => JSON.parse(documentOf(piece.toString())) as JsonValue;
  return new FormerContracts({
    list: list.map((piece) => parse(piece) as JsonObject),
    tools: tools.map((piece) => parse(piece) as unknown as ToolContract),
  });
}

/**
 * What the contracts of a former generation say of the schemas of their tools. The file holds each tool as
 * it was listed, with its schemas to the letter, and what is said of a schema follows from it alone: so it
 * holds for that schema still, whatever else has changed.
 */
export class FormerContracts {
  readonly #inputs = new Map<string, SchemaCases>();
  readonly #outputs = new Map<string, OutputCases>();

  constructor({ list, tools }: Pick<ToolsContract, "list" | "tools">) {
    for (const [index, tool] of tools.entries()) {
      const { inputSchema, outputSchema } = list[index] ?? {};
      if (inputSchema !== undefined) {
        this.#inputs.set(writtenJson(inputSchema as JsonSchema), inputCases(tool));
      }
      const output = outputSchema === undefined ? undefined : outputCases(tool);
      if (output !== undefined) {
        const key = writtenJson(outputSchema as JsonSchema);
        this.#outputs.set(key, { ...this.#outputs.get(key), ...output });
      }
    }
  }

  /** `undefined` for a schema that no tool had for its input. */
  input(schema: JsonSchema): SchemaCases | undefined {
    return this.#inputs.get(writtenJson(schema));
  }

  /** `undefined` for a schema that no tool had for its output. */
  output(schema: JsonSchema): OutputCases | undefined {
    return this.#outputs.get(writtenJson(schema));
  }
}

function inputCases({ accepted, refused, examples, untested }: ToolContract): SchemaCases {
  // The calls of the examples that succeed come first.
  const shown = examples.filter(({ answer }) => answer.isError !== true).length;
  const made = accepted.slice(shown).map((call) => call.arguments);
  return { accepted: made, refused, untested: untestedOf("input", untested) };
}

function outputCases({ output, examples, mock, untested }: ToolContract): OutputCases | undefined {
  if (output === undefined) return undefined;
  const made = examples.length === 0 ? mock?.structuredContent : undefined;
  return {
    ...output,
    untested: untestedOf("output", untested),
    ...(made !== undefined && { mock: made }),
  };
}

function untestedOf(part: "input" | "output", untested: readonly string[]): string[] {
  const start = `${part} `;
  return untested.flatMap((text) => (text.startsWith(start) ? [text.slice(start.length)] : []));
}
