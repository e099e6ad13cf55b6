import type { BackendsOfKind } from "../backends/backends.js";
import { loggerOf } from "../observe/log.js";
import type { RemoteCall } from "../remote-servers/connection.js";
import type { RemoteServer } from "../remote-servers/remote-server.js";
import type { ToolResult } from "../tools/result.js";

/** A call that keeps what it is told. */
export class HeardCall implements RemoteCall {
  readonly heard: unknown[] = [];
  readonly log = loggerOf(
    (level) =>
      (...said) =>
        this.heard.push([level, ...said]),
  );
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;

  async progress(...report: unknown[]): Promise<void> {
    this.heard.push(report);
  }

  cancel(reason: Error): void {
    this.#controller.abort(reason);
  }
}

/** The server `other`, for one call. */
export function bound(servers: BackendsOfKind, call = new HeardCall()): RemoteServer {
  return (servers.bind(call) as { other: RemoteServer }).other;
}

/** The first text of a result. */
export const textOf = ({ parts }: ToolResult<never>): string => {
  const [block] = parts.content as readonly { text: string }[];
  return block?.text ?? "";
};

/** The text of a result, or of an error with its name. */
export async function called(servers: BackendsOfKind, name: string, given = {}): Promise<string> {
  return bound(servers)
    .callTool(name, given)
    .then(textOf, (error: Error) => {
      return `${error.name}: ${error.message}`;
    });
}
