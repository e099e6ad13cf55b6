import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type ModificationOptions,
  type Node,
  type ParseError,
} from "jsonc-parser";

/** What a client's file is to say of a server. */
export interface ServerEntry {
  /** The key under which servers stand. */
  readonly key: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Questions of VS Code that the settings refer to, each with an `id`. */
  readonly inputs: readonly Question[];
}

/** What VS Code asks its user for. */
export interface Question {
  readonly type: "promptString";
  readonly id: string;
  readonly description: string;
  readonly password: boolean;
}

/** Why a file was left as it is. */
export class UnusableSettings extends Error {
  override readonly name = "UnusableSettings";

  constructor(text: string, offset: number, problem: string) {
    const lines = text.slice(0, offset).split("\n");
    super(`${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}: ${problem}`);
  }
}

/** The keys that say how a server is reached. Others, such as `env`, are the user's. */
const OWN_KEYS = ["type", "command", "args", "url", "headers"];

/**
 * The text of a client's file, JSON with comments, with the entry of one server. Comments and all that
 * the entry does not say stay as they are.
 *
 * @throws UnusableSettings with line and column where the text is not what the client writes
 */
export function withServer(text: string, { key, name, settings, inputs }: ServerEntry): string {
  const readable = hasValue(text) ? text : text.replace(/(?<=[^\n])$/, "\n") + "{}\n";
  let edited = inputs.reduce((before, input) => withInput(before, input), readable);
  mappingAt(edited, [key]);
  const present = findNodeAtLocation(read(edited), [key, name]);
  if (present?.type !== "object") return change(edited, [key, name], settings);
  for (const own of OWN_KEYS) edited = change(edited, [key, name, own], settings[own]);
  return edited;
}

function withInput(text: string, input: Question): string {
  const list = findNodeAtLocation(read(text), ["inputs"]);
  if (list === undefined) return change(text, ["inputs"], [input]);
  if (list.type !== "array") throw new UnusableSettings(text, list.offset, "this must be a list");
  const ids = (list.children ?? []).map((one) => findNodeAtLocation(one, ["id"])?.value as unknown);
  return ids.includes(input.id) ? text : change(text, ["inputs", -1], input);
}

/** Whether a text has more than blanks and comments. */
function hasValue(text: string): boolean {
  const errors: ParseError[] = [];
  return parseTree(text, errors) !== undefined || errors.some(({ length }) => length > 0);
}

/** The tree of a text that is one object. */
function read(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    throw new UnusableSettings(text, first.offset, printParseErrorCode(first.error));
  }
  return objectNode(text, root);
}

function mappingAt(text: string, path: JSONPath): void {
  const node = findNodeAtLocation(read(text), path);
  if (node !== undefined) objectNode(text, node);
}

function objectNode(text: string, node: Node | undefined): Node {
  if (node?.type === "object") return node;
  throw new UnusableSettings(text, node?.offset ?? 0, "this must be an object");
}

/** Sets a value; `undefined` takes it away. */
function change(text: string, path: JSONPath, value: unknown): string {
  const isThere = findNodeAtLocation(read(text), path) !== undefined;
  if (!isThere && value === undefined) return text;
  const options: ModificationOptions = {
    formattingOptions: formattingOf(text),
    ...(path.at(-1) === -1 && { isArrayInsertion: true }),
    ...(hasCommentAtEnd(text, path.slice(0, -1)) && { getInsertionIndex: () => 0 }),
  };
  return applyEdits(text, modify(text, path, value, options));
}

/**
 * Whether a comment follows the last member of the object that gets a new one: it would come to stand
 * behind that. Where the object itself is missing, it is the one around it.
 */
function hasCommentAtEnd(text: string, path: JSONPath): boolean {
  const node = findNodeAtLocation(read(text), path);
  if (node === undefined) return hasCommentAtEnd(text, path.slice(0, -1));
  const last = node.children?.at(-1);
  if (last === undefined) return false;
  const after = text.slice(last.offset + last.length, node.offset + node.length);
  return /\/[/*]/.test(after);
}

/** The text's own line ends and indentation. */
function formattingOf(text: string): NonNullable<ModificationOptions["formattingOptions"]> {
  const indentation = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    insertSpaces: !indentation.startsWith("\t"),
    tabSize: indentation.startsWith("\t") ? 4 : Math.min(indentation.length, 8),
  };
}
