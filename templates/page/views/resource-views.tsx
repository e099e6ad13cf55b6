import type { Resource, ResourceTemplateType } from "@modelcontextprotocol/client";
import { UriTemplate } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import { ArgumentsForm } from "./arguments-form.js";
import type { ItemViewProps } from "./item-view-props.js";
import { OperationView, useOperation } from "./operation.js";

/** A resource with a button to read it. */
export function ResourceView(props: ItemViewProps<Resource>): JSX.Element {
  const { item: resource, connection } = props;
  const operation = useOperation(connection, props.onRefused);
  return (
    <>
      <ResourceFacts mimeType={resource.mimeType} size={resource.size} />
      {connection !== undefined && (
        <>
          <p>
            <button
              type="button"
              class="primary"
              aria-disabled={operation.isRunning}
              onClick={() => {
                if (operation.isRunning) return;
                operation.run({ method: "resources/read", uri: resource.uri });
              }}
            >
              {texts.read}
            </button>
          </p>
          <OperationView {...operation} />
        </>
      )}
    </>
  );
}

/** A resource template with a form for its variables. */
export function TemplateView(props: ItemViewProps<ResourceTemplateType>): JSX.Element {
  const { item: template, connection } = props;
  const operation = useOperation(connection, props.onRefused);
  const parsed = useMemo(() => parseTemplate(template.uriTemplate), [template.uriTemplate]);
  const variables = (parsed?.variableNames ?? []).map((name) => ({ name, required: true }));
  return (
    <>
      <ResourceFacts mimeType={template.mimeType} size={undefined} />
      {connection !== undefined && (
        <div class="columns">
          <section class="card">
            <h2>{texts.arguments}</h2>
            <ArgumentsForm
              of={{ template: template.uriTemplate }}
              arguments={variables}
              action={texts.read}
              connection={connection}
              isBusy={operation.isRunning}
              onSubmit={(values) =>
                operation.run({ method: "resources/read", uri: parsed?.expand(values) ?? "" })
              }
            />
          </section>
          <OperationView {...operation} />
        </div>
      )}
    </>
  );
}

function parseTemplate(text: string): UriTemplate | undefined {
  try {
    return new UriTemplate(text);
  } catch {
    return undefined;
  }
}

/** The type and the size of a resource, if they are known. */
function ResourceFacts(props: {
  readonly mimeType: string | undefined;
  readonly size: number | undefined;
}): JSX.Element | null {
  const { mimeType, size } = props;
  if (mimeType === undefined && size === undefined) return null;
  return (
    <ul class="chips">
      {mimeType !== undefined && (
        <li class="chip">
          <Text>{mimeType}</Text>
        </li>
      )}
      {size !== undefined && <li class="chip">{texts.bytes(size)}</li>}
    </ul>
  );
}
