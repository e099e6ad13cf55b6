import { createAccess } from "../authentication/access.js";
import { authInfoOf, senderOf } from "../authentication/auth-info.js";
import { createScopes, guardMethods } from "../authentication/item-scopes.js";
import { createChanges, createControls } from "../changes/changes.js";
import { quietCapabilities } from "../changes/quiet-capabilities.js";
import { createCompletion } from "../completion/completion.js";
import { createPagedList } from "../engine/paged-item-list.js";
import type { RuntimeParts } from "../engine/definition.js";
import { legacyExceptions } from "../fast-path/legacy-exceptions.js";
import { createRequestData } from "../http/request-data.js";
import { countRefusals } from "../observe/refusals.js";
import { metricsPage } from "../observe/metrics-page.js";
import { createPrompts } from "../prompts/prompts.js";
import { createResources } from "../resources/resources.js";
import { compareHeaders, repeatsArguments } from "../server/header-parameters.js";
import { checkEnvironment } from "../start/env.js";
import { withDefaults } from "../tools/defaults.js";
import { convertMessage, prepareArguments } from "../tools/exact-numbers.js";
import { renderFixed } from "../tools/fixed.js";

/** The runtime parts of a project that uses every feature except metrics, changes and questions to the client. */
export const parts: RuntimeParts = {
  ...{
    createResources,
    createPrompts,
    createCompletion,
    createRequestData,
    createAccess,
    guardMethods,
    createPagedList,
    createScopes,
    authInfoOf,
    senderOf,
    compareHeaders,
    repeatsArguments,
    legacyExceptions,
    withDefaults,
    convertMessage,
    prepareArguments,
    renderFixed,
    metricsPage,
    checkEnvironment,
    countRefusals,
  },
};

/** The further parts of a project whose items or contents change while the server runs. */
export const changingParts: RuntimeParts = {
  ...{ createChanges, createControls, quietCapabilities },
};
