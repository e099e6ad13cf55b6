import { ProtocolError } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import { NoAnswer, ScopesMissing } from "../connection/connection.js";
import { DataView } from "../content/data-view.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";

/** The message about a failed operation. */
export function Failure(props: { readonly title: string; readonly error: unknown }): JSX.Element {
  const { title, error } = props;
  const isProtocol = error instanceof ProtocolError;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{title}</strong>
        {isProtocol && <span class="chip">{texts.code(error.code)}</span>}
      </p>
      <p class="error-text">
        <Text>{messageOf(error)}</Text>
      </p>
      {isProtocol && error.data !== undefined && <DataView value={error.data} />}
    </div>
  );
}

function messageOf(error: unknown): string {
  if (error instanceof NoAnswer) return texts.noAnswer;
  if (error instanceof ScopesMissing) return texts.missingScopes(error.scopes ?? "");
  return error instanceof Error ? error.message : String(error);
}
