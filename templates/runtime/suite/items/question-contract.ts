import type { BreakingValue, JsonObject } from "../contract.js";

declare module "../contract.js" {
  interface Contracts {
    readonly questions: QuestionsContract;
  }
}

export interface QuestionsContract {
  readonly items: readonly AskingContract[];
}

/** What the handler of an item may ask its client. */
export interface AskingContract {
  readonly kind: "tool" | "resource" | "resourceTemplate" | "prompt";
  readonly name: string;
  /** The item is not there from the start. */
  readonly enabled?: false;
  /** A request that the handler answers. */
  readonly request: { readonly method: string; readonly params: JsonObject };
  readonly questions: readonly QuestionContract[];
  readonly sampling: boolean;
  readonly roots: boolean;
}

export interface QuestionContract {
  readonly key: string;
  /** Values for the placeholders. */
  readonly values: JsonObject;
  /** What the client gets, with these values. */
  readonly params: JsonObject;
  /** Answers to a form, and what of them the handler gets; none for a page. */
  readonly accepted: readonly { readonly content: JsonObject; readonly received: JsonObject }[];
  readonly refused: readonly BreakingValue[];
}
