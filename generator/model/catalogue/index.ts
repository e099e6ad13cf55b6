import type { CatalogueEntry, DiagnosticMaker } from "../catalogue-entry.js";
import * as acting from "./acting.js";
import * as audit from "./audit.js";
import * as auth from "./auth.js";
import * as bodies from "./bodies.js";
import * as commandLine from "./command-line.js";
import * as directoryBodies from "./directory-bodies.js";
import * as execBodies from "./exec-bodies.js";
import * as mcpBodies from "./mcp-bodies.js";
import * as forms from "./forms.js";
import * as deploy from "./deploy.js";
import * as development from "./development.js";
import * as headers from "./headers.js";
import * as importUpdates from "./import-updates.js";
import * as httpAnswers from "./http-answers.js";
import * as imports from "./imports.js";
import * as includes from "./includes.js";
import * as limits from "./limits.js";
import * as loadLimits from "./load-limits.js";
import * as linkedAccounts from "./linked-accounts.js";
import * as load from "./load.js";
import * as manifest from "./manifest.js";
import * as packaging from "./package.js";
import * as patterns from "./patterns.js";
import * as project from "./project.js";
import * as rulesDescriptions from "./rules-descriptions.js";
import * as rulesEras from "./rules-eras.js";
import * as rulesExtensions from "./rules-extensions.js";
import * as rulesExposure from "./rules-exposure.js";
import * as rulesDeprecation from "./rules-deprecation.js";
import * as rulesGuards from "./rules-guards.js";
import * as rulesItems from "./rules-items.js";
import * as rulesNames from "./rules-names.js";
import * as skills from "./skills.js";
import * as rulesResources from "./rules-resources.js";
import * as rulesServer from "./rules-server.js";
import * as rulesText from "./rules-text.js";
import * as scale from "./scale.js";
import * as schemaMeaning from "./schema-meaning.js";
import * as schema from "./schema.js";
import * as selections from "./selections.js";
import * as sqlBodies from "./sql-bodies.js";
import * as toolExamples from "./tool-examples.js";

type AnyMaker = DiagnosticMaker<never>;

const isMaker = (exported: unknown): exported is AnyMaker =>
  typeof exported === "function" && "entry" in exported;

const files = [
  load,
  includes,
  loadLimits,
  manifest,
  rulesNames,
  rulesText,
  rulesResources,
  rulesGuards,
  rulesDeprecation,
  rulesItems,
  rulesDescriptions,
  rulesExposure,
  linkedAccounts,
  rulesEras,
  rulesExtensions,
  rulesServer,
  audit,
  acting,
  auth,
  scale,
  schema,
  schemaMeaning,
  patterns,
  headers,
  forms,
  toolExamples,
  bodies,
  selections,
  httpAnswers,
  sqlBodies,
  execBodies,
  directoryBodies,
  skills,
  mcpBodies,
  limits,
  packaging,
  deploy,
  project,
  commandLine,
  development,
  imports,
  importUpdates,
];

/** Every diagnostic that mcpwright can report, by code. */
export const allEntries: readonly CatalogueEntry<never>[] = files
  .flatMap((file): unknown[] => Object.values(file))
  .filter(isMaker)
  .map(({ entry }) => entry)
  .sort((a, b) => (a.code < b.code ? -1 : 1));
