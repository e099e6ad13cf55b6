import type { RuleMaker, SemanticRule } from "../../model/semantic-rule.js";
import { BODIES, BODY_KEYS } from "../../bodies/index.js";
import * as abilities from "./abilities.js";
import * as access from "./access.js";
import * as audit from "./audit.js";
import * as asking from "./asking.js";
import * as authentication from "./authentication.js";
import * as bodies from "./bodies.js";
import * as deploy from "./deploy.js";
import * as deprecation from "./deprecation.js";
import * as extensions from "./extensions.js";
import * as exposure from "./exposure.js";
import { itemRulesOf } from "./items.js";
import * as packaging from "./package.js";
import * as prompts from "./prompts.js";
import * as resources from "./resources.js";
import * as restrictions from "./restrictions.js";
import * as schemas from "./schemas.js";
import * as server from "./server.js";
import * as serving from "./serving.js";
import * as skills from "./skills.js";
import * as texts from "./texts.js";
import * as tools from "./tools.js";
import * as upstreams from "./upstreams.js";

type AnyMaker = RuleMaker<never>;

const isMaker = (exported: unknown): exported is AnyMaker =>
  typeof exported === "function" && "rule" in exported;

const ofBodies = new Set(BODY_KEYS.flatMap((kind) => BODIES[kind].rules));

const ofSubjects = [
  ...Object.values(itemRulesOf),
  tools,
  bodies,
  upstreams,
  resources,
  prompts,
  asking,
  server,
  serving,
  extensions,
  exposure,
  access,
  authentication,
  audit,
  packaging,
  deploy,
  abilities,
  restrictions,
  deprecation,
  schemas,
  skills,
  texts,
]
  .flatMap((file): unknown[] => Object.values(file))
  .filter(isMaker)
  .map(({ rule }) => rule);

/** Every rule of the semantic comparison, by id. */
export const allRules: readonly SemanticRule<never>[] = [...ofSubjects, ...ofBodies].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
