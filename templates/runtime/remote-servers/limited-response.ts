import { WorkSlices } from "../engine/work-slices.js";

/**
 * Makes a response that fails when it, or one event of its stream, has more bytes than allowed. However much comes, the
 * event loop also does other work.
 *
 * @param onEnd is called when the response has ended and its last event has been read
 */
export function limitedResponse(
  { status, headers, body }: Response,
  maxBytes: number,
  onTooLong: () => void,
  onEnd: () => void,
): Response {
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  const counter = isStream ? new EventCounter() : new ByteCounter();
  const slices = new WorkSlices();
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await slices.pause();
      if (counter.add(chunk) <= maxBytes) return controller.enqueue(chunk);
      controller.error(new Error("too long"));
      onTooLong();
    },
  });
  const endSoon = (): void => void setTimeout(onEnd, LAST_EVENT_MS);
  body?.pipeTo(limiter.writable).then(endSoon, endSoon);
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
