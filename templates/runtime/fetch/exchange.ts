import type { AnswerForm } from "../http/accept.js";
import { isEventStream, wholeBytes, withLongTexts } from "../http/answer-bytes.js";
import type { AnsweredExchange, ProtocolAnswer } from "../http/protocol-answers.js";
import { headersOf, keepAliveMs, momentMs, signsOfLife } from "../http/slow-answers.js";
import type { CallMemory } from "../memory/call-memory.js";
import { AnswerStream } from "./answer-stream.js";
import { ExchangeMemory } from "./memory.js";

type Headers = Readonly<Record<string, string>>;

/** Headers of a connection, which the runtime makes itself. */
const connectionHeaders = ["connection", "keep-alive"];

/** The exchange of a request of the web's own type, whose answer is one `Response`. */
export class FetchExchange implements AnsweredExchange {
  readonly #over = new AbortController();
  readonly #memory: ExchangeMemory;
  readonly #stream: AnswerStream;
  /** The answer to a slow call, which begins before the call ends. */
  readonly begun: Promise<Response>;
  #begin: (response: Response) => void = () => undefined;
  #response: Response | undefined;
  #begunForm: AnswerForm | undefined;
  #endStream: () => void = () => undefined;

  /**
   * @param disconnected Aborted when the client has gone, where the runtime says so.
   * @param holder The client's address. @param onNoMemory Called with it when an answer gets no memory.
   */
  constructor(disconnected: AbortSignal, holder: string, onNoMemory: (holder: string) => void) {
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.#stream = new AnswerStream(holder, {
      closed: () => this.end(),
      refused: () => onNoMemory(holder),
    });
    this.#memory = new ExchangeMemory({
      connection: this.#stream,
      whenOver: (callback) => this.whenOver(callback),
    });
    if (disconnected.aborted) this.breakOff();
    else disconnected.addEventListener("abort", () => this.breakOff(), { once: true });
  }

  /** Aborted when the exchange is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  nextCall(): CallMemory {
    return this.#memory.nextCall();
  }

  whenOver(callback: () => void): void {
    if (this.over.aborted) callback();
    else this.over.addEventListener("abort", callback, { once: true });
  }

  endStream(): void {
    this.#endStream();
  }

  breakOff(): void {
    this.#stream.end();
    this.end();
  }

  /** Declares the exchange over. */
  end(): void {
    if (!this.over.aborted) this.#over.abort();
  }

  keepAlive(form: AnswerForm, headers: Headers): () => void {
    let timer = setTimeout(() => {
      if (this.over.aborted) return;
      this.#begunForm = form;
      this.#begin(this.#streamed(200, { ...headersOf[form], ...headers }));
      // Some runtimes send the headers with the first bytes.
      giveSign();
    }, momentMs);
    const giveSign = (): void => {
      if (this.over.aborted) return;
      this.#stream.write(encoder.encode(signsOfLife[form]));
      timer = setTimeout(giveSign, keepAliveMs);
    };
    this.whenOver(() => clearTimeout(timer));
    return () => clearTimeout(timer);
  }

  /** The response with an answer. If the response has begun already, the answer is written to it. */
  async respond({ answer, longTexts, cors, conclude }: ProtocolAnswer): Promise<Response> {
    if (conclude !== undefined) this.whenOver(conclude);
    const { status } = answer;
    const headers = { ...Object.fromEntries(answer.headers), ...cors };
    if (isEventStream(answer)) {
      void this.#pass(answer, (bytes) => withLongTexts(bytes, longTexts));
      return this.#streamed(status, headers);
    }
    const parts = await wholeBytes(answer, longTexts);
    if (this.#begunForm === undefined && parts.length < 2) {
      this.end();
      const body = parts.length === 0 || status === 202 || status === 204 ? null : parts[0];
      return new Response(body as Uint8Array<ArrayBuffer> | null, {
        status,
        headers: ownHeaders(headers),
      });
    }
    const isEvent = this.#begunForm === "events";
    if (isEvent) this.#stream.write(encoder.encode("event: message\ndata: "));
    for (const part of parts) this.#stream.write(part);
    if (isEvent) this.#stream.write(encoder.encode("\n\n"));
    this.#stream.finish();
    this.#memory.written();
    return this.#streamed(status, headers);
  }

  /** The response whose body is the stream; the same one where it has begun already. */
  #streamed(status: number, headers: Headers): Response {
    return (this.#response ??= new Response(
      this.#stream.body as ReadableStream<Uint8Array<ArrayBuffer>>,
      {
        status,
        headers: ownHeaders(headers),
      },
    ));
  }

  /** Passes the events of an answer on as they come. */
  async #pass(
    { body }: Response,
    partsOf: (bytes: Uint8Array) => readonly Uint8Array[],
  ): Promise<void> {
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const cancel = (): void => void reader.cancel().catch(() => undefined);
    this.whenOver(cancel);
    this.#endStream = cancel;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        for (const part of partsOf(value)) this.#stream.write(part);
        this.#stream.endIfTooLong();
        this.#memory.written();
      }
      this.#stream.finish();
    } catch {
      this.breakOff();
    }
  }
}

/** The headers that a response of the web's own type may have. */
export function ownHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name)),
  );
}

const encoder = new TextEncoder();
