/** Handlers that ask their client: questions to the user, to the client's model, or for its folders. */
import { createAsking } from "./asking/asking.js";
import { formImports } from "./asking/define-asks.js";
import { readAnswers } from "./asking/definition.js";
import { readAskingSettings } from "./asking/request-state-keys.js";
import { limitQuestions } from "./http/open-questions.js";
import { mustStandBefore } from "./server/needed-parts.js";
import type { ServerPart } from "./server/server-part.js";

export type {
  AskingContext,
  Elicit,
  NoValues,
  RootsContext,
  SamplingContext,
} from "./asking/context.js";
export { defineAsks } from "./asking/define-asks.js";
export { InputRefused } from "./asking/input-refused.js";
export { isSuspend } from "./asking/run.js";

/** Lets the handlers of items with `asks` ask their client. */
export function asking(): ServerPart {
  return ({ createHandlerRunner }) => {
    mustStandBefore(
      "asking()",
      "linkedAccounts() and consent()",
      createHandlerRunner !== undefined,
    );
    return {
      createHandlerRunner: createAsking,
      serves: ["asks"],
      extendCaller: readAnswers,
      importsOf: formImports,
      readSettings: readAskingSettings,
      limitQuestions,
    };
  };
}
