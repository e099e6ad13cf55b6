/** Tools that run only if the user consents: `confirm` of an item. */
import { readAnswers } from "./asking/definition.js";
import { readAskingSettings } from "./asking/request-state-keys.js";
import { createConsent } from "./consent/consent.js";
import { limitQuestions } from "./http/open-questions.js";
import type { ServerPart } from "./server/server-part.js";

/** Asks users before tools with `confirm` run. It stands after `asking`, whose handlers may have `confirm`, too. */
export function consent(): ServerPart {
  return ({ createHandlerRunner }) => ({
    createHandlerRunner: (definition, options) =>
      createConsent(createHandlerRunner?.(definition, options), options),
    serves: ["confirm"],
    usesNonces: true,
    extendCaller: readAnswers,
    readSettings: readAskingSettings,
    limitQuestions,
  });
}
