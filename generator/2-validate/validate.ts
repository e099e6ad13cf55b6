import { unknownKey } from "../model/catalogue/manifest.js";
import {
  danglingReference,
  externalReference,
  malformedReference,
  notASchema,
} from "../model/catalogue/schema.js";
import { inFileOrder, type Diagnostic } from "../model/diagnostic.js";
import { isJsonObject } from "../model/json.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { rulesOfBodies } from "./bodies/body-rules.js";
import { checkDatabases } from "./bodies/databases.js";
import { checkSelections } from "./bodies/selections.js";
import { checkSources } from "./bodies/source-items.js";
import { checkUpstreams } from "./bodies/upstreams.js";
import { checkAliases } from "./rules/aliases.js";
import { checkApps } from "./rules/apps.js";
import { checkAudit } from "./rules/audit.js";
import { checkAuth, checkSharedAnswers } from "./rules/auth.js";
import { checkConsent, checkTasks } from "./rules/consent.js";
import { checkEmbeddedResources } from "./rules/content.js";
import { checkDeprecations } from "./rules/deprecation.js";
import { checkDeployment } from "./rules/deploy.js";
import {
  checkAlikeTools,
  checkBeginnings,
  checkPraise,
  checkRestatedNames,
  checkUnits,
  checkUnsaidResults,
} from "./rules/descriptions.js";
import { checkElicitations } from "./rules/elicitations.js";
import { checkDeprecatedUses, checkStatelessHttp } from "./rules/eras.js";
import { checkEnvironment } from "./rules/environment.js";
import { checkAccountTools, checkExposure, checkResourceTools } from "./rules/exposure.js";
import { checkFormerNames } from "./rules/former-names.js";
import { checkLimits } from "./rules/limits.js";
import { checkNames, checkPromptArguments } from "./rules/names.js";
import { checkOpenInputs } from "./rules/open-inputs.js";
import { checkPackage } from "./rules/package.js";
import {
  checkConfirmText,
  checkPromptText,
  checkQuestionText,
  checkToolText,
} from "./rules/placeholders.js";
import {
  checkDescriptions,
  checkFixedContent,
  checkServedFiles,
  checkTemplateCompletion,
  checkTemplateText,
  checkUris,
} from "./rules/resources.js";
import { checkReadOnlyHints } from "./rules/read-only.js";
import { checkRestrict } from "./rules/restrict.js";
import { checkScale } from "./rules/scale.js";
import { checkSecretDefaults } from "./rules/secrets.js";
import { checkSkills } from "./rules/skills.js";
import { checkUnusedSchemas } from "./rules/shared-schemas.js";
import { checkText } from "./rules/text.js";
import {
  checkDescriptionLengths,
  checkDottedNames,
  checkExampleOutcomes,
  checkResultTexts,
  checkExecution,
  checkPropertyNames,
  checkSameDescriptions,
  checkToolBudget,
} from "./rules/tools.js";
import {
  checkCard,
  checkOlderEras,
  checkPage,
  checkTransportSettings,
} from "./rules/transport-settings.js";
import { checkHttpPaths, checkPublicBind, checkTransportTypes } from "./rules/transports.js";
import type { Rule } from "./rule.js";
import { checkSchemas } from "./schema-rules/check-schemas.js";
import { meantManifest } from "./meant-manifest.js";
import { applySeverities, checkSeverities } from "./severities.js";
import { checkStructure } from "./structure.js";

const RULES: readonly Rule[] = [
  checkNames,
  checkFormerNames,
  checkDeprecations,
  checkAliases,
  checkPublicBind,
  checkAuth,
  checkSharedAnswers,
  checkApps,
  checkAudit,
  checkScale,
  checkUris,
  checkToolBudget,
  checkExposure,
  checkResourceTools,
  checkAccountTools,
  checkRestrict,
  checkSkills,
  checkReadOnlyHints,
  checkSameDescriptions,
  checkDescriptionLengths,
  checkDottedNames,
  checkPropertyNames,
  checkBeginnings,
  checkAlikeTools,
  checkUnits,
  checkUnsaidResults,
  checkPraise,
  checkRestatedNames,
  checkPromptArguments,
  checkTransportTypes,
  checkHttpPaths,
  checkTransportSettings,
  checkPage,
  checkCard,
  checkPackage,
  checkDeployment,
  checkOlderEras,
  checkStatelessHttp,
  checkDeprecatedUses,
  checkEnvironment,
  checkSecretDefaults,
  checkFixedContent,
  checkServedFiles,
  checkTemplateCompletion,
  checkTemplateText,
  checkDescriptions,
  checkEmbeddedResources,
  checkElicitations,
  checkConsent,
  checkTasks,
  checkPromptText,
  checkQuestionText,
  checkConfirmText,
  checkToolText,
  checkExecution,
  checkExampleOutcomes,
  checkResultTexts,
  checkLimits,
  checkUpstreams,
  checkSources,
  checkSelections,
  checkDatabases,
  ...rulesOfBodies,
  checkSeverities,
];

/** Codes of references without a target, and of what is no schema. Any shared schema that seems unused may be meant. */
const BROKEN_REFERENCES: ReadonlySet<string> = new Set(
  [danglingReference, externalReference, malformedReference, notASchema].map(
    ({ entry }) => entry.code,
  ),
);

/**
 * Checks a manifest: its structure, the rules across fields and its JSON Schemas. Pure.
 *
 * @returns diagnostics in file order, each problem once, with the severities that the manifest sets
 */
export function validateManifest(manifest: LoadedManifest): Diagnostic[] {
  const structureProblems = checkStructure(manifest);
  const isMisspelt = structureProblems.some(({ code }) => code === unknownKey.entry.code);
  const problems = [
    ...structureProblems,
    ...(isMisspelt ? certainProblems(manifest) : ruleProblems(manifest)),
  ];
  const errorPlaces = new Set(problems.filter(isError).map(placeKey));
  // A wrong character in a name is one mistake, also if the name breaks another rule.
  const textProblems = checkText(manifest).filter((problem) => !errorPlaces.has(placeKey(problem)));
  const diagnostics = inFileOrder(withoutDuplicates([...problems, ...textProblems]));
  return applySeverities(manifest, diagnostics);
}

/** The findings of the rules and of the checks of schemas. */
function ruleProblems(manifest: LoadedManifest): Diagnostic[] {
  const schemaProblems = schemasCanBeChecked(manifest) ? checkSchemas(manifest) : [];
  const areTargetsKnown = !schemaProblems.some(({ code }) => BROKEN_REFERENCES.has(code));
  const rules = [
    ...RULES,
    ...(areTargetsKnown ? [checkUnusedSchemas] : []),
    // Whether an object is open is certain only if the schemas have no errors.
    ...(schemaProblems.some(isError) ? [] : [checkOpenInputs]),
  ];
  return [...rules.flatMap((rule) => rule(manifest)), ...schemaProblems];
}

/**
 * What the rules find in a manifest with misspelt keys, both as it is written and as it is most likely meant. What
 * they find in one of them only is a consequence of the misspelt key, or of the guess.
 */
function certainProblems(manifest: LoadedManifest): Diagnostic[] {
  const meant = meantManifest(manifest);
  if (meant === manifest) return ruleProblems(manifest);
  const inMeant = new Set(ruleProblems(meant).map(placeAndCode));
  return ruleProblems(manifest).filter((problem) => inMeant.has(placeAndCode(problem)));
}

/** True if `schemas` and `tools` have the right types, so that the schemas in them can be checked. */
function schemasCanBeChecked({ value: { schemas = {}, tools = [] } }: LoadedManifest): boolean {
  return isJsonObject(schemas) && Array.isArray(tools) && tools.every(isJsonObject);
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

const placeKey = ({ file, line, column }: Diagnostic): string => `${file}:${line}:${column}`;

const placeAndCode = (problem: Diagnostic): string => `${placeKey(problem)} ${problem.code}`;

/** Keeps one of equal diagnostics. A value that aliases repeat has one place, and so one diagnostic. */
function withoutDuplicates(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const key = `${placeAndCode(diagnostic)} ${diagnostic.message}`;
    if (!unique.has(key)) unique.set(key, diagnostic);
  }
  return [...unique.values()];
}
