import type { Cancellation } from "../engine/cancellation.js";
import type { ServerDefinition } from "../engine/definition.js";

declare module "../engine/parts.js" {
  interface RuntimeParts {
    /** Makes what `ctx.upstreams` is bound from. */
    readonly createUpstreams?: (
      definition: ServerDefinition,
      options: UpstreamOptions,
    ) => RunningUpstreams;
  }
}

/** Makes `ctx.upstreams` of one call, which ends the requests that the call has begun. */
export type BindUpstreams = (call: Pick<Cancellation, "signal" | "reason">) => object;

/** The services that the project calls, for a running server. */
export interface RunningUpstreams {
  readonly bind: BindUpstreams;
  /** Reads the settings, which is else done at the first use. @throws SettingError where one will not do */
  check(): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** What upstreams need of the server. */
export interface UpstreamOptions extends UpstreamTestOptions {
  readonly env: unknown;
  /** In mock mode no request is sent. */
  readonly mock: boolean;
  /** The project's folder, which certificates are relative to. */
  readonly root: string;
  /** Longest wait for a retry, in milliseconds. */
  readonly longestWaitMs: number;
}

/** What tests may say of upstreams; `upstreams/` has its members. */
export interface UpstreamTestOptions {}
