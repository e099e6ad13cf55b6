import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import {
  listLength,
  missingKey,
  notAllowed,
  numberRange,
  textLength,
  textPattern,
  unknownKey,
  unknownManifestVersion,
  versionNotText,
  wrongType,
} from "../model/catalogue/manifest.js";
import { excerpt } from "../text/excerpt.js";
import { inThreeParts } from "./formats/package.js";
import {
  accepts,
  alternativeFor,
  childNode,
  isEmbeddedSchema,
  manifestSchema,
  resolveNode,
  typeConstantOf,
  typesOf,
  type SchemaNode,
} from "./manifest-schema.js";
import { adviceForComment, firstLineOf } from "./source-text.js";
import { isSureName } from "../text/nearest-name.js";
import { meantName } from "./meant-name.js";
import { pointerInstead, referenceInstead, remedyForType } from "./value-advice.js";
import { keyOfOtherDocument } from "./key-advice.js";
import { checkFormat } from "./text-formats.js";
import { unknownKeysOf, type UnknownKey } from "./unknown-keys.js";
import { subjectOf, withArticle } from "./wording.js";
import { withoutTwins } from "../text/enumeration.js";
import { describeValue, quoted } from "../text/value-words.js";

/**
 * Validates a manifest against `schemas/manifest.schema.json`, except for the JSON Schemas inside it.
 * A general validator would say that a value fits none of five branches; this check says which key
 * is misspelt.
 */
export function checkStructure(manifest: LoadedManifest): Diagnostic[] {
  const check = new StructureCheck(manifest);
  check.check(manifestSchema(), manifest.value, []);
  return check.diagnostics;
}

/** The words for types of JSON Schema in messages. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  null: "empty",
};

class StructureCheck {
  readonly diagnostics: Diagnostic[] = [];
  readonly #manifest: LoadedManifest;

  constructor(manifest: LoadedManifest) {
    this.#manifest = manifest;
  }

  check(unresolved: SchemaNode, value: JsonValue, path: ManifestPath): void {
    if (isEmbeddedSchema(unresolved)) return;
    const node = resolveNode(unresolved);
    if (!accepts(node, value)) this.#reportType(node, value, path);
    else if (node.oneOf !== undefined) this.#checkAlternatives(node, value, path);
    else if (node.const !== undefined || node.enum !== undefined)
      this.#checkEnum(node, value, path);
    else if (typeof value === "string") this.#checkText(node, value, path, "value");
    else if (typeof value === "number") this.#checkNumber(node, value, path);
    else if (Array.isArray(value)) this.#checkList(node, value, path);
    else if (isJsonObject(value)) this.#checkMapping(node, value, path);
  }

  #valuePlace(path: ManifestPath) {
    return this.#manifest.locate(path, "value");
  }

  #reportType(node: SchemaNode, value: JsonValue, path: ManifestPath): void {
    const place = this.#valuePlace(path);
    const source = firstLineOf(this.#manifest, place);
    if (typeof value === "number" && path.length === 1 && path[0] === "version") {
      const written = inThreeParts(source) ?? source;
      this.diagnostics.push(versionNotText(place, { value, written }));
      return;
    }
    const emptied = value === null ? adviceForComment(this.#manifest, place) : undefined;
    const remedy = remedyForType(node, value, path, source);
    const variable =
      remedy?.mend === undefined ? referenceInstead(node, value, this.#manifest.value) : undefined;
    const advice = emptied ?? variable ?? remedy?.advice;
    const mend = emptied === undefined ? remedy?.mend : undefined;
    this.diagnostics.push(
      wrongType(place, {
        subject: subjectOf(path),
        expected: expectedTypes(node).join(" or "),
        found: describeValue(value),
        ...(advice !== undefined && { advice }),
        ...(mend !== undefined && { mend }),
      }),
    );
  }

  #checkAlternatives(node: SchemaNode, value: JsonValue, path: ManifestPath): void {
    const branch = alternativeFor(node, value);
    if (branch !== undefined) return this.check(branch, value, path);
    if (!isJsonObject(value) || node.required === undefined) return;
    if (!Object.hasOwn(value, "type")) return this.#reportNoType(node, value, path);
    const constants = (node.oneOf ?? []).map((one) => typeConstantOf(resolveNode(one)));
    this.#checkEnum({ enum: constants }, value["type"] ?? null, [...path, "type"]);
  }

  /** Reports the key that stands for `type`, if there is one, or that there is none. */
  #reportNoType(node: SchemaNode, mapping: JsonObject, path: ManifestPath): void {
    for (const [key, meaning] of unknownKeysOf(this.#manifest, node, mapping, path)) {
      if (!meaning.explains.includes("type")) continue;
      return this.#reportUnknown(node, [...path, key], meaning);
    }
    this.#checkRequired(node, mapping, path);
  }

  #checkEnum(node: SchemaNode, value: JsonValue, path: ManifestPath): void {
    const allowed = node.enum ?? [node.const ?? null];
    if (allowed.includes(value)) return;
    const place = this.#valuePlace(path);
    const found = describeValue(value);
    if (path.length === 1 && path[0] === "manifestVersion") {
      this.diagnostics.push(unknownManifestVersion(place, { found }));
      return;
    }
    const named = withoutTwins(allowed);
    const texts = named.filter((candidate) => typeof candidate === "string");
    const nearest = typeof value === "string" ? meantName(value, texts) : undefined;
    this.diagnostics.push(
      notAllowed(place, {
        subject: subjectOf(path),
        found,
        allowed: named.map((candidate) => JSON.stringify(candidate)),
        ...(nearest !== undefined && { nearest }),
        ...(isSure(value, nearest, texts) && { mend: { edit: "set text", to: nearest } }),
      }),
    );
  }

  /** If this project checks the format, the pattern is ignored: the schema has it for editors. */
  #checkText(node: SchemaNode, text: string, path: ManifestPath, target: "key" | "value"): void {
    const subject = { manifest: this.#manifest, path, target, text };
    const { isKnown, problem } = checkFormat(node.format, subject);
    if (problem !== undefined) this.diagnostics.push(problem);
    if (isKnown) return;
    const place = () => this.#manifest.locate(path, target);
    if (node.pattern !== undefined && !new RegExp(node.pattern, "u").test(text)) {
      const rule = node.patternErrorMessage ?? `it must match ${node.pattern}`;
      const subject = target === "key" ? "a key" : subjectOf(path);
      const remedy = pointerInstead(node, text);
      this.diagnostics.push(
        textPattern(place(), { subject, found: quoted(text), rule, ...remedy }),
      );
      return;
    }
    if (node.minLength === undefined && node.maxLength === undefined) return;
    const length = [...text].length;
    const bound = brokenBound(length, node.minLength, node.maxLength);
    if (bound === undefined) return;
    this.diagnostics.push(textLength(place(), { subject: subjectOf(path), found: length, bound }));
  }

  #checkNumber(node: SchemaNode, value: number, path: ManifestPath): void {
    const { exclusiveMinimum } = node;
    const isTooLow = exclusiveMinimum !== undefined && value <= exclusiveMinimum;
    const bound = isTooLow
      ? `more than ${exclusiveMinimum}`
      : brokenBound(value, node.minimum, node.maximum);
    if (bound === undefined) return;
    this.diagnostics.push(
      numberRange(this.#valuePlace(path), { subject: subjectOf(path), found: value, bound }),
    );
  }

  #checkList(node: SchemaNode, list: readonly JsonValue[], path: ManifestPath): void {
    const bound = brokenBound(list.length, node.minItems, node.maxItems);
    if (bound !== undefined) {
      const parameters = { subject: subjectOf(path), found: list.length, bound };
      this.diagnostics.push(listLength(this.#listPlace(node, path), parameters));
      return;
    }
    const { items } = node;
    if (items === undefined) return;
    for (const [index, item] of list.entries()) this.check(items, item, [...path, index]);
  }

  /** The place of the first item beyond the limit, or of the list if it has too few items. */
  #listPlace({ maxItems }: SchemaNode, path: ManifestPath) {
    return this.#valuePlace(maxItems === undefined ? path : [...path, maxItems]);
  }

  #checkMapping(node: SchemaNode, mapping: JsonObject, path: ManifestPath): void {
    const found = Object.keys(mapping).length;
    const bound = brokenBound(found, node.minProperties);
    if (bound !== undefined) {
      const parameters = { subject: subjectOf(path), found, bound };
      this.diagnostics.push(listLength(this.#valuePlace(path), parameters));
      return;
    }
    const unknown = unknownKeysOf(this.#manifest, node, mapping, path);
    const ofOther = path.length === 0 ? keyOfOtherDocument(mapping) : undefined;
    const itsMeaning = ofOther === undefined ? undefined : unknown.get(ofOther);
    if (ofOther !== undefined && itsMeaning !== undefined) {
      return this.#reportUnknown(node, [ofOther], itsMeaning);
    }
    const explained = new Set([...unknown.values()].flatMap(({ explains }) => explains));
    this.#checkRequired(node, mapping, path, explained);
    for (const [key, value] of Object.entries(mapping)) {
      if (explained.has(key)) continue;
      const keyPath = [...path, key];
      if (node.propertyNames !== undefined) {
        this.#checkText(resolveNode(node.propertyNames), key, keyPath, "key");
      }
      const meaning = unknown.get(key);
      const child = childNode(node, key);
      if (meaning !== undefined) this.#reportUnknown(node, keyPath, meaning);
      else if (child !== undefined) this.check(child, value, keyPath);
    }
  }

  /** @param explained keys that are not reported, because an unknown key stands for them */
  #checkRequired(
    node: SchemaNode,
    mapping: JsonObject,
    path: ManifestPath,
    explained: ReadonlySet<string> = new Set(),
  ): void {
    for (const key of node.required ?? []) {
      if (Object.hasOwn(mapping, key) || explained.has(key)) continue;
      const property = node.properties?.[key];
      const purpose = property && resolveNode(property).description;
      const start = this.#valuePlace(path);
      const place = { ...start, endLine: start.line, endColumn: start.column + 1 };
      const where = withArticle(node.title ?? "mapping");
      const constant = property && onlyValueOf(resolveNode(property));
      const mend = constant && ({ edit: "add key", key, value: constant } as const);
      const parameters = { key, where, ...(purpose && { purpose }), ...(mend && { mend }) };
      this.diagnostics.push(missingKey(place, parameters));
    }
  }

  #reportUnknown(
    node: SchemaNode,
    path: ManifestPath,
    { nearest, isSure = false, advice }: UnknownKey,
  ): void {
    this.diagnostics.push(
      unknownKey(this.#manifest.locate(path, "key"), {
        key: excerpt(String(path.at(-1))),
        where: withArticle(node.title ?? "mapping"),
        ...(nearest !== undefined && { nearest }),
        ...(nearest !== undefined && isSure && { mend: { edit: "rename key", to: nearest } }),
        ...(advice !== undefined && { advice }),
      }),
    );
  }
}

/** The only text or number that a value may be. */
function onlyValueOf({ const: constant, enum: values = [] }: SchemaNode): JsonValue | undefined {
  return constant ?? (values.length === 1 ? values[0] : undefined);
}

/** True if a text can mean only the nearest of the texts that are allowed. */
function isSure(
  value: JsonValue,
  nearest: string | undefined,
  allowed: readonly string[],
): nearest is string {
  return nearest !== undefined && isSureName(String(value), nearest, allowed);
}

function expectedTypes(node: SchemaNode): string[] {
  const types = typesOf(node).filter((type) => type !== "null");
  if (types.length > 0) return types.map((type) => TYPE_WORDS[type] ?? type);
  if (node.const !== undefined) return [JSON.stringify(node.const)];
  return (node.oneOf ?? []).flatMap((branch) => expectedTypes(resolveNode(branch)));
}

/** The bound that a value breaks, in words. Undefined if it breaks none. */
function brokenBound(value: number, least?: number, most?: number): string | undefined {
  if (least !== undefined && value < least) return `at least ${least}`;
  return most !== undefined && value > most ? `at most ${most}` : undefined;
}
