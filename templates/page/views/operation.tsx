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
import { jsonOf, Text } from "../content/text.js";
import { texts } from "../texts.js";
import { AnswerView } from "./answer-view.js";
import { Failure } from "./failure.js";

/** The outcome of an operation. */
export type Outcome =
  | { readonly kind: "answer"; readonly answer: Answer; readonly ms: number }
  | { readonly kind: "failure"; readonly error: unknown; readonly ms: number }
  | { readonly kind: "cancelled" };

/** The state of an operation that is running or has ended. */
export interface RunState {
  readonly outcome?: Outcome;
  readonly progress?: Progress;
  /** The last lines of the log. */
  readonly log: readonly LogLine[];
  /** The number of all lines, including dropped ones. */
  readonly logCount: number;
  /** The last HTTP request of the operation. */
  readonly sentRequest?: SentRequest;
}

/** The maximum number of lines of the log that are kept. */
const maxLogLines = 500;

/** The time for which updates are collected before the page is rendered again, in milliseconds. */
const updateDelayMs = 50;

export interface OperationState {
  readonly state: RunState | undefined;
  readonly isRunning: boolean;
  readonly run: (operation: Operation) => void;
  readonly cancel: () => void;
  readonly onToken: (() => void) | undefined;
}

/** Runs operations one at a time. A new operation, or leaving the item, cancels the running one. */
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
    let current: RunState = { log: [], logCount: 0 };
    let timer: number | undefined;
    setState(current);
    const show = (): void => {
      timer = undefined;
      if (running.current === abort) setState(current);
    };
    const update = (change: (before: RunState) => Partial<RunState>): void => {
      current = { ...current, ...change(current) };
      timer ??= setTimeout(show, updateDelayMs);
    };
    void outcomeOf(connection, operation, abort.signal, update).then((outcome) => {
      const { error } = outcome as { readonly error?: unknown };
      if (error instanceof TokenRefused) return onRefused?.(error);
      update(() => ({ outcome }));
    });
  };
  const isRunning = state !== undefined && state.outcome === undefined;
  return { state, isRunning, run, cancel, onToken: onRefused && (() => onRefused()) };
}

async function outcomeOf(
  connection: Connection,
  operation: Operation,
  signal: AbortSignal,
  update: (change: (before: RunState) => Partial<RunState>) => void,
): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const answer = await connection.run(operation, {
      signal,
      onProgress: (progress) => update(() => ({ progress })),
      onLog: (line) =>
        update(({ log, logCount }) => ({
          log: [...log, line].slice(-maxLogLines),
          logCount: logCount + 1,
        })),
      onRequest: (sentRequest) => update(() => ({ sentRequest })),
    });
    return { kind: "answer", answer, ms: performance.now() - startedAt };
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled" };
    return { kind: "failure", error, ms: performance.now() - startedAt };
  }
}

/** The progress, log and answer of an operation. */
export function OperationView(operation: OperationState): JSX.Element {
  const { state, isRunning, cancel, onToken } = operation;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const { top = 0 } = section.current?.getBoundingClientRect() ?? {};
    if (isRunning && top > innerHeight * 0.7) section.current?.scrollIntoView();
  }, [isRunning]);
  return (
    <section class="card answer" aria-busy={isRunning} ref={section}>
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
        <AnswerView answer={state.outcome.answer} sentRequest={state.sentRequest} />
      )}
      {state !== undefined && state.log.length > 0 && <Log {...state} />}
    </section>
  );
}

function Ending({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const text =
    outcome.kind === "cancelled"
      ? texts.cancelled
      : outcome.kind === "answer"
        ? texts.answered(outcome.ms)
        : texts.failedAfter(outcome.ms);
  return <p class="ending">{text}</p>;
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
        {total !== undefined &&
          value !== undefined &&
          `${formatNumber(value)} / ${formatNumber(total)} `}
        <Text>{message ?? texts.running}</Text>
      </p>
    </div>
  );
}

/** Formats a number without the digits that result from binary fractions. */
function formatNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function Log({ log, logCount }: RunState): JSX.Element {
  return (
    <details class="log" open>
      <summary>
        {texts.log} <span class="count">{logCount}</span>
      </summary>
      <ol tabIndex={0} aria-label={texts.log}>
        {log.map(({ level, logger, data }, index) => (
          <li key={logCount - log.length + index} data-level={level}>
            <span class="level">
              <Text>{level}</Text>
            </span>{" "}
            {logger !== undefined && (
              <span class="hint">
                <Text>{logger}</Text>{" "}
              </span>
            )}
            <Text>{typeof data === "string" ? data : jsonOf(data)}</Text>
          </li>
        ))}
      </ol>
    </details>
  );
}
