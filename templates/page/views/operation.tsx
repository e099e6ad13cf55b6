import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import {
  ScopesMissing,
  TokenRefused,
  type Answer,
  type Connection,
  type LogLine,
  type Operation,
  type Progress,
  type SentRequest,
} from "../connection/connection.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import { AnswerView } from "./answer-view.js";
import { Failure } from "./failure.js";

/** How an operation ended. */
export type Outcome =
  | { readonly kind: "answer"; readonly answer: Answer; readonly ms: number }
  | { readonly kind: "failure"; readonly error: unknown; readonly ms: number }
  | { readonly kind: "cancelled" };

/** An operation that runs or has ended, and all that was told of it. */
export interface RunState {
  readonly outcome?: Outcome;
  readonly progress?: Progress;
  readonly log: readonly LogLine[];
  /** The last request that went out for it. */
  readonly sent?: SentRequest;
}

export interface OperationState {
  readonly state: RunState | undefined;
  readonly isRunning: boolean;
  readonly run: (operation: Operation) => void;
  readonly cancel: () => void;
  readonly onToken: (() => void) | undefined;
}

/** Runs one operation after the other. Who leaves the item cancels the one that runs. */
export function useOperation(
  connection: Connection | undefined,
  onRefused: ((refused?: TokenRefused) => void) | undefined,
): OperationState {
  const [state, setState] = useState<RunState>();
  const running = useRef<AbortController | undefined>(undefined);
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const run = (operation: Operation): void => {
    if (connection === undefined) return;
    cancel();
    const abort = new AbortController();
    running.current = abort;
    setState({ log: [] });
    const update = (change: (before: RunState) => RunState): void => {
      if (running.current === abort) setState((before) => change(before ?? { log: [] }));
    };
    void outcomeOf(connection, operation, abort.signal, update).then((outcome) => {
      const { error } = outcome as { readonly error?: unknown };
      if (error instanceof TokenRefused) return onRefused?.(error);
      update((before) => ({ ...before, outcome }));
    });
  };
  const isRunning = state !== undefined && state.outcome === undefined;
  return { state, isRunning, run, cancel, onToken: onRefused && (() => onRefused()) };
}

async function outcomeOf(
  connection: Connection,
  operation: Operation,
  signal: AbortSignal,
  update: (change: (before: RunState) => RunState) => void,
): Promise<Outcome> {
  const since = performance.now();
  try {
    const answer = await connection.run(operation, {
      signal,
      progress: (progress) => update((before) => ({ ...before, progress })),
      log: (line) => update((before) => ({ ...before, log: [...before.log, line] })),
      sent: (sent) => update((before) => ({ ...before, sent })),
    });
    return { kind: "answer", answer, ms: performance.now() - since };
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled" };
    return { kind: "failure", error, ms: performance.now() - since };
  }
}

/** What is known of an operation: how far it has come, what it logged, and its answer. */
export function OperationView(operation: OperationState): JSX.Element {
  const { state, isRunning, cancel, onToken } = operation;
  return (
    <section class="card answer" aria-busy={isRunning}>
      <h2>{texts.answer}</h2>
      {state === undefined && <p class="hint">{texts.noAnswerYet}</p>}
      {isRunning && (
        <div class="running">
          <ProgressView progress={state?.progress} />
          <button type="button" onClick={cancel}>
            {texts.cancel}
          </button>
        </div>
      )}
      <div role="status">{state?.outcome !== undefined && <Ending outcome={state.outcome} />}</div>
      {state?.outcome?.kind === "failure" && (
        <>
          <Failure title={texts.requestFailed} error={state.outcome.error} />
          {state.outcome.error instanceof ScopesMissing && onToken !== undefined && (
            <button type="button" onClick={onToken}>
              {texts.otherToken}
            </button>
          )}
        </>
      )}
      {state?.outcome?.kind === "answer" && (
        <AnswerView answer={state.outcome.answer} sent={state.sent} />
      )}
      {state !== undefined && state.log.length > 0 && <Log lines={state.log} />}
    </section>
  );
}

function Ending({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const words =
    outcome.kind === "cancelled"
      ? texts.cancelled
      : outcome.kind === "answer"
        ? texts.answered(outcome.ms)
        : texts.failedAfter(outcome.ms);
  return <p class="ending">{words}</p>;
}

function ProgressView({ progress }: { readonly progress: Progress | undefined }): JSX.Element {
  const { progress: value, total, message } = progress ?? {};
  return (
    <div class="progress">
      <progress
        aria-label={texts.progress}
        {...(total !== undefined && value !== undefined && { value, max: total })}
      />
      <p role="status">
        {total !== undefined && value !== undefined && `${value} / ${total} `}
        <Text>{message ?? texts.running}</Text>
      </p>
    </div>
  );
}

function Log({ lines }: { readonly lines: readonly LogLine[] }): JSX.Element {
  return (
    <details class="log" open>
      <summary>
        {texts.log} <span class="count">{lines.length}</span>
      </summary>
      <ol tabIndex={0} aria-label={texts.log}>
        {lines.map(({ level, logger, data }, index) => (
          <li key={index} class={/^\w+$/.test(level) ? level : ""}>
            <span class="level">
              <Text>{level}</Text>
            </span>{" "}
            {logger !== undefined && (
              <span class="hint">
                <Text>{logger}</Text>{" "}
              </span>
            )}
            <Text>{typeof data === "string" ? data : JSON.stringify(data)}</Text>
          </li>
        ))}
      </ol>
    </details>
  );
}
