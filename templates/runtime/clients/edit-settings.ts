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

/** The entry of a server in a client's file of settings. */
export interface ServerEntry {
  /** The key of the object that contains all servers. */
  readonly key: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Values that VS Code asks its user for, and that `settings` refers to by `id`. */
  readonly inputs: readonly Input[];
}

/** A value that VS Code asks its user for. */
export interface Input {
  readonly type: "promptString";
  readonly id: string;
  readonly description: string;
  readonly password: boolean;
}

/** Thrown for a file that is not edited. The message starts with the line and column of the problem. */
export class UnusableSettings extends Error {
  override readonly name = "UnusableSettings";

  constructor(text: string, offset: number, problem: string) {
    const lines = text.slice(0, offset).split("\n");
    super(`${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}: ${problem}`);
  }
}

/** Lines that are not laid out: the time would grow with the square of their length, and nobody reads them. */
const LONG_LINE = /.{10000}/;

/** The keys that an installation replaces. Others, such as `env`, belong to the user. */
const OWN_KEYS = ["type", "command", "args", "url", "headers"];

/**
 * Adds or updates the entry of one server in the text of a client's file, which is JSON with comments.
 * Comments and all other values stay as they are.
 *
 * @throws UnusableSettings if the text is not valid JSON or has another structure
 */
export function withServer(text: string, { key, name, settings, inputs }: ServerEntry): string {
  const initial = hasValue(text) ? text : text.replace(/(?<=[^\n])$/, "\n") + "{}\n";
  let edited = inputs.reduce((before, input) => withInput(before, input), initial);
  requireObject(edited, [key]);
  const existing = findNodeAtLocation(parseObject(edited), [key, name]);
  if (existing?.type !== "object") return change(edited, [key, name], settings);
  for (const member of OWN_KEYS) edited = change(edited, [key, name, member], settings[member]);
  return edited;
}

function withInput(text: string, input: Input): string {
  const list = findNodeAtLocation(parseObject(text), ["inputs"]);
  if (list === undefined) return change(text, ["inputs"], [input]);
  if (list.type !== "array") throw new UnusableSettings(text, list.offset, "this must be a list");
  const ids = (list.children ?? []).map(
    (item) => findNodeAtLocation(item, ["id"])?.value as unknown,
  );
  return ids.includes(input.id) ? text : change(text, ["inputs", -1], input);
}

/** Whether a text contains more than white space and comments. */
function hasValue(text: string): boolean {
  const errors: ParseError[] = [];
  return parseTree(text, errors) !== undefined || errors.some(({ length }) => length > 0);
}

/** Parses a text, which must be one object. */
function parseObject(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    throw new UnusableSettings(text, error.offset, printParseErrorCode(error.error));
  }
  return objectNode(text, root);
}

function requireObject(text: string, path: JSONPath): void {
  const node = findNodeAtLocation(parseObject(text), path);
  if (node !== undefined) objectNode(text, node);
}

function objectNode(text: string, node: Node | undefined): Node {
  if (node?.type === "object") return node;
  throw new UnusableSettings(text, node?.offset ?? 0, "this must be an object");
}

/** Sets the value at a path, or removes it if `value` is undefined. */
function change(text: string, path: JSONPath, value: unknown): string {
  const exists = findNodeAtLocation(parseObject(text), path) !== undefined;
  if (!exists && value === undefined) return text;
  const options: ModificationOptions = {
    ...(!LONG_LINE.test(text) && { formattingOptions: formattingOf(text) }),
    ...(path.at(-1) === -1 && { isArrayInsertion: true }),
    ...(hasCommentAtEnd(text, path.slice(0, -1)) && { getInsertionIndex: () => 0 }),
  };
  return applyEdits(text, modify(text, path, value, options));
}

/**
 * Whether a comment follows the last member of the object or list at `path`. A new last member would separate
 * the two. If there is no such object, the nearest object around it counts.
 */
function hasCommentAtEnd(text: string, path: JSONPath): boolean {
  const node = findNodeAtLocation(parseObject(text), path);
  if (node === undefined) return hasCommentAtEnd(text, path.slice(0, -1));
  const last = node.children?.at(-1);
  if (last === undefined) return false;
  const after = text.slice(last.offset + last.length, node.offset + node.length);
  return /\/[/*]/.test(after);
}

/** Returns the line ends and the indentation that the text uses. */
function formattingOf(text: string): NonNullable<ModificationOptions["formattingOptions"]> {
  const indentation = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    insertSpaces: !indentation.startsWith("\t"),
    tabSize: indentation.startsWith("\t") ? 4 : Math.min(indentation.length, 8),
  };
}
