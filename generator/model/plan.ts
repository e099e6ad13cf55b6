import type { Diagnostic } from "./diagnostic.js";
import type { ManifestPath } from "./loaded-manifest.js";
import type { FileOwner } from "./output-file.js";

export type ChangeOperation = "create" | "update" | "delete" | "move" | "keep" | "conflict";

/** One line of a plan, as `--json` prints it. `keep` and `conflict` name files that the run leaves alone, with the reason. */
export interface Change {
  readonly op: ChangeOperation;
  readonly path: string;
  /** Only for `move`. */
  readonly from?: string;
  readonly owner: FileOwner | "lock" | "user";
  readonly reason?: string;
}

export type SemanticSeverity = "breaking" | "warning" | "info";

/** One difference between the manifest of the last generation and this one, as callers see it. */
export interface SemanticChange {
  readonly rule: string;
  readonly severity: SemanticSeverity;
  /** Where in the manifest: `tools.get_forecast.inputSchema.properties.days`. */
  readonly path: string;
  readonly message: string;
  /** The same place, or what is left of it, in the new manifest, for its line; not part of `--json`. */
  readonly at: ManifestPath;
}

/**
 * A file-system step. Every step is safe to repeat. `before` is the SHA-256 (hex) of the bytes that the
 * plan saw at the path, absent where there was nothing: a file that has changed since is not touched.
 */
export type FileOperation =
  | {
      readonly kind: "write";
      readonly path: string;
      readonly content: Uint8Array;
      readonly before?: string;
      /** Those bytes, where the plan had them all: comparing is quicker than hashing. */
      readonly replaced?: Uint8Array;
      /** For a new file: the path of the one whose mode it takes. */
      readonly modeOf?: string;
    }
  | { readonly kind: "delete"; readonly path: string; readonly before: string }
  | { readonly kind: "move"; readonly from: string; readonly path: string };

/** What `generate` will do, complete before anything is touched. `plan` prints it, `check` asks whether it is empty. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly semantic: readonly SemanticChange[];
  readonly diagnostics: readonly Diagnostic[];
  /** Texts, as they will be, of the files that diagnostics point into, by the path that these carry. */
  readonly sources?: ReadonlyMap<string, string>;
  /** In the order in which they are applied; the lock file comes last. */
  readonly operations: readonly FileOperation[];
}
