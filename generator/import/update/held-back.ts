import { isDeepStrictEqual } from "node:util";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { entriesIn, entriesUsedBy, type Sections } from "./merge-sections.js";
import { nameOfTool, type MergedTool } from "./merge-tools.js";

/** A manifest after a merge, with the parts that it was made of. */
export interface MergedManifest {
  readonly manifest: LoadedManifest;
  readonly tools: readonly MergedTool[];
  readonly sections: Sections;
}

/** What an update leaves as it is, each with the reason. */
export class HeldBack {
  /** Tools, by their operations. */
  readonly tools = new Map<string, string>();
  /** Shared schemas. */
  readonly schemas = new Map<string, string>();
  readonly #former: JsonObject;
  /** The operations whose tools would not be valid. */
  readonly #invalid = new Set<string>();

  /** @param former the manifest before the update */
  constructor(former: JsonObject) {
    this.#former = former;
  }

  /**
   * Holds back the tool that an error of a merged manifest is about. Where that has not removed the error, the schemas
   * that the tool uses are its cause: they are held back, and the tool no longer.
   *
   * @returns false if the error is about no tool, or nothing else can be held back for it
   */
  add(error: Diagnostic, merged: MergedManifest): boolean {
    const tool = toolOf(error, merged);
    if (tool === undefined) return false;
    const { operation } = tool;
    if (operation !== undefined && !this.tools.has(operation)) {
      this.tools.set(operation, `the manifest would not be valid: ${error.message}`);
      this.#invalid.add(operation);
      return true;
    }
    const schemas = this.#changedSchemas(tool, merged.sections);
    for (const name of schemas) this.schemas.set(name, reasonOf(tool, error));
    if (schemas.length > 0 && operation !== undefined && this.#invalid.has(operation)) {
      this.tools.delete(operation);
    }
    return schemas.length > 0;
  }

  /** The schemas that a tool uses and that the update changes. */
  #changedSchemas({ value }: MergedTool, { schemas }: Sections): string[] {
    const former = entriesIn(this.#former, "schemas");
    return [...entriesUsedBy("schemas", value, schemas)].filter((name) => {
      const before = ownValue(former, name);
      return before !== undefined && !isDeepStrictEqual(before, ownValue(schemas, name));
    });
  }
}

/** An error of a merged manifest in words, with the tool that it is about. */
export function invalidReason(error: Diagnostic | undefined, merged: MergedManifest): string {
  const tool = error && toolOf(error, merged);
  return tool === undefined ? (error?.message ?? "") : reasonOf(tool, error);
}

const reasonOf = ({ value }: MergedTool, error: Diagnostic | undefined): string =>
  `the tool ${nameOfTool(value)} would not be valid: ${error?.message ?? ""}`;

function toolOf(error: Diagnostic, { tools, manifest }: MergedManifest): MergedTool | undefined {
  return tools.find((_, index) => {
    const { file, line, endLine } = manifest.locate(["tools", index], "value");
    return file === error.file && line <= error.line && error.line <= endLine;
  });
}
