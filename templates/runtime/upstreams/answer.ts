import type { ContentBlock } from "@modelcontextprotocol/server";
import { STATUS_CODES } from "node:http";
import { audio, embeddedBlob, image, text } from "../engine/content.js";
import { ToolError } from "../engine/errors.js";
import { printable } from "../engine/printable.js";
import { errorMessage, retryHint } from "./error-message.js";
import type {
  ContentOptions,
  FetchedPages,
  ReadContents,
  ResourceOptions,
  ResultOptions,
} from "./answer-options.js";
import type { IncomingAnswer } from "./messages.js";
import {
  exactJson,
  exactResult,
  parseMarked,
  TooDeepError,
  withRoundedNumbers,
  withDigitStrings,
} from "../backends/exact-json.js";
import type { Masking } from "../backends/masking.js";
import { decodedText, isJsonType, isText, mimeTypeOf } from "./media-types.js";
import { receivedValue, withoutValue } from "../tools/result.js";
import { onlyFields, valueAt } from "./pointer.js";
import { breakageProblem, carriedOutWith, UnreadableError } from "./unread-answer.js";

/** The maximum length of a part of an answer in a message, in characters. */
const MAX_WORDS = 200;

/**
 * The marked value of a JSON answer (`backends/exact-json.ts`), which handlers must not see.
 *
 * @throws ToolError if the answer is an error or no JSON
 */
export let markedValueOf: (answer: UpstreamAnswer) => unknown;

/**
 * The answer of an upstream. If its status is an error, its methods throw a ToolError for the caller. Of a JSON answer
 * with integers that JavaScript rounds, `json` and `pick` give rounded numbers, `exact` and `values` give the digits as
 * texts, and what becomes text (`text`, `content`, `resource`) keeps the digits.
 */
export class UpstreamAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #name: string;
  readonly #body: Buffer;
  readonly #isTruncated: boolean;
  readonly #breakage: ToolError | undefined;
  readonly #isTooLong: boolean;
  readonly #isUnsafe: boolean;
  readonly #isHead: boolean;
  readonly #masking: Masking;
  readonly #pages: FetchedPages | undefined;

  static {
    markedValueOf = (answer) => {
      answer.#expectOk();
      return answer.#parsed();
    };
  }

  /** @param name the name of the upstream */
  constructor(name: string, answer: IncomingAnswer, masking: Masking, pages?: FetchedPages) {
    this.status = answer.status;
    this.headers = answer.headers;
    this.#name = name;
    this.#body = answer.body;
    this.#isTruncated = answer.isTruncated;
    this.#breakage = answer.breakage;
    this.#isTooLong = answer.isTooLong === true;
    this.#isUnsafe = answer.isUnsafe === true;
    this.#isHead = answer.isHead === true;
    this.#masking = masking;
    this.#pages = pages;
  }

  /** Whether the status is from 200 to 299. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The cursor with which the caller gets the next page, if the request exposes pages and there are more. */
  get nextCursor(): string | undefined {
    return this.#pages?.nextCursor;
  }

  /**
   * A result with the values of headers beside it, without secrets. What the answer does not have is absent.
   *
   * @param names the names of the headers, by those of the members
   */
  withHeaders<Part extends object, Name extends string>(
    part: Part,
    names: Readonly<Record<Name, string>>,
  ): Part & { [Member in Name]?: string } {
    const entries = Object.entries<string>(names).flatMap(([member, name]) => {
      const value = this.headers[name.toLowerCase()];
      return value === undefined ? [] : [[member, this.#masking.text(value)]];
    });
    const values = Object.fromEntries(entries) as { [Member in Name]?: string };
    return { ...part, ...values };
  }

  /** The text of the answer. If it was cut, a notice follows. @throws ToolError if the status is an error */
  text(): string {
    this.#expectOk();
    if (this.#isTooLong) this.#expectNotTruncated();
    return this.#wholeText();
  }

  #wholeText(): string {
    if (this.#pages !== undefined) return exactJson(this.#pages.items) + this.#notice();
    const decoded = decodedText(this.#body, this.headers);
    const isJson = isJsonType(this.#mimeType());
    return (
      (isJson ? this.#masking.jsonText(decoded) : this.#masking.text(decoded)) + this.#notice()
    );
  }

  /** The notice after a text that was cut; empty if it was not cut. */
  #notice(): string {
    const { maxPages } = this.#pages ?? {};
    if (maxPages !== undefined) return `\n[cut after ${maxPages} pages]`;
    const length = `${this.#body.length} bytes`;
    if (this.#breakage !== undefined) return `\n[only ${length} could be read]`;
    return this.#isTruncated ? `\n[cut after ${length}]` : "";
  }

  /** The value of a JSON answer, as `JSON.parse` reads it. @throws ToolError if the answer is an error or no JSON */
  json<Value = unknown>(): Value {
    return this.pick("");
  }

  /**
   * The result of a tool with an output schema: the value of the answer, or a part of it. Texts beside it have the
   * notice that there are more pages, and the digits of numbers that JavaScript rounds. Where the answer breaks the
   * schema, is no JSON, was cut, is nested too deeply, or does not have the part, the caller gets it as text with a
   * notice, unless this is strict. Of what is no value, no fields can be left out: of that the caller gets the status.
   *
   * @throws ToolError if the answer is an error; as {@link pick} does if this is strict
   * @throws SelectionError if a function of `select` cannot take what the answer has
   */
  result<Value = unknown>({
    from = "",
    fields,
    select,
    headers,
    strict = false,
  }: ResultOptions = {}): Value {
    this.#expectOk();
    // What is asked for may be in the headers alone.
    const isEmpty = this.#body.length === 0 && !this.#isTruncated;
    if (headers !== undefined && isEmpty && this.#pages === undefined) {
      return this.withHeaders({}, headers) as Value;
    }
    if (strict) {
      const part = this.#enveloped(selected(this.#strictPart(from, fields), select), headers);
      return exactResult(part, this.#notice().trim()) as Value;
    }
    let whole: unknown;
    try {
      whole = markedValueOf(this);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      const isPart = fields !== undefined || select !== undefined;
      const content = isEmpty ? this.#statusText() : isPart ? this.#leftOut() : this.#shown();
      const block = typeof content === "string" ? text(content) : content;
      return withoutValue(isEmpty ? "it is empty" : error.problem, [block]) as Value;
    }
    const part = valueAt(whole, from);
    const found = part === undefined ? whole : selected(part, select);
    const marked = fields === undefined ? found : onlyFields(found, fields);
    if (part === undefined) {
      return withoutValue(`it has nothing at ${from}`, [text(exactJson(marked))]) as Value;
    }
    const notice = this.#notice().trim();
    const enveloped = this.#enveloped(marked, headers);
    return receivedValue(exactResult(enveloped, notice), () =>
      [exactJson(enveloped), notice].filter(Boolean).map(text),
    ) as Value;
  }

  /** The result with what it has beside the answer: the cursor of the next page, and headers. */
  #enveloped(value: unknown, headers: ResultOptions["headers"]): unknown {
    const isExposed = this.#pages?.isExposed === true;
    if (!isExposed && headers === undefined) return value;
    const part = {
      [isExposed ? "items" : "body"]: value,
      ...(this.nextCursor !== undefined && { nextCursor: this.nextCursor }),
    };
    return this.withHeaders(part, headers ?? {});
  }

  /** The same as {@link pick}, but integers that JavaScript would round are texts of their digits. */
  exact<Value = unknown>(pointer = "", fields?: readonly string[]): Value {
    return withDigitStrings(this.#part(pointer, fields)) as Value;
  }

  /**
   * A part of the value of a JSON answer.
   *
   * @param pointer the JSON Pointer to the part
   * @param fields the only members that objects keep
   * @throws ToolError if the answer is an error, is no JSON, or does not have this part
   */
  pick<Value = unknown>(pointer: string, fields?: readonly string[]): Value {
    return withRoundedNumbers(this.#part(pointer, fields)) as Value;
  }

  #part(pointer = "", fields?: readonly string[]): unknown {
    const value = valueAt(markedValueOf(this), pointer);
    if (value === undefined) {
      const sentence = `The answer of the upstream ${this.#name} has nothing at ${pointer}.`;
      throw this.#unreadable(sentence, `it has nothing at ${pointer}`);
    }
    return fields === undefined ? value : onlyFields(value, fields);
  }

  /** The part of an answer whose error says nothing of the request. */
  #strictPart(pointer: string, fields?: readonly string[]): unknown {
    try {
      return this.#part(pointer, fields);
    } catch (error) {
      throw error instanceof UnreadableError ? new ToolError(error.sentence) : error;
    }
  }

  /** The error about what cannot be read. What a request may have changed is changed, so that it says so. */
  #unreadable(sentence: string, problem: string): UnreadableError {
    const carriedOut = this.#isUnsafe ? `It had ${carriedOutWith(this.#statusText())}` : "";
    return new UnreadableError(sentence, problem, carriedOut);
  }

  /**
   * The values for a completion: the texts and numbers of a list in a JSON answer.
   *
   * @param pointer the JSON Pointer to the list
   * @param field the member with the value, if the items of the list are objects
   * @throws ToolError if the answer is an error, is no JSON, or does not have this list
   */
  values(pointer = "", field?: string): string[] {
    const list = this.exact(pointer);
    if (!Array.isArray(list)) {
      throw new ToolError(`The answer of the upstream ${this.#name} has no list where one is due.`);
    }
    const values = field === undefined ? list : list.map((item) => memberOf(item, field));
    return values.filter(isTextOrNumber).map(String);
  }

  /** The content of a tool's result: text for text and JSON, an image, audio, or otherwise an embedded resource. */
  content(options: ContentOptions = {}): string | ContentBlock {
    this.#expectOk();
    try {
      if (this.#breakage !== undefined) this.#expectNotTruncated();
      const part = this.#partAsText(options);
      return part === undefined ? this.#shown() : part.text + this.#notice();
    } catch (error) {
      if (!this.#isUnsafe || !(error instanceof UnreadableError)) throw error;
      return this.#shownWith(error, options);
    }
  }

  /** The answer to a request that was carried out, behind a notice about what cannot be read. */
  #shownWith({ sentence }: UnreadableError, { fields }: ContentOptions): string | ContentBlock {
    const notice = `[The upstream ${carriedOutWith(this.#statusText())} ${sentence}]`;
    // Of what is no value, no fields can be left out.
    if (fields !== undefined) return notice;
    const shown = this.#shown();
    if (typeof shown !== "string" && shown.type !== "text") return shown;
    return `${notice}\n${typeof shown === "string" ? shown : shown.text}`;
  }

  /** The whole answer for a model. */
  #shown(): string | ContentBlock {
    const type = this.#mimeType();
    if (this.#pages !== undefined) return this.#wholeText();
    // JSON, images and audio are never empty: the content of an empty answer is its status.
    if (this.#isHead || (this.#body.length === 0 && !type.startsWith("text/"))) {
      return text(this.#statusText() + this.#notice());
    }
    if (isText(type)) return this.#wholeText();
    if (this.#breakage !== undefined) {
      return text(`${this.#statusText()}\n[${type}, left out]${this.#notice()}`);
    }
    if (this.#isTruncated) {
      const length = `${this.#body.length} bytes`;
      return `${this.#statusText()}\n[${type} of more than ${length}, left out]`;
    }
    if (type.startsWith("image/")) return image(this.#body, type);
    if (type.startsWith("audio/")) return audio(this.#body, type);
    return embeddedBlob(`upstream:${this.#name}`, this.#body, type);
  }

  /** What is shown of an answer of which the tool shows only a part, where that part cannot be found. */
  #leftOut(): string {
    return `${this.#statusText()}\n[${this.#mimeType()}, left out, since this tool shows only a part of answers]`;
  }

  #statusText(): string {
    return `${this.status} ${STATUS_CODES[this.status] ?? ""}`.trim();
  }

  /** The contents of a resource: text for text and JSON, otherwise bytes. @throws ToolError for an error status */
  resource({ mimeType, ...options }: ResourceOptions = {}): ReadContents {
    this.#expectOk();
    const part = this.#partAsText(options);
    if (part !== undefined) return { text: part.text, mimeType: mimeType ?? part.mimeType };
    const type = this.#mimeType();
    if (this.#pages !== undefined) {
      return { text: exactJson(this.#pages.items), mimeType: mimeType ?? type };
    }
    if (isText(type)) return { text: this.text(), mimeType: mimeType ?? type };
    this.#expectNotTruncated();
    return { blob: this.#body, mimeType: mimeType ?? type };
  }

  /** The part of a JSON answer that these options name, as text; undefined if they name none. */
  #partAsText({ from, fields }: ContentOptions): { text: string; mimeType: string } | undefined {
    if (from === undefined && fields === undefined) return undefined;
    const part = this.#part(from, fields);
    const value = withRoundedNumbers(part);
    return typeof value === "string"
      ? { text: value, mimeType: "text/plain" }
      : { text: exactJson(part), mimeType: "application/json" };
  }

  /** The bytes of the answer. @throws ToolError if the status is an error, or the answer is too long */
  bytes(): Uint8Array {
    this.#expectOk();
    if (this.#isTooLong) this.#expectNotTruncated();
    return this.#body;
  }

  /**
   * A part of a JSON answer as words for a message, also of an answer that is an error: on one line, without secrets, at
   * most 200 characters. Undefined if it is null, or not there.
   */
  words(pointer: string): string | undefined {
    let value: unknown;
    try {
      value = valueAt(this.#parsed(), pointer) ?? null;
    } catch {
      return undefined;
    }
    if (value === null) return undefined;
    const rounded = withRoundedNumbers(value);
    return printable(typeof rounded === "string" ? rounded : exactJson(value), MAX_WORDS);
  }

  /** The error for the caller if the manifest has no text for the status. */
  failure(): ToolError {
    const reason = STATUS_CODES[this.status];
    const status = reason === undefined ? String(this.status) : `${this.status} ${reason}`;
    const message = this.#message();
    const end = message === undefined ? "." : `: ${message}`;
    const hint = retryHint(this.headers["retry-after"]);
    const isOpen = hint !== "" && !/[.!?]$/.test(end);
    return new ToolError(
      `The upstream ${this.#name} answered ${status}${end}${isOpen ? "." : ""}${hint}`,
    );
  }

  #expectOk(): void {
    if (!this.ok) throw this.failure();
  }

  #expectNotTruncated(): void {
    if (!this.#isTruncated) return;
    const { length } = this.#body;
    if (this.#breakage !== undefined) {
      const { message } = this.#breakage;
      throw this.#unreadable(message, breakageProblem(this.#statusText(), length, message));
    }
    const sentence = `The answer of the upstream ${this.#name} is longer than ${length} bytes.`;
    throw this.#unreadable(sentence, `it was cut after ${length} bytes`);
  }

  #parsed(): unknown {
    if (this.#pages !== undefined) return this.#pages.items;
    this.#expectNotTruncated();
    try {
      return parseMarked(decodedText(this.#body, this.headers), this.#masking);
    } catch (error) {
      const answered = `The upstream ${this.#name} answered with`;
      throw error instanceof TooDeepError
        ? this.#unreadable(`${answered} JSON that is nested too deeply.`, "it is nested too deeply")
        : this.#unreadable(`${answered} something that is no JSON.`, "it is no JSON");
    }
  }

  /** The message of the upstream in a JSON answer, without secrets; undefined if there is none. */
  #message(): string | undefined {
    let body: unknown;
    try {
      body = withRoundedNumbers(this.#parsed());
    } catch {
      return undefined;
    }
    return errorMessage(body, this.#masking);
  }

  #mimeType(): string {
    return mimeTypeOf(this.headers);
  }
}

function selected(answer: unknown, select: ResultOptions["select"]): unknown {
  return select === undefined || answer === null ? answer : select(answer);
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null;
  return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
}

function isTextOrNumber(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
