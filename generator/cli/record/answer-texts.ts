import { Lines } from "../../../templates/runtime/stdio/lines.js";
import { LONGEST_MESSAGE } from "../../record/recorder.js";

/** Receives the messages of an answer. */
interface TextTaker {
  take(text: string): void;
  /** Called for a message that is too long. */
  skip(): void;
}

/** Finds messages in the bytes of an answer. */
export interface AnswerTexts {
  add(chunk: Buffer): void;
  end(): void;
}

/** Reads the messages of an answer of this type: one as JSON, or many as server-sent events. Others have none. */
export function answerTexts(type: string, taker: TextTaker): AnswerTexts {
  if (/^text\/event-stream\b/i.test(type)) return new EventTexts(taker);
  if (/^application\/json\b/i.test(type)) return new WholeText(taker);
  return { add: () => undefined, end: () => undefined };
}

class WholeText implements AnswerTexts {
  readonly #taker: TextTaker;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(taker: TextTaker) {
    this.#taker = taker;
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > LONGEST_MESSAGE) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  end(): void {
    if (this.#length > LONGEST_MESSAGE) this.#taker.skip();
    else this.#taker.take(Buffer.concat(this.#chunks).toString());
  }
}

class EventTexts implements AnswerTexts {
  readonly #taker: TextTaker;
  readonly #lines: Lines;
  #data: string[] = [];
  #length = 0;

  constructor(taker: TextTaker) {
    this.#taker = taker;
    this.#lines = new Lines(LONGEST_MESSAGE, {
      take: (line) => this.#addLine(line.toString().replace(/\r?\n$/, "")),
      skip: () => taker.skip(),
    });
  }

  add(chunk: Buffer): void {
    this.#lines.add(chunk);
  }

  end(): void {
    this.#lines.add(Buffer.from("\n\n"));
  }

  #addLine(line: string): void {
    if (line === "") return this.#finish();
    const [, data] = /^data(?:: ?([^]*))?$/.exec(line) ?? [];
    if (!line.startsWith("data")) return;
    this.#length += line.length;
    if (this.#length <= LONGEST_MESSAGE) this.#data.push(data ?? "");
  }

  #finish(): void {
    if (this.#length > LONGEST_MESSAGE) this.#taker.skip();
    else if (this.#data.length > 0) this.#taker.take(this.#data.join("\n"));
    this.#data = [];
    this.#length = 0;
  }
}
