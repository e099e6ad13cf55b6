import type { RuleMaker, SemanticRule } from "../../model/semantic-rule.js";
import { BODIES, BODY_KEYS } from "../../bodies/index.js";
import { itemRulesOf } from "./items.js";
import * as rules from "./rules.js";

type AnyMaker = RuleMaker<never>;

const isMaker = (exported: unknown): exported is AnyMaker =>
  typeof exported === "function" && "rule" in exported;

const ofBodies = new Set(BODY_KEYS.flatMap((kind) => BODIES[kind].rules));

const ofSubjects = [...Object.values(itemRulesOf), rules]
  .flatMap((file): unknown[] => Object.values(file))
  .filter(isMaker)
  .map(({ rule }) => rule);

/** Every rule of the semantic comparison, by id. */
export const allRules: readonly SemanticRule<never>[] = [...ofSubjects, ...ofBodies].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
