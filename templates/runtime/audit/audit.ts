import { maskingOf, type Masking } from "../backends/masking.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import { ProtocolError } from "../engine/errors.js";
import { describeError } from "../engine/describe-error.js";
import { printable } from "../engine/printable.js";
import { isObject, type RequestParameters } from "../engine/request-parameters.js";
import type { Caller } from "../context/context.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Method, Methods } from "../engine/parts.js";
import { outcomeOf, type Outcome, type RequestListener } from "../observe/request-observer.js";
import type { Facility } from "../server/facility.js";
import type { Result } from "@modelcontextprotocol/server";
import { argumentsShown, type ShownArguments } from "./shown-arguments.js";
import { FileTrail, stderrTrail, type Trail } from "./trail.js";

/** Longest text of a caller's that a line repeats. */
const LONGEST_TEXT = 128;

/** How often the log says at most that lines are lost, in milliseconds. */
const TOLD_EVERY = 10_000;

/** The methods that use an item. */
const CALLS: ReadonlySet<string> = new Set([
  ...["tools/call", "resources/read", "prompts/get", "completion/complete"],
]);

/** The audit trail cannot be opened as the manifest or the environment says. */
class SettingError extends Error {
  override readonly name = "SettingError";
}

/**
 * Opens the audit trail.
 *
 * @param env the values of the manifest's variables
 * @throws SettingError where its file cannot be written
 */
export function openAudit(definition: ServerDefinition, env: object, log: Logger): Facility {
  const { to } = definition.audit ?? {};
  const path = to === undefined ? undefined : (env as Readonly<Record<string, unknown>>)[to.env];
  const masking = maskingOf(definition, env);
  return new AuditTrail(definition, { trail: trailTo(path), masking, log });
}

function trailTo(path: unknown): Trail {
  if (path === undefined) return stderrTrail;
  try {
    return new FileTrail(String(path));
  } catch (error) {
    throw new SettingError(`the audit trail cannot be written: ${(error as Error).message}`);
  }
}

/** What an audit trail is written with. */
export interface AuditMeans {
  readonly trail: Trail;
  /** Takes the values of secret variables out of the lines. */
  readonly masking: Masking;
  readonly log: Logger;
}

/** Writes a line for each use of an item, before it is answered, and for each request that is refused. */
export class AuditTrail implements Facility {
  readonly #definition: ServerDefinition;
  readonly #trail: Trail;
  readonly #masking: Masking;
  readonly #log: Logger;
  readonly #shown: ShownArguments;
  readonly #isDurable: boolean;
  #toldAt = -Infinity;
  #lost = 0;

  constructor(definition: ServerDefinition, { trail, masking, log }: AuditMeans) {
    this.#definition = definition;
    this.#trail = trail;
    this.#masking = masking;
    this.#log = log;
    this.#shown = argumentsShown(definition);
    this.#isDurable = definition.audit?.durable === true;
  }

  wrapMethods(methods: Methods): Methods {
    return Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        CALLS.has(name) ? this.#watched(name, method) : method,
      ]),
    );
  }

  join(): object {
    return { recordsAddresses: true };
  }

  /** Writes down a request that was answered before the protocol had its turn. */
  readonly observeRefusals: RequestListener = (request) => {
    if (request.outcome !== "refused") return;
    const { transport, method, item, unknown, requestId, address, principal } = request;
    const { status, reason, code } = request;
    const about = { principal, address, transport, method, item: item ?? unknown, requestId };
    const line = this.#lineOf("refused", { ...about, status, reason, code });
    this.#trail.write(line).catch((error: unknown) => this.#lose(error));
  };

  close(): Promise<void> {
    return this.#trail.close();
  }

  #watched(name: string, method: Method): Method {
    const answer: Method["answer"] = (parameters, caller) => {
      const since = performance.now();
      const about = this.#describe(name, method, parameters, caller);
      const run = (): Awaitable<Result> =>
        after(answerOf(method, parameters, caller), (end) =>
          after(this.#write(about, since, end), () => {
            if (end.result === undefined) throw end.error;
            return end.result;
          }),
        );
      // What cannot be written down is not run.
      return this.#isDurable ? this.#begin(about).then(run) : run();
    };
    return { ...method, answer };
  }

  #describe(
    name: string,
    { itemOf }: Method,
    parameters: RequestParameters,
    { requestId, era, authentication, address }: Caller,
  ): object {
    const item = itemOf?.(parameters)?.definition.name ?? unknownName(name, parameters);
    return {
      principal: authentication?.principal,
      via: authentication?.via,
      address,
      method: name,
      item,
      requestId: typeof requestId === "string" ? printable(requestId, LONGEST_TEXT) : requestId,
      era,
      ...this.#shown(name, item, this.#argumentsOf(name, parameters)),
    };
  }

  /** Those of the tool that runs, where it is called through another. */
  #argumentsOf(method: string, { name, arguments: input }: RequestParameters): unknown {
    const isForwarded =
      method === "tools/call" &&
      this.#definition["exposure" as keyof ServerDefinition] !== undefined &&
      (name === "read_tool" || name === "call_tool");
    return isForwarded && isObject(input) ? input["arguments"] : input;
  }

  /** Says that a call begins. @throws ProtocolError where that cannot be brought to the disk */
  async #begin(about: object): Promise<void> {
    try {
      await this.#trail.write(this.#lineOf("begun", about));
      await this.#trail.synced();
    } catch (error) {
      this.#lose(error);
      throw new ProtocolError(-32603, "The call cannot be written down, and is not made");
    }
  }

  async #write(about: object, since: number, { outcome, code }: CallEnd): Promise<void> {
    const durationMs = Math.round((performance.now() - since) * 1_000) / 1_000;
    const line = this.#lineOf("call", { ...about, outcome, code, durationMs });
    try {
      await this.#trail.write(line);
      if (this.#isDurable) await this.#trail.synced();
    } catch (error) {
      this.#lose(error);
      if (!this.#isDurable) return;
      throw new ProtocolError(-32603, "The call was made, and cannot be written down");
    }
  }

  #lineOf(event: "begun" | "call" | "refused", members: object): string {
    const time = new Date().toISOString();
    return this.#masking.jsonText(JSON.stringify({ time, audit: event, ...members }));
  }

  #lose(error: unknown): void {
    this.#lost += 1;
    const now = performance.now();
    if (now - this.#toldAt < TOLD_EVERY) return;
    this.#toldAt = now;
    this.#log.error("the audit trail cannot be written", {
      lost: this.#lost,
      error: describeError(error),
    });
  }
}

/** How a call ended, with its result or its error. */
interface CallEnd {
  readonly outcome: Outcome;
  /** The JSON-RPC error's. */
  readonly code?: number | undefined;
  readonly result?: Result;
  readonly error?: unknown;
}

function answerOf(
  method: Method,
  parameters: RequestParameters,
  caller: Caller,
): Awaitable<CallEnd> {
  return recover<CallEnd>(
    () =>
      after(method.answer(parameters, caller), (result) => ({
        outcome: outcomeOf(result),
        result,
      })),
    (error) => ({
      outcome: caller.signal.reason === undefined ? "error" : "cancelled",
      code: error instanceof ProtocolError ? error.code : undefined,
      error,
    }),
  );
}

/** The name that was asked for, where there is no such tool or prompt; URIs may be as secret as arguments. */
function unknownName(method: string, { name }: RequestParameters): string | undefined {
  const isNamed = method === "tools/call" || method === "prompts/get";
  return isNamed && typeof name === "string" ? printable(name, LONGEST_TEXT) : undefined;
}
