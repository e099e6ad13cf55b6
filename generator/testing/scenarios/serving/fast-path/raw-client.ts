import { connect, type Socket } from "node:net";

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether the body goes out in chunks, without a length. */
  readonly chunked?: boolean;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection that sends requests as they are, one after the other, and stays open as long as the server lets it. */
export class RawClient {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: RawRequest): Promise<RawResponse> {
    const socket = (this.#socket ??= this.#connect());
    socket.write(bytesOf(request, this.#port));
    const response = await receive(socket);
    const stays = !socket.destroyed && response.headers["connection"] !== "close";
    if (!stays) this.close();
    return response;
  }

  #connect(): Socket {
    // An error also closes the connection, which is where it is noticed.
    return connect(this.#port, "127.0.0.1")
      .setNoDelay(true)
      .on("error", () => undefined);
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

function bytesOf({ method, path, headers, body, chunked }: RawRequest, port: number): Buffer {
  const length = chunked ? ["transfer-encoding: chunked"] : [`content-length: ${body.length}`];
  const lines = headers.map(([name, value]) => `${name}: ${value.replaceAll("{port}", `${port}`)}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, ...length, "", ""].join("\r\n");
  const content = chunked
    ? [`${body.length.toString(16)}\r\n`, body, "\r\n", body.length === 0 ? "" : "0\r\n\r\n"]
    : [body];
  const chunks: (string | Buffer)[] = [head, ...content];
  return Buffer.concat(chunks.map((piece) => Buffer.from(piece as string, "latin1")));
}

/** One response; the server's closing of the connection before it ends is an error. */
function receive(socket: Socket): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const done = (): void => void socket.off("data", onData).off("close", onClose);
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const response = parse(received);
      if (response === undefined) return;
      done();
      resolve(response);
    };
    const onClose = (): void => {
      done();
      reject(new Error(`the connection was closed after ${received.length} bytes`));
    };
    socket.on("data", onData).on("close", onClose);
  });
}

function parse(received: Buffer): RawResponse | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(first.split(" ")[1]);
  const rest = received.subarray(end + 4);
  if (headers["transfer-encoding"] === "chunked") {
    const content = joinChunks(rest);
    return content && { status, headers, body: content.toString() };
  }
  const length = Number(headers["content-length"] ?? 0);
  if (rest.length < length) return undefined;
  return { status, headers, body: rest.toString() };
}

/** The content of a chunked body; undefined where its last chunk is missing. */
function joinChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let start = 0; ;) {
    const lineEnd = bytes.indexOf("\r\n", start);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString("latin1", start, lineEnd), 16);
    const end = lineEnd + 2 + length;
    if (bytes.length < end + 2) return undefined;
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, end));
    start = end + 2;
  }
}
