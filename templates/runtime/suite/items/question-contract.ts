import type { BreakingValue, JsonObject } from "../contract.js";

export interface QuestionsContract {
  readonly items: readonly AskingContract[];
}

/** The questions that the handler of an item may ask. */
export interface AskingContract {
  readonly kind: "tool" | "resource" | "resourceTemplate" | "prompt";
  readonly name: string;
  /** Whether the item is on at the start. */
  readonly enabled?: false;
  /** A request that calls the handler. */
  readonly request: { readonly method: string; readonly params: JsonObject };
  readonly questions: readonly QuestionContract[];
  readonly sampling: boolean;
  readonly roots: boolean;
}

export interface QuestionContract {
  readonly key: string;
  /** The values of the placeholders. */
  readonly values: JsonObject;
  /** The request to the client, with these values. */
  readonly params: JsonObject;
  /** Answers to a form, each with the value that the handler gets; absent for a page. */
  readonly accepted: readonly { readonly content: JsonObject; readonly received: JsonObject }[];
  readonly refused: readonly BreakingValue[];
}
