import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Catalogue } from "./catalogue.js";
import {
  TokenRefused,
  type Ask,
  type Connection,
  type Question,
  type Reply,
} from "./connection.js";
import { connect } from "./mcp-connection.js";

/** How far the page has come with its server. */
export type SessionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "failed"; readonly error: unknown; readonly token: string | undefined }
  | { readonly kind: "token"; readonly refused: TokenRefused | undefined }
  | {
      readonly kind: "connected";
      readonly connection: Connection;
      readonly catalogue: Catalogue;
      readonly token: string | undefined;
    };

/** A question that waits for the person. */
export interface OpenQuestion {
  /** Tells it from those before it. */
  readonly number: number;
  readonly question: Question;
  readonly onReply: (reply: Reply) => void;
}

export interface Session {
  readonly state: SessionState;
  /** The first that waits. */
  readonly question: OpenQuestion | undefined;
  readonly connectWith: (token: string | undefined) => void;
  /** Connects again with the same token, while what is shown stays. */
  readonly renew: () => void;
  /** Leaves the server, and asks for another token. */
  readonly askForToken: (refused?: TokenRefused) => void;
}

/** Connects to the server that the page came from, and keeps what it asks. */
export function useSession(): Session {
  const [state, setState] = useState<SessionState>({ kind: "connecting" });
  const { questions, ask } = useQuestions();
  const current = useRef<Connection | undefined>(undefined);
  const leave = useCallback(() => {
    void current.current?.close().catch(() => undefined);
    current.current = undefined;
  }, []);
  const usedToken = useRef<string | undefined>(undefined);
  const renew = useCallback(() => {
    void connection(usedToken.current, ask, setState).then((made) => {
      leave();
      current.current = made;
    });
  }, [ask, leave]);
  const connectWith = useCallback(
    (token: string | undefined) => {
      usedToken.current = token;
      setState({ kind: "connecting" });
      renew();
    },
    [renew],
  );
  const askForToken = useCallback(
    (refused?: TokenRefused) => {
      leave();
      setState({ kind: "token", refused });
    },
    [leave],
  );
  useEffect(() => {
    connectWith(undefined);
    return leave;
  }, [connectWith, leave]);
  return { state, question: questions[0], connectWith, renew, askForToken };
}

async function connection(
  token: string | undefined,
  ask: Ask,
  setState: (state: SessionState) => void,
): Promise<Connection | undefined> {
  try {
    const changed = (catalogue: Catalogue): void =>
      setState({ kind: "connected", connection: made, catalogue, token });
    const made = await connect(serverUrl(), token, { ask, changed });
    changed(made.catalogue);
    return made;
  } catch (error) {
    if (error instanceof TokenRefused) setState({ kind: "token", refused: error });
    else setState({ kind: "failed", error, token });
    return undefined;
  }
}

/** The server answers at the address of its page. */
function serverUrl(): string {
  return location.origin + location.pathname;
}

let lastNumber = 0;

/** The questions that wait, in the order in which they came. */
function useQuestions(): { readonly questions: readonly OpenQuestion[]; readonly ask: Ask } {
  const [questions, setQuestions] = useState<readonly OpenQuestion[]>([]);
  const ask = useCallback<Ask>(
    (question, signal) =>
      new Promise((resolve, reject) => {
        const number = ++lastNumber;
        const close = (): void =>
          setQuestions((open) => open.filter((other) => other.number !== number));
        const onReply = (reply: Reply): void => {
          close();
          resolve(reply);
        };
        signal.addEventListener("abort", () => {
          close();
          reject(signal.reason as Error);
        });
        setQuestions((open) => [...open, { number, question, onReply }]);
      }),
    [],
  );
  return { questions, ask };
}
