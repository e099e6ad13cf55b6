import { WorkSlices } from "../engine/work-slices.js";

/** The functions that a limited response calls while it is read. */
interface ResponseListener {
  onTooLong(): void;
  /** Called when the response has ended and its last event has been read. @param isWhole whether it was complete */
  onEnd(isWhole: boolean): void;
  /** Called with each part of its body. */
  onChunk?(chunk: Uint8Array): void;
}

/** Whether a response is a stream of events. */
export function isEventStream({ headers }: Pick<Response, "headers">): boolean {
  return headers.get("content-type")?.includes("text/event-stream") === true;
}

/**
 * Makes a response that fails when it, or one event of its stream, has more bytes than allowed. However much comes, the
 * event loop also does other work.
 */
export function limitedResponse(
  response: Response,
  maxBytes: number,
  { onTooLong, onEnd, onChunk }: ResponseListener,
): Response {
  const { status, headers, body } = response;
  const counter = isEventStream(response) ? new EventCounter() : new ByteCounter();
  const slices = new WorkSlices();
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await slices.pause();
      onChunk?.(chunk);
      if (counter.add(chunk) <= maxBytes) return controller.enqueue(chunk);
      controller.error(new Error("too long"));
      onTooLong();
    },
  });
  const endSoon = (isWhole: boolean): void => void setTimeout(onEnd, LAST_EVENT_MS, isWhole);
  body?.pipeTo(limiter.writable).then(
    () => endSoon(true),
    () => endSoon(false),
  );
  return new Response(body && limiter.readable, { status, headers: [...headers] });
}

/** How long the client may take to read the end of a response, in milliseconds. */
const LAST_EVENT_MS = 20;

/** Counts the bytes of a body. */
class ByteCounter {
  #count = 0;

  /** @returns the number of bytes so far */
  add(chunk: Uint8Array): number {
    return (this.#count += chunk.byteLength);
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Counts the bytes of each event of a stream. A blank line ends an event. A chunk may have parts of several events. */
class EventCounter {
  #count = 0;
  #lastByte = 0;
  #isLineEmpty = false;

  /** @returns the number of bytes so far of the longest event of which the chunk has a part */
  add(chunk: Uint8Array): number {
    let longest = 0;
    for (let index = 0; index < chunk.length; index++) {
      longest = Math.max(longest, ++this.#count);
      this.#see(chunk[index] as number);
    }
    return longest;
  }

  #see(byte: number): void {
    const isInLineEnd = byte === LINE_FEED && this.#lastByte === CARRIAGE_RETURN;
    this.#lastByte = byte;
    if (isInLineEnd) return;
    const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    if (isLineEnd && this.#isLineEmpty) this.#count = 0;
    this.#isLineEmpty = isLineEnd;
  }
}
