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

/** The state of the connection with the server. */
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

/** A question that waits for the user's answer. */
export interface OpenQuestion {
  /** A number that is unique among all questions. */
  readonly number: number;
  readonly question: Question;
  readonly onReply: (reply: Reply) => void;
}

export interface Session {
  readonly state: SessionState;
  /** The first waiting question. */
  readonly question: OpenQuestion | undefined;
  readonly connectWith: (token: string | undefined) => void;
  /** Connects again with the same token, without changing the page meanwhile. */
  readonly renew: () => void;
  /** Disconnects, and asks the user for another token. */
  readonly askForToken: (refused?: TokenRefused) => void;
}

/** Connects to the server of the page, and collects its questions. */
export function useSession(): Session {
  const [state, setState] = useState<SessionState>({ kind: "connecting" });
  const { questions, ask } = useQuestions();
  const connectionRef = useRef<Connection | undefined>(undefined);
  const disconnect = useCallback(() => {
    void connectionRef.current?.close().catch(() => undefined);
    connectionRef.current = undefined;
  }, []);
  const tokenRef = useRef<string | undefined>(undefined);
  const renew = useCallback(() => {
    void openConnection(tokenRef.current, ask, setState).then((newConnection) => {
      disconnect();
      connectionRef.current = newConnection;
    });
  }, [ask, disconnect]);
  const connectWith = useCallback(
    (token: string | undefined) => {
      tokenRef.current = token;
      setState({ kind: "connecting" });
      renew();
    },
    [renew],
  );
  const askForToken = useCallback(
    (refused?: TokenRefused) => {
      disconnect();
      setState({ kind: "token", refused });
    },
    [disconnect],
  );
  useEffect(() => {
    connectWith(undefined);
    return disconnect;
  }, [connectWith, disconnect]);
  return { state, question: questions[0], connectWith, renew, askForToken };
}

async function openConnection(
  token: string | undefined,
  ask: Ask,
  setState: (state: SessionState) => void,
): Promise<Connection | undefined> {
  try {
    const onChange = (catalogue: Catalogue): void =>
      setState({ kind: "connected", connection: newConnection, catalogue, token });
    const newConnection = await connect(serverUrl(), token, { ask, onChange });
    onChange(newConnection.catalogue);
    return newConnection;
  } catch (error) {
    if (error instanceof TokenRefused) setState({ kind: "token", refused: error });
    else setState({ kind: "failed", error, token });
    return undefined;
  }
}

/** The URL of the server, which is that of its page. */
function serverUrl(): string {
  return location.origin + location.pathname;
}

let lastNumber = 0;

/** The waiting questions in the order of their arrival, and the function that adds one. */
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
