import type { OpenKey } from "../upstreams/assertion.js";
import type { Transport } from "@modelcontextprotocol/server";
import type { Masking } from "../backends/masking.js";
import type { ReceivedBytes } from "./received-bytes.js";
import type { UpstreamDefinition } from "../upstreams/definition.js";

/** Creates a transport to the replacement of an MCP server in a test. */
export type ConnectServer = (name: string) => Transport;

/** A text, or the environment variable with it. */
export type Setting = string | { readonly env: string };

/**
 * An entry of the manifest's `upstreams` that is an MCP server. `program-transport.ts` and `url-transport.ts` declare
 * the members for each kind.
 */
export interface RemoteServerDefinition extends Partial<
  Pick<
    UpstreamDefinition,
    "auth" | "headers" | "concurrency" | "private" | "proxy" | "ca" | "cert" | "key"
  >
> {
  /** The name by which handlers find it in `ctx.servers`. */
  readonly name: string;
  /** How it is reached: it is a program that is started, or listens at a URL. */
  readonly kind: "program" | "url";
  /** The time limit for an answer, in milliseconds; without it, only the time limit of the item applies. */
  readonly timeoutMs?: number;
  /** The program of the server and its arguments. */
  readonly command?: readonly Setting[];
  /** The folder to run it in, from the project's folder. */
  readonly cwd?: Setting;
  /** All environment variables of the program except `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, Setting>>;
  /** The URL of the server. */
  readonly url?: Setting;
}

/** The settings of this server that all its connections to other servers use. */
export interface ConnectionSettings {
  /** The values of the environment variables, by their names. */
  readonly env: unknown;
  /** The project's folder. */
  readonly root: string;
  readonly masking: Masking;
  /** The maximum size of a message, in bytes. */
  readonly maxBytes: number;
  /** Reads private keys; absent in servers that need none. */
  readonly openKey?: OpenKey | undefined;
}

/** Creates the connector of a server. @throws SettingError if a setting is invalid */
export type CreateConnector = (
  definition: RemoteServerDefinition,
  settings: ConnectionSettings,
) => ServerConnector;

/**
 * Creates the transports to a server, one for each attempt to connect. `sdk` is the module `@modelcontextprotocol/client`,
 * whose type does not show in declarations, since few servers have that package.
 */
export interface ServerConnector {
  open(sdk: object, callOf: CallOf): Attempt;
  /** Another attempt after the first has failed with an error; undefined if there is no other way to connect. */
  fallback(sdk: object, callOf: CallOf, error: unknown): Attempt | undefined;
  /** The cause of a failure, as the end of a sentence that begins with "The upstream …"; undefined if unknown. */
  explain(error: unknown): string | undefined;
  /** Whether the connection was closed in the middle of an answer, whose call is not known. */
  readonly hasLostAnswer?: boolean;
  /** Ends the resources that connections share. */
  close(): Promise<void>;
}

/** The call that sends the current message; undefined if the message belongs to no call. */
export type CallOf = () => WaitingCall | undefined;

export interface WaitingCall {
  /** Is aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The bytes of the answer that have arrived. */
  readonly received: ReceivedBytes;
  /** Ends the wait, because the stream of the answer has ended without it. */
  lose(): void;
}

/** An attempt to connect. */
export interface Attempt {
  readonly transport: Transport;
  /** `auto` if the client asks the server for its era of the protocol; `legacy` if it speaks an older one. */
  readonly mode: "auto" | "legacy";
}
