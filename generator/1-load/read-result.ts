import type { Diagnostic } from "../model/diagnostic.js";

/** What reading a manifest, or a file that it includes, gives. */
export interface ReadResult {
  /** Absent when there is a diagnostic. */
  readonly bytes?: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** The files that it may include. */
  readonly parts?: PartFiles;
}

/** The files below a manifest's folder that it may include. Paths are relative to that folder, with slashes. */
export interface PartFiles {
  /** The sorted paths that a pattern describes, without the manifest itself, or why they cannot be found. */
  find(pattern: string): Promise<readonly string[] | { readonly reason: string }>;
  /** Reads a file. */
  read(path: string): Promise<ReadResult>;
  /** The path that diagnostics carry. */
  shown(path: string): string;
}
