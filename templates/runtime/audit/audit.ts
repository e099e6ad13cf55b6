import { resolve } from "node:path";
import { maskingOf, type Masking } from "../backends/masking.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import { ProtocolError } from "../engine/errors.js";
import { describeError } from "../engine/describe-error.js";
import { printable } from "../engine/printable.js";
import { isObject, textMember, type RequestParameters } from "../engine/request-parameters.js";
import type { ActedFor } from "../context/acting.js";
import type { Caller } from "../context/context.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Method, Methods } from "../engine/feature.js";
import { outcomeOf, type Outcome, type RequestListener } from "../observe/request-observer.js";
import type { Facility } from "../server/facility.js";
import type { Result } from "@modelcontextprotocol/server";
import { isReplacedByUpdates } from "../start/project-root.js";
import { takesNothing } from "../tools/argument-limits.js";
import type { ToolEntry } from "../tools/definition.js";
import { argumentsShown, type ShownArguments } from "./shown-arguments.js";
import { FileTrail, stderrTrail, type Trail } from "./trail.js";

/** The maximum length of a caller's text in a line. Longer texts are cut. */
const MAX_TEXT_LENGTH = 128;

/** The minimum time between two log entries about lost lines, in milliseconds. */
const REPORT_INTERVAL_MS = 10_000;

/** The methods that use an item. Each such call gets a line. */
const AUDITED_METHODS: ReadonlySet<string> = new Set([
  ...["tools/call", "resources/read", "prompts/get", "completion/complete"],
  ...["tasks/update", "tasks/cancel"],
]);

/** The audit trail cannot be opened with the settings of the manifest and the environment. */
class SettingError extends Error {
  override readonly name = "SettingError";
}

/**
 * Opens the audit trail.
 *
 * @param env The values of the manifest's variables.
 * @param project The project's folder, to which the path of the file is relative, the log, and the trail to which the lines
 * are written if that is open already.
 * @throws SettingError if the file cannot be opened, or would be lost with the next version of the server
 */
export function openAudit(
  definition: ServerDefinition,
  env: object,
  {
    root,
    log,
    trail = openTrail(definition, env, root),
  }: { readonly root: string; readonly log: Logger; readonly trail?: Trail | undefined },
): Facility {
  return new AuditTrail(definition, { trail, masking: maskingOf(definition, env), log });
}

/**
 * Opens what the lines are written to: the file that the manifest's variable names, or stderr.
 *
 * @param env The values of the manifest's variables.
 * @param root The project's folder, to which the path of the file is relative.
 * @throws SettingError if the file cannot be opened, or would be lost with the next version of the server
 */
export function openTrail({ audit }: ServerDefinition, env: object, root: string): Trail {
  const { to } = audit ?? {};
  const path = to === undefined ? undefined : (env as Readonly<Record<string, unknown>>)[to.env];
  return to === undefined || path === undefined ? stderrTrail : trailTo(String(path), to.env, root);
}

function trailTo(path: string, variable: string, root: string): Trail {
  if (isReplacedByUpdates(root, path)) {
    throw new SettingError(
      `the audit trail would be lost with the next version, which replaces the folder of this package; set ${variable} to an absolute path`,
    );
  }
  try {
    return new FileTrail(resolve(root, path));
  } catch (error) {
    throw new SettingError(`the audit trail cannot be written: ${(error as Error).message}`);
  }
}

/** What an audit trail needs to write its lines. */
export interface AuditOptions {
  readonly trail: Trail;
  /** Masks the values of secret variables in the lines. */
  readonly masking: Masking;
  readonly log: Logger;
}

/** Writes a line for each use of an item before the answer is sent, and for each refused request. */
export class AuditTrail implements Facility {
  readonly #definition: ServerDefinition;
  readonly #trail: Trail;
  readonly #masking: Masking;
  readonly #log: Logger;
  readonly #shownArguments: ShownArguments;
  readonly #isDurable: boolean;
  #reportedAt = -Infinity;
  #lostLines = 0;

  constructor(definition: ServerDefinition, { trail, masking, log }: AuditOptions) {
    this.#definition = definition;
    this.#trail = trail;
    this.#masking = masking;
    this.#log = log;
    this.#shownArguments = argumentsShown(definition);
    this.#isDurable = definition.audit?.durable === true;
  }

  wrapMethods(methods: Methods): Methods {
    return Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        AUDITED_METHODS.has(name) ? this.#audited(name, method) : method,
      ]),
    );
  }

  join(): object {
    return { recordsAddresses: true };
  }

  /** Writes a line for a request that was refused before the engine or the SDK received it. */
  readonly observe: RequestListener = (request) => {
    if (request.outcome !== "refused") return;
    const { transport, method, item, unknown, requestId, address, principal } = request;
    const { status, reason, code } = request;
    const fields = { principal, address, transport, method, item: item ?? unknown, requestId };
    const line = this.#lineOf("refused", { ...fields, status, reason, code });
    this.#trail.write(line).catch((error: unknown) => this.#reportLoss(error));
  };

  close(): Promise<void> {
    return this.#trail.close();
  }

  #audited(name: string, method: Method): Method {
    const answer: Method["answer"] = (parameters, caller) => {
      const startedAt = performance.now();
      const fields = this.#describe(name, method, parameters, caller);
      // Copies of the caller have the same list.
      const actedFor: ActedFor[] = [];
      caller.actedFor = actedFor;
      const run = (): Awaitable<Result> =>
        after(endOf(method, parameters, caller), ({ outcome, code, result, error }) => {
          const { consent } = caller;
          const acted = actedFor.length > 0 ? actedFor : undefined;
          const durationMs = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
          const end = { ...fields, consent, actedFor: acted, outcome, code, durationMs };
          return after(this.#writeEnd(end), () => {
            if (result === undefined) throw error;
            return result;
          });
        });
      // A durable trail must have the start of a call before the call runs.
      return this.#isDurable ? this.#writeStart(fields).then(run) : run();
    };
    return { ...method, answer };
  }

  #describe(
    name: string,
    { itemOf }: Method,
    parameters: RequestParameters,
    { requestId, era, authentication, address }: Caller,
  ): object {
    const entry = itemOf?.(parameters);
    const item = entry?.definition.name ?? unknownName(name, parameters);
    const sent = this.#argumentsOf(name, parameters);
    const isDropped =
      name === "tools/call" && entry !== undefined && takesNothing(entry as ToolEntry);
    return {
      principal: authentication?.principal,
      via: authentication?.via,
      actor: actorOf(authentication?.claims),
      address,
      method: name,
      item,
      deprecated: entry?.deprecated === undefined ? undefined : true,
      requestId: typeof requestId === "string" ? printable(requestId, MAX_TEXT_LENGTH) : requestId,
      era,
      ...this.#shownArguments(name, item, isDropped && isObject(sent) ? {} : sent),
    };
  }

  /** The arguments of the tool that runs, also if it is called through `read_tool` or `call_tool`. */
  #argumentsOf(method: string, { name, arguments: input }: RequestParameters): unknown {
    const isForwarded =
      method === "tools/call" &&
      this.#definition["exposure" as keyof ServerDefinition] !== undefined &&
      (name === "read_tool" || name === "call_tool");
    return isForwarded && isObject(input) ? input["arguments"] : input;
  }

  /** Writes the start of a call to the disk. @throws ProtocolError if that fails */
  async #writeStart(fields: object): Promise<void> {
    try {
      await this.#trail.write(this.#lineOf("begun", fields));
      await this.#trail.synced();
    } catch (error) {
      this.#reportLoss(error);
      throw new ProtocolError(-32603, "The call cannot be written down, and is not made");
    }
  }

  /** Writes the end of a call. @throws ProtocolError if that fails and the trail is durable */
  async #writeEnd(fields: object): Promise<void> {
    try {
      await this.#trail.write(this.#lineOf("call", fields));
      if (this.#isDurable) await this.#trail.synced();
    } catch (error) {
      this.#reportLoss(error);
      if (!this.#isDurable) return;
      throw new ProtocolError(-32603, "The call was made, and cannot be written down");
    }
  }

  #lineOf(event: "begun" | "call" | "refused", members: object): string {
    const time = new Date().toISOString();
    const json = JSON.stringify({ time, audit: event, ...members });
    return this.#masking.jsonText(this.#definition.exactNumbers?.withDigits(json) ?? json);
  }

  #reportLoss(error: unknown): void {
    this.#lostLines += 1;
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = now;
    this.#log.error("the audit trail cannot be written", {
      lost: this.#lostLines,
      error: describeError(error),
    });
  }
}

/** Who acts for the principal, by the caller's token (RFC 8693, section 4.1); undefined if the principal itself does. */
function actorOf(claims: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const act = claims?.["act"];
  const actor = isObject(act) ? act["sub"] : undefined;
  return typeof actor === "string" ? printable(actor, MAX_TEXT_LENGTH) : undefined;
}

/** How a call ended, with its result or its error. */
interface CallEnd {
  readonly outcome: Outcome;
  /** The code of the JSON-RPC error. */
  readonly code?: number | undefined;
  readonly result?: Result;
  readonly error?: unknown;
}

/** Runs the call. Errors are part of the result. */
function endOf(method: Method, parameters: RequestParameters, caller: Caller): Awaitable<CallEnd> {
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

/** The requested name of an unknown tool or prompt. URIs are left out: they may be secret like arguments. */
function unknownName(method: string, parameters: RequestParameters): string | undefined {
  const isNamed = method === "tools/call" || method === "prompts/get";
  const name = isNamed ? textMember(parameters, "name") : undefined;
  return name === undefined ? undefined : printable(name, MAX_TEXT_LENGTH);
}
