import { posix } from "node:path";
import { modulePath, type ModuleMoves } from "../source-editor.js";

/** Parts of paths: in what imports another file, its name is behind a slash. */
const SEGMENTS = /\/([\w.-]+)/g;
const ONE_SEGMENT = /^[\w.-]+$/;

/** Escapes with which such a name may be written: not those of other characters, as of tabs and quotation marks. */
const TELLING_ESCAPE = /\\(?![bfnrtv])[\w.\n\r\u2028\u2029-]/;

/** The names of modules that move, by which others have to import them. */
export class MovedNames {
  private readonly names: ReadonlySet<string>;
  private readonly areReadable: boolean;

  constructor(moves: ModuleMoves) {
    this.names = new Set([...moves.keys()].map((path) => posix.basename(path)));
    this.areReadable = [...this.names].every((name) => ONE_SEGMENT.test(name));
  }

  /**
   * Whether a module may import one that moves, found out without a compiler; `false` is sure.
   *
   * @param path where the module was written
   */
  mayBeImportedBy(path: string, source: string): boolean {
    if (this.names.size === 0) return false;
    if (!this.areReadable || TELLING_ESCAPE.test(source)) return true;
    // `./.` imports the folder in which it is written.
    return this.areIn(`/${posix.dirname(path)}`) || this.areIn(source);
  }

  private areIn(text: string): boolean {
    for (const [, segment = ""] of text.matchAll(SEGMENTS)) {
      if (this.names.has(modulePath(segment))) return true;
    }
    return false;
  }
}
