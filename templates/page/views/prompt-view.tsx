import type { Prompt } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import { SchemaTable } from "../content/schema-table.js";
import { texts } from "../texts.js";
import { ArgumentsForm } from "./arguments-form.js";
import type { ItemViewProps } from "./item-view-props.js";
import { OperationView, useOperation } from "./operation.js";

/** A prompt: its arguments, and the messages that it returns. */
export function PromptView(props: ItemViewProps<Prompt>): JSX.Element {
  const { item: prompt, connection } = props;
  const operation = useOperation(connection, props.onRefused);
  const promptArguments = prompt.arguments ?? [];
  if (connection === undefined) {
    return (
      <section class="card">
        <h2>{texts.arguments}</h2>
        {promptArguments.length === 0 ? (
          <p class="hint">{texts.noArguments}</p>
        ) : (
          <SchemaTable schema={schemaOf(promptArguments)} />
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
          arguments={promptArguments}
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

/** A schema for the arguments of a prompt, which are texts. */
function schemaOf(
  promptArguments: NonNullable<Prompt["arguments"]>,
): Readonly<Record<string, unknown>> {
  return {
    type: "object",
    properties: Object.fromEntries(
      promptArguments.map(({ name, description }) => [name, { type: "string", description }]),
    ),
    required: promptArguments.filter(({ required }) => required === true).map(({ name }) => name),
  };
}
