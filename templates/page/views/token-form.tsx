import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TokenRefused } from "../connection/connection.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";

/** A form for a token. It reports if the server has refused the previous one. */
export function TokenForm(props: {
  readonly refused: TokenRefused | undefined;
  readonly onToken: (token: string | undefined) => void;
}): JSX.Element {
  const { refused, onToken } = props;
  const [token, setToken] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const wasRefused = refused?.hadToken === true;
  return (
    <main class="alone">
      <form
        class="card token"
        onSubmit={(event) => {
          event.preventDefault();
          onToken(token.trim() === "" ? undefined : token.trim());
        }}
      >
        <h1>{wasRefused ? texts.tokenRefusedTitle : texts.tokenTitle}</h1>
        {wasRefused && refused.reason !== undefined && (
          <p class="problem" role="alert">
            <Text>{refused.reason}</Text>
          </p>
        )}
        <div class="field">
          <label for="token">
            <span class="name">{texts.tokenLabel}</span>
          </label>
          <p class="description" id="token-hint">
            {texts.tokenHint}
          </p>
          <input
            id="token"
            ref={input}
            type="password"
            autocomplete="off"
            aria-describedby="token-hint"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            {texts.connectWithToken}
          </button>
        </div>
      </form>
    </main>
  );
}
