import type { Diagnostic } from "../../model/diagnostic.js";
import { sharedSchemas } from "../../schema/schema-reference.js";
import { selectingBody } from "../../bodies/selecting-tools.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { dialectOf, isJsonSchema, ownValue, TYPE_NAMES } from "../../schema/json-schema.js";
import { walkSchema } from "../../schema/subschemas.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { formRoot } from "../../model/catalogue/forms.js";
import { inputRootNotObject, notASchema } from "../../model/catalogue/schema.js";
import { onceForEach } from "../../model/once-for-each.js";
import { meantName } from "../meant-name.js";
import { itemsOf, type Mapping } from "../manifest-view.js";
import { elicitationsOf } from "../rules/elicitations.js";
import { describeValue } from "../../text/value-words.js";
import { checkAnnotations } from "./check-annotations.js";
import { checkCircles, checkRecursion } from "./check-circles.js";
import { checkContradictions } from "./check-contradictions.js";
import { checkCost } from "./check-cost.js";
import { Expansion } from "./check-expansion.js";
import { checkDefaults } from "./check-defaults.js";
import { checkHeaders } from "./check-headers.js";
import { checkIdleKeywords } from "./check-idle-keywords.js";
import { adviceForRootType, checkInputRoot } from "./check-input-root.js";
import { checkKeywords } from "./check-keywords.js";
import { checkOverlaps } from "./check-overlaps.js";
import { checkPatterns } from "./check-patterns.js";
import { checkShownRoot } from "./check-shown-root.js";
import { refusedAtRoot } from "../../schema/flat-root/flatten-root.js";
import { checkReferences } from "./check-references.js";
import { checkRefusedNames, REFUSED_NAME } from "./check-refused-names.js";
import {
  isBesideItsKeywords,
  namedSchemas,
  namesWithoutSchema,
  outdentedKeywords,
} from "./outdented-keywords.js";
import { ValueRules } from "./check-values.js";
import { PatternCosts } from "../../schema/patterns/pattern-cost.js";
import { ValueChecker } from "./value-checker.js";
import { readForm } from "./read-form.js";
import { type CheckRun, type SchemaDocument, type SchemaRule } from "./schema-document.js";
import { Soundness } from "./soundness.js";
import { schemaOfType } from "./check-keyword-values.js";

const RULES: readonly SchemaRule[] = [
  checkKeywords,
  checkReferences,
  checkContradictions,
  checkIdleKeywords,
  checkPatterns,
  checkCost,
  checkHeaders,
  checkAnnotations,
];

/** Limits of suggestions: for more problems, or among more names, the search would take too long. */
const MAX_SUGGESTIONS = 100;
const MAX_CANDIDATES = 1000;

/**
 * Checks the JSON Schemas of a manifest, and its examples against them. Values of the wrong type around
 * the schemas are skipped, because the structure check reports them.
 */
export function checkSchemas(manifest: LoadedManifest): Diagnostic[] {
  return new SchemaCheck(manifest).all();
}

interface ToolSchemas {
  readonly tool: Mapping;
  readonly input: SchemaDocument | undefined;
  readonly output: SchemaDocument | undefined;
}

class SchemaCheck {
  readonly #manifest: LoadedManifest;
  readonly #run: CheckRun;
  readonly #expansion: Expansion;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #soundness = new Soundness();
  readonly #textOf = onceForEach(
    ({ role, root }: SchemaDocument) => `${role} ${JSON.stringify(root)}`,
  );
  /** The texts of schemas in which the check of schemas, or the check of values, found nothing. */
  readonly #faultless = { alone: new Set<string>(), values: new Set<string>() };
  readonly #valueChecker: ValueChecker;
  readonly #overlapChecker: ValueChecker;

  constructor(manifest: LoadedManifest) {
    this.#manifest = manifest;
    this.#run = createRun(manifest);
    this.#expansion = new Expansion(this.#run.shared);
    this.#valueChecker = new ValueChecker(this.#run.shared);
    this.#overlapChecker = new ValueChecker(this.#run.shared);
  }

  all(): Diagnostic[] {
    const shared = this.#sharedDocuments();
    const isSound = this.#checkTogether(shared);
    if (isSound && ownValue(this.#manifest.value, "schemaRefs") === "inline") {
      this.#report(checkRecursion(shared));
    }
    const tools = itemsOf(this.#manifest, "tools").map((tool) => this.#checkTool(tool));
    const forms = elicitationsOf(this.#manifest).flatMap((question) => this.#checkForm(question));
    this.#checkValues([...shared, ...forms], tools);
    const inputs = tools.flatMap(({ input }) =>
      input !== undefined && this.#soundness.isReadable(input) ? [input] : [],
    );
    this.#checkDefaults(inputs, shared);
    if ([...inputs, ...shared].some((document) => this.#textOf(document).includes(REFUSED_NAME))) {
      this.#report(checkRefusedNames(inputs, shared));
    }
    return this.#diagnostics;
  }

  #sharedDocuments(): SchemaDocument[] {
    const map = ownValue(this.#manifest.value, "schemas");
    if (!isJsonObject(map)) return [];
    const outdented = outdentedKeywords(map);
    const placeOfKey = (key: string) => this.#manifest.locate(["schemas", key], "key");
    this.#report(namesWithoutSchema(outdented, placeOfKey));
    return namedSchemas(map, outdented).flatMap(
      ([name, value]) => this.#documentAt(value, ["schemas", name], "shared") ?? [],
    );
  }

  /** Checks one of each group of inputs with equal texts first. If none has a problem, no input has one. */
  #checkDefaults(inputs: readonly SchemaDocument[], shared: readonly SchemaDocument[]): void {
    const distinct = new Map(inputs.map((input) => [this.#textOf(input), input]));
    const isFaultless = [...checkDefaults([...distinct.values()], shared)].length === 0;
    if (!isFaultless) this.#report(checkDefaults(inputs, shared));
  }

  #checkForm({ path, value }: Mapping): SchemaDocument[] {
    const schema = ownValue(value, "requestedSchema");
    if (schema === undefined || isBesideItsKeywords(value, "requestedSchema")) return [];
    const at = [...path, "requestedSchema"];
    if (!isJsonObject(schema)) {
      const found = describeValue(schema);
      this.#diagnostics.push(formRoot(this.#manifest.locate(at, "value"), { found }));
      return [];
    }
    const document = this.#documentOf(schema, at, "form");
    const { problems, schema: readable } = readForm(document);
    this.#report(problems);
    const checked = { ...document, root: readable };
    this.#checkWithOwnWork(at, () => this.#checkTogether([checked]));
    return [checked];
  }

  #checkTool(tool: Mapping): ToolSchemas {
    const [input, output] = (["input", "output"] as const).map((role) => {
      const key = `${role}Schema`;
      const value = ownValue(tool.value, key);
      if (value === undefined || isBesideItsKeywords(tool.value, key)) return undefined;
      const document = this.#documentAt(value, [...tool.path, key], role);
      if (document !== undefined) {
        this.#checkUnlessFaultless(document, this.#faultless.alone, () =>
          this.#checkTogether([document]),
        );
      }
      return document;
    });
    this.#checkAnswer(tool);
    return { tool, input, output };
  }

  /** Checks the schema of the answers from which a body selects. */
  #checkAnswer(tool: Mapping): void {
    const body = selectingBody(tool.value);
    if (body?.declared === undefined) return;
    const at = [...tool.path, ...body.path, "answerSchema"];
    const document = this.#documentAt(body.declared, at, "output");
    if (document !== undefined) this.#checkWithOwnWork(at, () => this.#checkTogether([document]));
  }

  /** Runs a check unless it found nothing in a schema with an equal text. Large servers have many equal schemas. */
  #checkUnlessFaultless(document: SchemaDocument, faultless: Set<string>, check: () => void): void {
    const text = this.#textOf(document);
    if (faultless.has(text)) return;
    const found = this.#diagnostics.length;
    this.#checkWithOwnWork(document.at, check);
    if (this.#diagnostics.length === found) faultless.add(text);
  }

  /** Runs a check that has some work of its own, and uses the work that all schemas share after that. */
  #checkWithOwnWork(at: ManifestPath, check: () => void): void {
    const { patterns } = this.#run;
    const isOfTool = at[0] === "tools";
    // Questions have no work of their own, because a tool may have any number of them.
    patterns.work.begin(isOfTool && at[2] !== "elicitations");
    const readings = [this.#valueChecker.readings, this.#overlapChecker.readings];
    for (const work of readings) work.begin(isOfTool);
    check();
  }

  /** The document of a schema. Undefined for booleans and for values that are no schema, which it reports. */
  #documentAt(
    value: JsonValue,
    at: ManifestPath,
    role: SchemaDocument["role"],
  ): SchemaDocument | undefined {
    if (isJsonObject(value)) return this.#documentOf(value, at, role);
    const found = describeValue(value);
    const place = this.#manifest.locate(at, "value");
    if (role === "input") {
      // A schema in a text, as in the policy `mcp-rewrite` of WSO2 (wso2/gateway-controllers#20)
      const isJson = typeof value === "string" && /^\s*\{/.test(value);
      const advice = isJson ? "leave out the quotes around it" : adviceForRootType(value);
      this.#diagnostics.push(inputRootNotObject(place, { found, ...(advice && { advice }) }));
    } else if (!isJsonSchema(value)) {
      const typeName = typeof value === "string" ? this.#run.nearest(value, TYPE_NAMES) : undefined;
      this.#diagnostics.push(notASchema(place, { found, ...schemaOfType(value, typeName) }));
    }
    return undefined;
  }

  #documentOf(root: JsonObject, at: ManifestPath, role: SchemaDocument["role"]): SchemaDocument {
    return { run: this.#run, at, role, root, dialect: dialectOf(root) };
  }

  /**
   * @param documents whose references can lead to each other: a tool's schema alone, or all shared ones
   * @returns false if circular references would make validation endless
   */
  #checkTogether(documents: readonly SchemaDocument[]): boolean {
    const readable = documents.filter((document) => !this.#isTooLarge(document));
    const circles = checkCircles(readable);
    this.#report(circles);
    for (const document of readable) {
      if (circles.length > 0) this.#soundness.addBroken(document, document.root);
      if (document.role === "input") this.#add(checkInputRoot(document), document, document.root);
      for (const [path, schema] of walkSchema(document.root)) {
        if (!isJsonObject(schema)) continue;
        for (const rule of RULES) this.#add(rule({ schema, path }, document), document, schema);
      }
    }
    for (const document of readable) {
      if (document.role === "input") this.#checkShownRoot(document);
    }
    return circles.length === 0;
  }

  /** If schemas have errors, it is unknown what clients are shown. */
  #checkShownRoot(document: SchemaDocument): void {
    const hasErrors = (): boolean => this.#diagnostics.some(({ severity }) => severity === "error");
    if (refusedAtRoot(document.root).length === 0 || hasErrors()) return;
    const isVerbatim = ownValue(this.#manifest.value, "schemaRefs") === "verbatim";
    this.#report(checkShownRoot(document, isVerbatim));
  }

  /** Reports a schema that is too large. It is not checked further. */
  #isTooLarge(document: SchemaDocument): boolean {
    const problems = [...this.#expansion.check(document)];
    this.#report(problems);
    if (problems.length > 0) this.#soundness.addUnreadable(document);
    return problems.length > 0;
  }

  /** Adds diagnostics one by one: there can be more than a call can have arguments. */
  #report(found: Iterable<Diagnostic>): void {
    for (const diagnostic of found) this.#diagnostics.push(diagnostic);
  }

  #add(found: Iterable<Diagnostic>, document: SchemaDocument, schema: JsonObject): void {
    for (const diagnostic of found) {
      this.#diagnostics.push(diagnostic);
      if (diagnostic.severity === "error") this.#soundness.addBroken(document, schema);
    }
  }

  /** @param others documents that belong to no tool */
  #checkValues(others: readonly SchemaDocument[], tools: readonly ToolSchemas[]): void {
    const rules = new ValueRules(this.#run, this.#valueChecker, this.#soundness);
    const documents = [...others, ...tools.flatMap(({ input, output }) => [input, output])];
    for (const document of documents) {
      if (document === undefined) continue;
      this.#checkUnlessFaultless(document, this.#faultless.values, () => {
        this.#report(rules.checkDocument(document));
        this.#report(checkOverlaps(document, this.#overlapChecker, this.#soundness));
      });
    }
    for (const { tool, input, output } of tools) {
      this.#checkWithOwnWork(tool.path, () => this.#report(rules.checkTool(tool, input, output)));
    }
  }
}

function createRun(manifest: LoadedManifest): CheckRun {
  let suggestions = 0;
  return {
    manifest,
    shared: sharedSchemas(manifest.value),
    patterns: new PatternCosts(),
    nearest: (found, candidates) => {
      suggestions += 1;
      if (suggestions > MAX_SUGGESTIONS || candidates.length > MAX_CANDIDATES) return undefined;
      return meantName(found, candidates);
    },
  };
}
