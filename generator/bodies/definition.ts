import type { ClaimTypes } from "../model/auth.js";
import type { BodyModel, SourceModel } from "../model/bodies.js";
import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";
import type { Manifest } from "../model/manifest.js";
import type { SemanticChange } from "../model/plan.js";
import type { ChangePlace, SemanticRule } from "../model/semantic-rule.js";

/**
 * A kind of body: all that phases 2 to 4 must know of it. What it becomes in a project is its `BodyKind` in phase 5. Its
 * members are methods, so that a table can hold all kinds.
 *
 * @typeParam Given what the manifest has under its key
 */
export interface BodyDefinition<Model = BodyModel, Given = object> {
  /** In words, for messages. */
  readonly words: string;
  /** True if it finds values of completions or instances of templates. */
  readonly isSource: boolean;
  /** The member of the manifest that names the service it asks; absent if it asks none. */
  readonly service?: keyof typeof SERVICE_KEYS;
  /** The word for an item with such a body that notifies clients of changes (`watch`). */
  readonly watched?: string;
  /** The means of the machine that the body needs: programs, or files beside the server's own code. */
  readonly needs?: "programs" | "files";
  /** Its member that names a folder. */
  readonly folder?: "cwd" | "root";
  /** What the starter manifest of `init` begins with, in words; absent if there is none for it. */
  readonly starter?: string;

  /** Fills in every default, and reads the placeholders. */
  read(given: Given, owner: BodyOwner): Model;
  /** What finds the instances of a template with such a body and completes its path, where the template names nothing. */
  instances?(given: Given): SourceModel | undefined;
  /** Where it may have `select`, and what is known of the answers; absent if its result cannot be selected. */
  selected?(given: Given): SelectedAnswer;

  /** What of a tool's body may change something although the tool says that it only reads; undefined if nothing may. */
  writing?(given: Given): WritingPart | undefined;

  /** The rules by which `compare` reports changes. */
  readonly rules: readonly SemanticRule<never>[];
  /** The changes of what is sent, run or read between two bodies of the kind; `place` is that of the present one. */
  compare(former: Given, present: Given, place: ChangePlace): SemanticChange[];
}

/** An answer from which the result of a tool may be selected. */
export interface SelectedAnswer {
  /** The member of the body that has `select`; absent if it is the body itself. */
  readonly under?: "result";
  /** The schema that every answer fits. */
  readonly answer: JsonSchema;
}

/** The part of a body that may change something. */
export interface WritingPart {
  /** The member of the body that says so; absent if every body of the kind may. */
  readonly under?: "method";
  /** What it does, in words. */
  readonly words: string;
}

/** An answer that is null breaks the derived schema, so that the model is told. */
export const NOT_NULL: JsonSchema = { type: ["object", "array", "string", "number", "boolean"] };

/** The keys by which bodies name the services that they ask, by the sections of the manifest that have these. */
export const SERVICE_KEYS = { upstreams: "upstream", databases: "database" } as const;

/** What the manifest declares for all bodies. */
export interface ManifestServices {
  readonly databases?: Manifest["databases"];
  /** The claims of callers. */
  readonly claims?: ClaimTypes | undefined;
}

/** What has a body: an item, or a completion or list of one. */
export interface BodyOwner extends ManifestServices {
  /** The names of the arguments that it may use. For a completion, the completed argument comes first. */
  readonly arguments: readonly string[];
  /** The names of arguments that are lists of texts. */
  readonly lists?: readonly string[];
  /** The schema of a tool's arguments. Absent where arguments are texts, or lists of texts. */
  readonly input?: JsonValue;
  /** The schema of a tool's answer. */
  readonly output?: JsonValue | undefined;
  /** The manifest's `schemas`. */
  readonly shared?: JsonObject;
  /** What another MCP server has in its place, unless the body names it. Absent for completions and lists. */
  readonly counterpart?: Counterpart;
}

/** An item of another MCP server. */
export type Counterpart =
  | { readonly asks: "tool" | "prompt"; readonly name: string }
  | { readonly asks: "resource"; readonly uri: string }
  | { readonly asks: "resource"; readonly uriTemplate: string };
