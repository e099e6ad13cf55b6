import type { Prompt } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import { SchemaTable } from "../content/schema-table.js";
import { texts } from "../texts.js";
import { ArgumentsForm } from "./arguments-form.js";
import type { ItemViewProps } from "./item-view-props.js";
import { OperationView, useOperation } from "./operation.js";

/** A prompt: its arguments, and the messages that come of them. */
export function PromptView(props: ItemViewProps<Prompt>): JSX.Element {
  const { item: prompt, connection } = props;
  const operation = useOperation(connection, props.onRefused);
  const given = prompt.arguments ?? [];
  if (connection === undefined) {
    return (
      <section class="card">
        <h2>{texts.arguments}</h2>
        {given.length === 0 ? (
          <p class="hint">{texts.noArguments}</p>
        ) : (
          <SchemaTable schema={schemaOf(given)} />
        )}
      </section>
    );
  }
  return (
    <div class="columns">
      <section class="card">
        <h2>{texts.arguments}</h2>
        <ArgumentsForm
          of={{ prompt: prompt.name }}
          arguments={given}
          action={texts.get}
          connection={connection}
          isBusy={operation.isRunning}
          onSubmit={(values) =>
            operation.run({ method: "prompts/get", name: prompt.name, arguments: values })
          }
        />
      </section>
      <OperationView {...operation} />
    </div>
  );
}

/** Arguments of prompts are texts, each with a name and perhaps a description. */
function schemaOf(given: NonNullable<Prompt["arguments"]>): Readonly<Record<string, unknown>> {
  return {
    type: "object",
    properties: Object.fromEntries(
      given.map(({ name, description }) => [name, { type: "string", description }]),
    ),
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
  };
}
