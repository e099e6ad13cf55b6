import type { BackendsOfKind } from "../backends/backends.js";
import { loggerOf } from "../observe/log.js";
import type { RemoteCall } from "../remote-servers/connection.js";
import type { RemoteServer } from "../remote-servers/remote-server.js";
import type { ToolResult } from "../tools/result.js";

/** A call that records the log messages and the progress it gets. */
export class RecordingCall implements RemoteCall {
  readonly records: unknown[] = [];
  readonly log = loggerOf(
    (level) =>
      (...entry) =>
        this.records.push([level, ...entry]),
  );
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;

  async progress(...report: unknown[]): Promise<void> {
    this.records.push(report);
  }

  cancel(reason: Error): void {
    this.#controller.abort(reason);
  }
}

/** The client of the server `other` for one call. */
export function clientOf(servers: BackendsOfKind, call = new RecordingCall()): RemoteServer {
  return (servers.bind(call) as { other: RemoteServer }).other;
}

/** The text of the first content block of a result; empty if there is none. */
export const textOf = ({ parts }: ToolResult<never>): string => {
  const [block] = parts.content as readonly { text: string }[];
  return block?.text ?? "";
};

/** Calls a tool of the server `other`. @returns the text of the result, or the name and message of the error */
export async function outcomeOfCall(
  servers: BackendsOfKind,
  name: string,
  toolArguments = {},
): Promise<string> {
  return clientOf(servers)
    .callTool(name, toolArguments)
    .then(textOf, (error: Error) => {
      return `${error.name}: ${error.message}`;
    });
}
