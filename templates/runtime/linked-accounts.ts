/** Accounts that callers link with upstreams, by a sign-in of their own: `perCaller` of an upstream's `auth`. */
import { readAnswers } from "./asking/definition.js";
import { readAccountSettings } from "./asking/request-state-keys.js";
import { limitQuestions } from "./http/open-questions.js";
import { withAccountTools } from "./linked-accounts/account-tools.js";
import { LinkedAccounts } from "./linked-accounts/accounts.js";
import { accountPages } from "./linked-accounts/pages.js";
import { createLinking } from "./linked-accounts/runner.js";
import type { CreateFacility } from "./server/create-server.js";
import { mustStandBefore } from "./server/needed-parts.js";
import type { ServerPart } from "./server/server-part.js";
import { createLog } from "./observe/log.js";

/**
 * Lets callers link accounts. It stands after `asking` and before `consent`, and after `toolSearch` and `resourceTools`. The
 * transport `http` serves the pages, at `connect/` below its path.
 */
export function linkedAccounts(): ServerPart {
  return ({ createHandlerRunner, createSearchedTools, createBackends, serves = [] }) => {
    mustStandBefore("linkedAccounts()", "consent()", serves.includes("confirm"));
    return {
      createHandlerRunner: (definition, options) =>
        createLinking(createHandlerRunner?.(definition, options), options),
      createSearchedTools: withAccountTools(createSearchedTools),
      ...(createBackends && { createBackends: withAccounts(createBackends) }),
      accountPages,
      usesNonces: true,
      keepsAccounts: true,
      extendCaller: readAnswers,
      readSettings: readAccountSettings,
      limitQuestions,
    };
  };
}

/** Makes the accounts of a server with its backends, which use them. */
function withAccounts(create: CreateFacility): CreateFacility {
  return (definition, options, limits) => {
    const { authentication, log = createLog(), mock = false } = options;
    if (mock) return create(definition, options, limits);
    const publicUrl = authentication?.protectedResource?.resource;
    const accounts = new LinkedAccounts({ ...options, log, publicUrl });
    const facility = create(definition, { ...options, accounts }, limits);
    return {
      ...facility,
      shared: { ...facility.shared, accounts },
      join: (server) => ({ ...facility.join?.(server), accounts }),
    };
  };
}
