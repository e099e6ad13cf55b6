import type { Client, Transport } from "@modelcontextprotocol/client";
import type { Masking } from "../backends/masking.js";

type Sdk = typeof import("@modelcontextprotocol/client");

declare module "../engine/definition.js" {
  interface ServerDefinition {
    /** The other MCP servers that the project asks. */
    readonly servers?: readonly RemoteServerDefinition[];
  }

  interface RuntimeParts {
    /** Reaches servers that are programs. */
    readonly programTransport?: ReachServer;
    /** Reaches servers at URLs. */
    readonly urlTransport?: ReachServer;
  }
}

declare module "../server/create-server.js" {
  interface ServerOptions {
    /** For tests: connects to what stands in for the MCP server of a name. */
    readonly servers?: ConnectServer | undefined;
  }
}

/** Makes a transport to what stands in for an MCP server. */
export type ConnectServer = (name: string) => Transport;

/** A text, or the environment variable that holds it. */
export type Setting = string | { readonly env: string };

/** An entry of the manifest's `upstreams` that is an MCP server; `program-transport.ts` and `url-transport.ts` have the other members. */
export interface RemoteServerDefinition {
  readonly name: string;
  readonly kind: "program" | "url";
  /** For an answer, in milliseconds; without it, the item's limit is all that there is. */
  readonly timeoutMs?: number;
}

/** Where a server is reached from. */
export interface Surroundings {
  /** The values of the environment variables, by their names. */
  readonly env: unknown;
  /** The project's folder. */
  readonly root: string;
  readonly masking: Masking;
  /** Most bytes of one message. */
  readonly maxBytes: number;
}

/** Makes what connects to a server. @throws SettingError where a setting will not do */
export type ReachServer = (
  definition: RemoteServerDefinition,
  surroundings: Surroundings,
) => ServerReach;

/** Connects to a server, as often as it takes. */
export interface ServerReach {
  open(sdk: Sdk, callOf: CallOf): Attempt;
  /** Another way to connect after one has failed; undefined where there is none. */
  otherwise(sdk: Sdk, callOf: CallOf, error: unknown): Attempt | undefined;
  /** What is known of a failure of the connection, as the end of "The upstream …"; undefined where it is nothing. */
  explain(error: unknown): string | undefined;
  /** Ends what connections have in common. */
  close(): Promise<void>;
}

/** The call in whose name something is sent; undefined where it is that of none. */
export type CallOf = () => WaitingCall | undefined;

export interface WaitingCall {
  /** Ends the wait for the answer. */
  readonly signal: AbortSignal;
  /** The stream of the answer has ended: what has not come yet never will. */
  lose(): void;
}

/** A way to connect. */
export interface Attempt {
  readonly transport: Transport;
  /** Whether the server is asked which era it speaks, or known to speak an older one. */
  readonly mode: "auto" | "legacy";
}

export type { Client, Sdk };
