import type { Tool } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import { SchemaTable } from "../content/schema-table.js";
import { SchemaForm } from "../form/schema-form.js";
import type { Schema } from "../form/schema.js";
import { texts } from "../texts.js";
import type { ItemViewProps } from "./item-view-props.js";
import { OperationView, useOperation } from "./operation.js";

/** A tool: a form for its arguments, and the answer to a call. */
export function ToolView(props: ItemViewProps<Tool>): JSX.Element {
  const { item: tool, connection } = props;
  const operation = useOperation(connection, props.onRefused);
  const schema = tool.inputSchema as Schema;
  return (
    <>
      <Annotations of={tool} />
      {connection === undefined ? (
        <section class="card">
          <h2>{texts.arguments}</h2>
          <SchemaTable schema={schema} />
        </section>
      ) : (
        <div class="columns">
          <section class="card">
            <h2>{texts.arguments}</h2>
            <SchemaForm
              schema={schema}
              action={texts.call}
              isFree
              isBusy={operation.isRunning}
              onSubmit={(values) =>
                operation.run({ method: "tools/call", name: tool.name, arguments: values })
              }
            />
          </section>
          <OperationView {...operation} />
        </div>
      )}
      {tool.outputSchema !== undefined && (
        <section class="card">
          <h2>{texts.answerShape}</h2>
          <SchemaTable schema={tool.outputSchema as Schema} />
        </section>
      )}
    </>
  );
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function Annotations({ of: { annotations = {} } }: { readonly of: Tool }): JSX.Element | null {
  const setHints = HINTS.filter((hint) => annotations[hint] === true);
  if (setHints.length === 0) return null;
  return (
    <ul class="chips">
      {setHints.map((hint) => (
        <li key={hint} class={`chip ${hint}`}>
          {texts.annotations[hint]}
        </li>
      ))}
    </ul>
  );
}
