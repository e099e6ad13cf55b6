import { connect, type Socket } from "node:net";
import type { ChildProcess } from "node:child_process";
import type { BenchRequest } from "./requests.js";

/**
 * Sends requests in turn, again and again over so many connections, each waiting for its answer.
 * @throws Error when one is not answered with a result
 */
export async function loadHttp(
  port: number,
  requests: readonly BenchRequest[],
  connections: number,
  calls: number,
  token?: string,
): Promise<void> {
  const bytes = requests.map((request) => request.httpBytes(port, token));
  let left = calls;
  const lane = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      const next = (): void => {
        if (left-- > 0) socket.write(bytes[left % bytes.length]!);
        else socket.destroy();
      };
      socket
        .on("connect", next)
        .on("close", () => resolve())
        .on("error", reject);
      readAnswers(socket, next, reject);
    });
  await Promise.all(Array.from({ length: connections }, lane));
}

/** Finds the ends of answers by their lengths, which are all that costs the client time. */
function readAnswers(socket: Socket, next: () => void, fail: (error: Error) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let missing = 0;
  socket.on("data", (chunk: Buffer) => {
    if (missing > 0) missing -= chunk.length;
    else {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const text = head.toString("latin1", 0, end);
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (!text.startsWith("HTTP/1.1 200")) fail(new Error(head.toString("utf8").slice(0, 500)));
      if (length === undefined) return onChunkedAnswer();
      missing = end + 4 + Number(length) - head.length;
    }
    if (missing <= 0) finish();
  });
  // Only servers of older eras stream; their last chunk is empty.
  const onChunkedAnswer = (): void => {
    if (head.subarray(-5).toString("latin1") === "0\r\n\r\n") finish();
  };
  const finish = (): void => {
    head = Buffer.alloc(0);
    missing = 0;
    next();
  };
}

/** The same over stdio, with a number of concurrent requests. */
export async function loadStdio(
  child: ChildProcess,
  request: BenchRequest,
  underWay: number,
  calls: number,
): Promise<void> {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the server has no pipes");
  let id = 0;
  const send = (): void => void stdin.write(request.stdioLine((id += 1)));
  await new Promise<void>((resolve, reject) => {
    let left = calls;
    let missing = calls;
    let rest = "";
    const onData = (chunk: Buffer): void => {
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      for (const one of lines) {
        if (one.includes('"error":')) reject(new Error(one.slice(0, 500)));
        if (!one.includes('"jsonrpc"')) continue;
        missing--;
        if (left-- > 0) send();
      }
      if (missing > 0) return;
      stdout.off("data", onData);
      resolve();
    };
    stdout.on("data", onData);
    for (let count = 0; count < underWay && left > 0; count++, left--) send();
  });
}
