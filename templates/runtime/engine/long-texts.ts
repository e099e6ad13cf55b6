import { isObject } from "./request-parameters.js";

/** A longer text is written in parts, in UTF-16 code units. */
const longText = 2 ** 18;

/** The length of a part: its JSON lives so shortly that it is no load for the garbage collector. */
const partLength = 2 ** 16;

/** The length of most chunks of bytes. */
const chunkLength = 2 ** 20;

/** The members in which results and messages have texts, or further contents. */
const members = [
  ...["result", "content", "contents", "messages", "resource"],
  ...["text", "blob", "data"],
] as const;

let cachedMark: string | undefined;

/** Stands for a long text until its JSON is written. Nobody else knows it, so that no text contains it. */
function mark(): string {
  return (cachedMark ??= `long text ${crypto.randomUUID()} `);
}

/**
 * Makes the JSON of a result or message. One with long texts comes as bytes, which are made in parts: as one text they
 * would need memory for several copies.
 * @param stringify makes its JSON as one text
 */
export function jsonOf<Value extends object, Json extends string | undefined>(
  value: Value,
  stringify: (value: Value) => Json,
): Json | readonly Buffer[] {
  if (!isLong(value)) return stringify(value);
  const texts = new LongTexts();
  const json = stringify(texts.takeFrom(value));
  return texts.isEmpty || json === undefined ? json : texts.putBack(json);
}

/** The long texts of messages, which marks stand for until their JSON is written. */
export class LongTexts {
  /** A text is gone when it is back in its JSON. */
  readonly #texts: (string | undefined)[] = [];
  #count = 0;

  /** Whether no mark stands for a text. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** A message with marks instead of its long texts; without them, the message itself. */
  takeFrom<Message extends object>(message: Message): Message {
    return isLong(message) ? (this.#marked(message) as Message) : message;
  }

  /** The bytes of a JSON text with the texts instead of their marks. Each text can be put back once. */
  putBack(json: string): readonly Buffer[] {
    const bytes = new Chunks();
    json.split(new RegExp(`"${mark()}(\\d+)"`)).forEach((part, index) => {
      // Every second part is the number of a text.
      if (index % 2 === 0) bytes.add(part);
      else bytes.addJson(this.#takeBack(Number(part)));
    });
    return bytes.finish();
  }

  #takeBack(index: number): string {
    const text = this.#texts[index];
    if (text === undefined) throw new Error("A long text is asked for twice");
    this.#texts[index] = undefined;
    this.#count--;
    return text;
  }

  #marked(value: unknown): unknown {
    if (typeof value === "string") {
      if (value.length <= longText) return value;
      this.#count++;
      return `${mark()}${this.#texts.push(value) - 1}`;
    }
    if (Array.isArray(value)) {
      const all: readonly unknown[] = value;
      const count = this.#count;
      const marked = all.map((one) => this.#marked(one));
      return this.#count === count ? value : marked;
    }
    if (!isObject(value)) return value;
    let copy: Record<string, unknown> | undefined;
    for (const member of members) {
      const former = value[member];
      if (former === undefined) continue;
      const marked = this.#marked(former);
      if (marked !== former) (copy ??= { ...value })[member] = marked;
    }
    return copy ?? value;
  }
}

/** The length of a text as JSON; a character that two parts share counts more. */
export function jsonLength(text: string): number {
  let length = 2;
  for (let at = 0; at < text.length; at += partLength) {
    length += JSON.stringify(text.slice(at, at + partLength)).length - 2;
  }
  return length;
}

/** The beginning of a text whose JSON, without quotes, has at most this length. It ends with a whole character. */
export function beginningOf(text: string, longest: number): string {
  let end = 0;
  let rest = longest;
  const extend = (size: number): boolean => {
    const length = JSON.stringify(text.slice(end, end + size)).length - 2;
    if (length > rest) return false;
    rest -= length;
    end = Math.min(end + size, text.length);
    return true;
  };
  while (end < text.length && extend(partLength));
  for (let size = partLength / 2; size >= 1; size /= 2) extend(size);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}

/** What results, messages and blocks may have of long texts and further contents. */
type Holder = Readonly<Partial<Record<(typeof members)[number], unknown>>>;

/**
 * Whether a value has a long text. Nearly every answer is asked this and has none. V8 reads members fast where one
 * place of the code meets few kinds of objects, so messages, results and blocks are read in functions of their own.
 */
function isLong(value: Holder): boolean {
  const { result } = value;
  return result === undefined ? isLongResult(value) : isObject(result) && isLongResult(result);
}

function isLongResult({ content, contents, messages }: Holder): boolean {
  return hasLongBlock(content) || hasLongBlock(contents) || hasLongBlock(messages);
}

function hasLongBlock(blocks: unknown): boolean {
  if (!Array.isArray(blocks)) return isLongText(blocks);
  for (const block of blocks) if (isObject(block) && isLongBlock(block)) return true;
  return false;
}

function isLongBlock({ text, blob, data, resource, content }: Holder): boolean {
  if (isLongText(text) || isLongText(blob) || isLongText(data)) return true;
  // A message of a prompt has one block or several, and a block may embed the contents of a resource.
  return (
    (isObject(resource) && isLongBlock(resource)) ||
    (isObject(content) && isLongBlock(content)) ||
    (Array.isArray(content) && hasLongBlock(content))
  );
}

function isLongText(value: unknown): boolean {
  return typeof value === "string" && value.length > longText;
}

/** Collects bytes in chunks. */
class Chunks {
  readonly #full: Buffer[] = [];
  #chunk = Buffer.allocUnsafeSlow(chunkLength);
  #length = 0;

  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#length + bytes > this.#chunk.length) {
      this.#full.push(this.#chunk.subarray(0, this.#length));
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(bytes, chunkLength));
      this.#length = 0;
    }
    this.#length += this.#chunk.write(text, this.#length);
  }

  /** Adds the JSON of a text. A character that two parts share is written as two escapes. */
  addJson(text: string): void {
    this.add('"');
    for (let at = 0; at < text.length; at += partLength) {
      this.add(JSON.stringify(text.slice(at, at + partLength)).slice(1, -1));
    }
    this.add('"');
  }

  finish(): readonly Buffer[] {
    return [...this.#full, this.#chunk.subarray(0, this.#length)];
  }
}
