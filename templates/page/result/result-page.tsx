import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AppView } from "../../runtime/apps/app-view.js";
import { Text } from "../content/text.js";
import { SchemaForm } from "../form/schema-form.js";
import { texts } from "../texts.js";
import { connectHost, type Host } from "./host.js";
import { ResultView } from "./result-view.js";

/** What the page knows of the call: the result, or why there is none. */
type State =
  | { readonly kind: "waiting" | "cancelled" }
  | { readonly kind: "answered"; readonly result: unknown }
  | { readonly kind: "failed"; readonly message: string };

type Values = Readonly<Record<string, unknown>>;

/** The page of an MCP App: the result of a tool, and its arguments where they may be asked again. */
export function ResultPage({ view }: { readonly view: AppView }): JSX.Element {
  const [state, setState] = useState<State>({ kind: "waiting" });
  const [host, setHost] = useState<Host>();
  const [values, setValues] = useState<Values>();
  useEffect(() => {
    connectHost({
      onInput: setValues,
      onResult: (result) => setState({ kind: "answered", result }),
      onCancelled: () => setState({ kind: "cancelled" }),
      onTheme: showTheme,
    }).then(setHost, fail);
  }, []);
  const fail = (error: unknown): void =>
    setState({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  const askAgain = (asked: Values): void => {
    setState({ kind: "waiting" });
    host?.call(view.tool, asked).then((result) => setState({ kind: "answered", result }), fail);
  };
  const isWaiting = state.kind === "waiting";
  return (
    <main class="result" aria-busy={isWaiting}>
      <h1>
        <Text>{view.title}</Text>
      </h1>
      {view.form !== undefined && host?.canCall === true && (
        <details>
          <summary>{texts.arguments}</summary>
          <SchemaForm
            key={values}
            schema={view.form}
            values={values}
            action={texts.result.again}
            isFree={false}
            isBusy={isWaiting}
            onSubmit={askAgain}
          />
        </details>
      )}
      <div role="status">
        {isWaiting && <p class="hint">{texts.running}</p>}
        {state.kind === "cancelled" && <p>{texts.cancelled}</p>}
        {state.kind === "failed" && (
          <p class="problem">
            {texts.requestFailed}: <Text>{state.message}</Text>
          </p>
        )}
      </div>
      {state.kind === "answered" && <ResultView view={view} result={state.result} />}
    </main>
  );
}

/** Shows the page in the colours of the host. Without a theme, the browser decides. */
function showTheme(theme: unknown): void {
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
}
