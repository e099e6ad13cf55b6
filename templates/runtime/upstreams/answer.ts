import type { ContentBlock } from "@modelcontextprotocol/server";
import { STATUS_CODES } from "node:http";
import { audio, embeddedBlob, image, text } from "../engine/content.js";
import { ToolError } from "../engine/errors.js";
import type { IncomingAnswer } from "./exchange.js";
import { exactJson, exactResult, markedJson, rounded, withDigits } from "../backends/exact-json.js";
import type { Masking } from "../backends/masking.js";
import { onlyFields, valueAt } from "./pointer.js";

/** Longest part of an upstream's message that a caller gets, in characters. */
const LONGEST_MESSAGE = 500;

/** Where upstreams say what went wrong. */
const MESSAGE_FIELDS = ["message", "detail", "title", "error"];

/** What becomes of an answer as content. */
export interface ContentOptions {
  /** JSON Pointer to the wanted part of a JSON answer. */
  readonly from?: string;
  /** The only members that objects keep. */
  readonly fields?: readonly string[];
}

/** How an answer becomes a resource. */
export interface ResourceOptions extends ContentOptions {
  /** Used instead of the upstream's media type. */
  readonly mimeType?: string;
}

/** The contents of a resource, which handlers of resources return. */
type ReadContents = { readonly mimeType: string } & (
  { readonly text: string } | { readonly blob: Uint8Array }
);

/** What an answer was put together from that is a list in several pages. */
interface Pages {
  readonly items: readonly unknown[];
  /** How many pages there are, where there were more. */
  readonly maxPages?: number;
}

/** The answer of an upstream. Where it is an error, its methods throw one whose text the caller gets. */
export class UpstreamAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #name: string;
  readonly #body: Buffer;
  readonly #isTruncated: boolean;
  readonly #isHead: boolean;
  readonly #masking: Masking;
  readonly #pages: Pages | undefined;

  /** @param name of the upstream */
  constructor(name: string, answer: IncomingAnswer, masking: Masking, pages?: Pages) {
    this.status = answer.status;
    this.headers = answer.headers;
    this.#name = name;
    this.#body = answer.body;
    this.#isTruncated = answer.isTruncated;
    this.#isHead = answer.isHead === true;
    this.#masking = masking;
    this.#pages = pages;
  }

  /** Whether it is no error. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Its text; where it was cut, a notice follows. @throws ToolError where it is an error */
  text(): string {
    this.#expectOk();
    if (this.#pages !== undefined) return exactJson(this.#pages.items) + this.#notice();
    const decoded = this.#decoded();
    const isJson = isJsonType(this.#mimeType());
    return (
      (isJson ? this.#masking.jsonText(decoded) : this.#masking.text(decoded)) + this.#notice()
    );
  }

  /** What follows a text that is not all. */
  #notice(): string {
    const { maxPages } = this.#pages ?? {};
    if (maxPages !== undefined) return `\n[cut after ${maxPages} pages]`;
    return this.#isTruncated ? `\n[cut after ${this.#body.length} bytes]` : "";
  }

  /** Its value, as `JSON.parse` reads it. @throws ToolError where it is an error, or no JSON */
  json<Value = unknown>(): Value {
    return rounded(this.marked()) as Value;
  }

  /** Its value with marks at numbers that would be rounded, for what puts pages together. */
  marked(): unknown {
    this.#expectOk();
    return this.#parsed();
  }

  /**
   * As what a tool with an output schema returns: its value, or a part of it. Texts beside it say what it cannot:
   * that there are more pages, and the digits of numbers that are rounded.
   *
   * @throws ToolError as {@link pick} does
   */
  result<Value = unknown>({ from, fields }: ContentOptions = {}): Value {
    return exactResult(this.#part(from, fields), this.#notice().trim()) as Value;
  }

  /** The same as {@link pick}, where whole numbers that would be rounded are texts of their digits. */
  exact<Value = unknown>(pointer = "", fields?: readonly string[]): Value {
    return withDigits(this.#part(pointer, fields)) as Value;
  }

  /**
   * A part of its value.
   *
   * @param pointer JSON Pointer
   * @param fields the only members that objects keep
   * @throws ToolError where it is an error, no JSON, or has no such part
   */
  pick<Value = unknown>(pointer: string, fields?: readonly string[]): Value {
    return rounded(this.#part(pointer, fields)) as Value;
  }

  #part(pointer = "", fields?: readonly string[]): unknown {
    const value = valueAt(this.marked(), pointer);
    if (value === undefined) {
      throw new ToolError(`The answer of the upstream ${this.#name} has nothing at ${pointer}.`);
    }
    return fields === undefined ? value : onlyFields(value, fields);
  }

  /**
   * The texts and numbers of a list in its value, as completions offer them.
   *
   * @param pointer JSON Pointer to the list
   * @param field the member that is wanted, where the list has objects
   * @throws ToolError where it is an error, no JSON, or has no such list
   */
  values(pointer = "", field?: string): string[] {
    const list = this.exact(pointer);
    if (!Array.isArray(list)) {
      throw new ToolError(`The answer of the upstream ${this.#name} has no list where one is due.`);
    }
    const wanted = field === undefined ? list : list.map((entry) => memberOf(entry, field));
    return wanted.filter(isTextOrNumber).map(String);
  }

  /** As content: text and JSON as text, images and sounds as such, anything else as an embedded resource. */
  content({ from, fields }: ContentOptions = {}): string | ContentBlock {
    this.#expectOk();
    if (from !== undefined || fields !== undefined) {
      const part = this.#part(from, fields);
      const value = rounded(part);
      return (typeof value === "string" ? value : exactJson(part)) + this.#notice();
    }
    const type = this.#mimeType();
    if (this.#pages !== undefined) return this.text();
    // JSON and pictures are never empty: an empty answer says nothing but its status.
    if (this.#isHead || (this.#body.length === 0 && !type.startsWith("text/"))) {
      return text(`${this.status} ${STATUS_CODES[this.status] ?? ""}`.trim());
    }
    if (isText(type)) return this.text();
    this.#expectWhole();
    if (type.startsWith("image/")) return image(this.#body, type);
    if (type.startsWith("audio/")) return audio(this.#body, type);
    return embeddedBlob(`upstream:${this.#name}`, this.#body, type);
  }

  /** As what a resource holds: text and JSON as text, anything else as bytes. @throws ToolError where it is an error */
  resource({ from, fields, mimeType }: ResourceOptions = {}): ReadContents {
    this.#expectOk();
    const type = this.#mimeType();
    if (from !== undefined || fields !== undefined) {
      const part = this.#part(from, fields);
      const value = rounded(part);
      return typeof value === "string"
        ? { text: value, mimeType: mimeType ?? "text/plain" }
        : { text: exactJson(part), mimeType: mimeType ?? "application/json" };
    }
    if (this.#pages !== undefined) {
      return { text: exactJson(this.#pages.items), mimeType: mimeType ?? type };
    }
    if (isText(type)) return { text: this.text(), mimeType: mimeType ?? type };
    this.#expectWhole();
    return { blob: this.#body, mimeType: mimeType ?? type };
  }

  /** Its bytes. @throws ToolError where it is an error */
  bytes(): Uint8Array {
    this.#expectOk();
    return this.#body;
  }

  /** The text for the caller, where the answer is an error without a text of the manifest. */
  failure(): ToolError {
    const reason = STATUS_CODES[this.status];
    const status = reason === undefined ? String(this.status) : `${this.status} ${reason}`;
    const said = this.#message();
    const message = said === undefined ? "." : `: ${said}`;
    return new ToolError(`The upstream ${this.#name} answered ${status}${message}`);
  }

  #expectOk(): void {
    if (!this.ok) throw this.failure();
  }

  #expectWhole(): void {
    if (!this.#isTruncated) return;
    throw new ToolError(
      `The answer of the upstream ${this.#name} is longer than ${this.#body.length} bytes.`,
    );
  }

  #parsed(): unknown {
    if (this.#pages !== undefined) return this.#pages.items;
    this.#expectWhole();
    const written = this.#body.toString("utf8").replace(/^\ufeff/, "");
    try {
      return this.#masking.parsed(markedJson(written));
    } catch {
      throw new ToolError(`The upstream ${this.#name} answered with something that is no JSON.`);
    }
  }

  #message(): string | undefined {
    let body: unknown;
    try {
      body = rounded(this.#parsed());
    } catch {
      return undefined;
    }
    const said = MESSAGE_FIELDS.map((field) => messageIn(valueAt(body, `/${field}`)));
    const message = said.find((candidate) => candidate !== undefined);
    if (message === undefined) return undefined;
    const whole = this.#masking.text(message);
    return whole.length <= LONGEST_MESSAGE ? whole : `${whole.slice(0, LONGEST_MESSAGE - 1)}\u2026`;
  }

  #mimeType(): string {
    const [type = ""] = (this.headers["content-type"] ?? "").split(";");
    return type.trim().toLowerCase() || "application/octet-stream";
  }

  #decoded(): string {
    const [, charset = "utf-8"] =
      /;\s*charset="?([\w.:-]+)/i.exec(this.headers["content-type"] ?? "") ?? [];
    try {
      return new TextDecoder(charset).decode(this.#body);
    } catch {
      return this.#body.toString("utf8");
    }
  }
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null;
  return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
}

function isTextOrNumber(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

/** An upstream's message is a text, an object that has one, or a list of them. */
function messageIn(value: unknown): string | undefined {
  const texts = [value].flat().map((one) => {
    const said = typeof one === "string" ? one : (valueAt(one, "/message") ?? valueAt(one, "/msg"));
    return typeof said === "string" ? said : "";
  });
  return texts.filter((said) => said !== "").join("; ") || undefined;
}

function isJsonType(type: string): boolean {
  return /[/+]json$/.test(type);
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson)$/.test(
    type,
  );
}
