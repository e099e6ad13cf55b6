import type { ServerEvent } from "@modelcontextprotocol/server";
import type { Redemption } from "../consent/nonces.js";

/** A change of an item's switch. */
export interface SwitchMessage {
  readonly kind: "switch";
  readonly items: "tools" | "resources" | "prompts";
  readonly name: string;
  readonly isOn: boolean;
}

/** An event for clients; without one, anything that they watch may have changed. */
export interface EventMessage {
  readonly kind: "event";
  readonly event?: ServerEvent | undefined;
  /** The only principal whose clients get the event; undefined if all get it. */
  readonly principal?: string | undefined;
}

/** The page of metrics of a worker. */
export interface WorkerPage {
  /** The number of the worker; undefined for what is left of workers that have ended. */
  readonly worker?: number;
  readonly text: string;
}

/** What a worker asks its primary process, by the kind of the question. Each question is answered. */
export interface Questions {
  /** Which worker it is. */
  readonly hello: { readonly asks: object; readonly gets: Welcome };
  /** To take part in what is shared. It gets all switches before the answer. */
  readonly join: { readonly asks: object; readonly gets: unknown };
  /** Requests of a client that it may accept. */
  readonly requests: { readonly asks: { client: string; wanted: number }; readonly gets: Grant };
  /** To redeem a nonce. */
  readonly redeem: {
    readonly asks: { nonce: string; expires: number; holder: string };
    readonly gets: Redemption;
  };
  /** To write these lines of the audit trail. */
  readonly audit: { readonly asks: { lines: readonly string[] }; readonly gets: unknown };
  /** To sync the lines before to the disk. */
  readonly sync: { readonly asks: object; readonly gets: unknown };
  /** The metrics of all workers. */
  readonly pages: { readonly asks: object; readonly gets: readonly WorkerPage[] };
}

/** What a worker gets at its start. */
export interface Welcome {
  /** The number of the worker, from 1. */
  readonly worker: number;
  readonly count: number;
  /** Whether the primary process accepts the connections, and hands them to workers. */
  readonly isSticky: boolean;
  /** The key that encrypts the state of calls; undefined if the environment has one, or none is needed. */
  readonly requestStateKey?: string | undefined;
  /** Names the primary process as the one that knows which nonces were redeemed; undefined if there are none. */
  readonly issuer?: string | undefined;
}

/** The requests of a client that a worker may accept. */
export interface Grant {
  readonly granted: number;
  /** How long the client must wait for the next one, in milliseconds; 0 if it has got all that it wanted. */
  readonly waitMs: number;
}

/** A question of a worker, with the number by which its answer names it. */
export interface QuestionMessage {
  readonly kind: "question";
  readonly id: number;
  readonly about: keyof Questions;
  readonly asks: unknown;
}

/** What a worker sends to its primary process. */
export type FromWorker =
  | QuestionMessage
  | SwitchMessage
  | EventMessage
  | { readonly kind: "serving" }
  /** The worker is not stuck. */
  | { readonly kind: "alive" }
  /** A load balancer has asked it whether it is ready. */
  | { readonly kind: "balanced" }
  | { readonly kind: "page"; readonly id: number; readonly text: string };

/** What a primary process sends to a worker. */
export type ToWorker =
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly gets?: unknown;
      readonly error?: string;
    }
  /** `isOwn` says that the worker made this change itself. */
  | (SwitchMessage & { readonly isOwn: boolean })
  | EventMessage
  /** It comes with a connection, unless the client has closed that. */
  | { readonly kind: "connection" }
  | { readonly kind: "page"; readonly id: number }
  | { readonly kind: "stop"; readonly reason: string; readonly isBalanced: boolean };
