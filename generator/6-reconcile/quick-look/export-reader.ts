import type { Piece } from "./neighbours.js";

type State = "outside" | "export" | "name" | "list" | "star";

const MODIFIERS = new Set(["async", "abstract"]);
const DECLARATIONS = new Set(["const", "let", "var", "function", "class"]);

/** Collects what a module exports out of its pieces, in their order. */
export class ExportReader {
  /** Names of values; of a declaration only its first. */
  readonly exported = new Set<string>();
  /** The module has `export *`. */
  open = false;
  private state: State = "outside";
  private last = "";

  /** Wants the next piece, in whatever brackets it is. */
  get isReading(): boolean {
    return this.state !== "outside";
  }

  /** @param piece outside all brackets, unless it is wanted */
  read({ kind, text }: Piece): void {
    const word = kind === "name" || kind === "keyword" ? text : "";
    switch (this.state) {
      case "outside":
        if (word === "export") this.state = "export";
        return;
      case "export":
        this.state = behindExport(word, text);
        return;
      case "star":
        this.open ||= word === "from";
        this.state = word === "as" ? "name" : "outside";
        return;
      case "name":
        // Of a generator.
        if (text === "*") return;
        if (word !== "") this.exported.add(word);
        this.state = "outside";
        return;
      case "list":
        this.readList(word, text);
    }
  }

  /** `{ name, local as other }`. */
  private readList(word: string, text: string): void {
    if (this.last !== "" && (text === "," || text === "}")) this.exported.add(this.last);
    this.last = word;
    if (text === "}") this.state = "outside";
  }
}

function behindExport(word: string, text: string): State {
  if (MODIFIERS.has(word)) return "export";
  if (DECLARATIONS.has(word)) return "name";
  if (text === "{") return "list";
  return text === "*" ? "star" : "outside";
}
