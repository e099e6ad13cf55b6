import type { Place } from "../../model/place.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Dialect, SchemaPath } from "../../schema/json-schema.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import type { PatternCosts } from "../../schema/patterns/pattern-cost.js";

/** What all documents of one manifest share while they are checked. */
export interface CheckRun {
  readonly manifest: LoadedManifest;
  readonly shared: SharedSchemas;
  readonly patterns: PatternCosts;
  /** The most similar candidate, for a suggestion. Undefined if there is none, and after many calls. */
  nearest(found: string, candidates: readonly string[]): string | undefined;
}

/** A schema of a manifest from its root: a tool's inputSchema or outputSchema, an entry of `schemas`, or the form of an elicitation. */
export interface SchemaDocument {
  readonly run: CheckRun;
  /** Where the root stands in the manifest. */
  readonly at: ManifestPath;
  readonly role: "input" | "output" | "shared" | "form";
  readonly root: JsonObject;
  readonly dialect: Dialect;
}

/** A schema within a document; `path` leads there from the root. */
export interface SchemaNode {
  readonly schema: JsonObject;
  readonly path: SchemaPath;
}

/** Checks one schema of a document, without those inside it. */
export type SchemaRule = (node: SchemaNode, document: SchemaDocument) => Iterable<Diagnostic>;

/** The place in the manifest's text of a path from the root of a document. */
export function placeOf(
  { run, at }: SchemaDocument,
  path: readonly (string | number)[],
  target: "key" | "value",
): Place {
  return run.manifest.locate([...at, ...path], target);
}
