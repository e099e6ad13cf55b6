import type { Diagnostic } from "./diagnostic.js";
import type { ManifestPath } from "./loaded-manifest.js";
import type { FileOwner } from "./output-file.js";

export type ChangeOperation = "create" | "update" | "delete" | "move" | "keep" | "conflict";

/** One line of a plan, as `--json` prints it. The run does not touch files with `keep` or `conflict`; `reason` says why. */
export interface Change {
  readonly op: ChangeOperation;
  readonly path: string;
  /** Only for `move`. */
  readonly from?: string;
  readonly owner: FileOwner | "lock" | "user";
  readonly reason?: string;
}

export type SemanticSeverity = "breaking" | "warning" | "info";

/** One difference between the manifest of the last generation and this one that callers of the server can notice. */
export interface SemanticChange {
  readonly rule: string;
  readonly severity: SemanticSeverity;
  /** The changed place in the manifest: `tools.get_forecast.inputSchema.properties.days`. */
  readonly path: string;
  readonly message: string;
  /** The path of that place, or of its nearest remaining ancestor, in the new manifest. Gives the line; not part of `--json`. */
  readonly at: ManifestPath;
}

/**
 * A file-system step. Every step is safe to repeat. `before` is the SHA-256 (hex) of the bytes that were at the
 * path when the plan was made; it is absent if there was no file. A file that has changed since is not touched.
 */
export type FileOperation =
  | {
      readonly kind: "write";
      readonly path: string;
      readonly content: Uint8Array;
      readonly before?: string;
      /** The bytes that `before` is the hash of, if the plan still has them: comparing is faster than hashing. */
      readonly replaced?: Uint8Array;
      /** For a new file: the path of the file whose mode (permissions) it gets. */
      readonly modeOf?: string;
    }
  | { readonly kind: "delete"; readonly path: string; readonly before: string }
  | { readonly kind: "move"; readonly from: string; readonly path: string };

/** Everything that `generate` will do, known before it writes. `plan` prints it, `check` tests that it is empty. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly semantic: readonly SemanticChange[];
  readonly diagnostics: readonly Diagnostic[];
  /** For files that diagnostics point into: the text after the run, by the path that the diagnostics carry. */
  readonly sources?: ReadonlyMap<string, string>;
  /** By the paths of handlers to check: members of their results that are refused now, which no compiler finds. */
  readonly refusedMembers?: ReadonlyMap<string, ReadonlySet<string>>;
  /** In the order in which they are applied; the lock file comes last. */
  readonly operations: readonly FileOperation[];
}
