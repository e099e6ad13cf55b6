import {
  optionalInPath,
  pathForm,
  placeholderType,
  unsentArgument,
} from "../../model/catalogue/bodies.js";
import { nearPlaceholder, unknownPlaceholder } from "../../model/catalogue/rules-items.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Mend } from "../../model/mend.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import type { TextTemplate } from "../../model/text-template.js";
import { nearestName } from "../../text/nearest-name.js";
import { argumentsIn, insertedArguments } from "../../text/template-arguments.js";
import { answerPlaceholders } from "../../text/answer-placeholders.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { quoted } from "../../text/value-words.js";
import { entriesIn, has, mappingIn, textIn } from "../manifest-view.js";
import { checkPlaceholders, MOST_PROBLEMS, nearMiss } from "../rules/placeholders.js";
import { placeInText } from "../source-text.js";
import type { BodyItem } from "./body-item.js";
import { textsInJson } from "./json-texts.js";

/** A text of a body in which arguments may be. */
interface BodyText {
  readonly text: string;
  readonly path: ManifestPath;
  /** The words for the text in messages about an argument of a wrong type. Absent if every type is allowed. */
  readonly where?: string;
  /** The types that are refused if the text is a single placeholder. Otherwise lists and objects are refused. */
  readonly refused?: readonly string[];
  /** The placeholders that stand for parts of an answer. */
  readonly ofAnswer?: readonly string[];
}

/** An argument with a style: `{ from: tag, style: form }`. */
interface StyledArgument {
  readonly from: string;
  readonly style: string;
  readonly path: ManifestPath;
}

/** Checks how a body uses the arguments of its item. */
export function argumentProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const texts = textsOf(item);
  const styled = styledArguments(item);
  const problems = [
    ...pathProblems(manifest, item),
    ...texts.flatMap((text) => textProblems(manifest, item, text)),
    ...styled.flatMap((argument) => styledProblems(manifest, item, argument)),
  ];
  // An unknown name may be the misspelt name of an argument that seems unsent.
  return problems.some(({ severity }) => severity === "error")
    ? problems
    : [...problems, ...unsentArguments(manifest, item, texts, styled)];
}

/** The texts in a mapping of the body. Arguments with a style are left out. */
function textsIn(
  item: BodyItem,
  key: string,
  where: string,
  refused: readonly string[] = [],
): BodyText[] {
  return entriesIn(item.body, key).flatMap(([, value, path]) =>
    typeof value === "string" ? [{ text: value, path, refused, where }] : [],
  );
}

function textsOf(item: BodyItem): BodyText[] {
  const { body } = item;
  const text = textIn(body.value, "text");
  return [
    ...textsIn(item, "query", "in a text"),
    ...textsIn(item, "headers", "in a header", ["object"]),
    ...textsIn(item, "cookies", "in a cookie", ["array", "object"]),
    ...textsIn(item, "form", "in a text"),
    ...textsIn(item, "multipart", "in a text"),
    ...textsInJson(body.value["body"], [...body.path, "body"]).map((jsonText) => ({
      ...jsonText,
      where: "in a text",
    })),
    ...(text === undefined ? [] : [{ text, path: [...body.path, "text"], where: "in a text" }]),
    // Of this, an argument may be the whole value.
    ...textsInJson(mappingIn(body, "result")?.value["noContent"], [
      ...body.path,
      "result",
      "noContent",
    ]),
    ...entriesIn(body, "errors").flatMap(([, value, path]) =>
      typeof value === "string"
        ? [{ text: value, path, refused: [], ofAnswer: answerPlaceholders(value) }]
        : [],
    ),
  ];
}

function textProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { text, path, where, refused = [], ofAnswer = [] }: BodyText,
): Diagnostic[] {
  const names = ofAnswer.length === 0 ? item.names : new Set([...item.names, ...ofAnswer]);
  const problems = checkPlaceholders(manifest, path, text, names, item.what);
  if (where === undefined) return problems;
  const { template } = parseTextTemplate(text, item.names);
  const isSoleArgument = template.length === 1 && isArgument(template[0]);
  const place = manifest.locate(path, "value");
  const wrong = insertedArguments(template).flatMap((name) =>
    wrongType(item, name, isSoleArgument ? refused : ["array", "object"]).map((found) =>
      placeholderType(place, { name, found, where }),
    ),
  );
  return [...problems, ...wrong];
}

function isArgument(part: TextTemplate[number] | undefined): boolean {
  return typeof part === "object" && "argument" in part;
}

const TYPE_WORDS: Readonly<Record<string, string>> = { array: "a list", object: "an object" };

/** The types of an argument in words, as the only item, if all of them are refused. Otherwise empty. */
function wrongType(item: BodyItem, name: string, refused: readonly string[]): string[] {
  const types = item.typesOf(name).filter((type) => type !== "null");
  if (types.length === 0 || !types.every((type) => refused.includes(type))) return [];
  return [types.map((type) => TYPE_WORDS[type] ?? "a plain value").join(" or ")];
}

/** The path of a request: its text, the text's path in the manifest, and the placeholders with a style. */
function pathOf({ body }: BodyItem): { text: string; path: ManifestPath; values: string[] } {
  const long = mappingIn(body, "path");
  if (long === undefined) {
    return { text: textIn(body.value, "path") ?? "/", path: [...body.path, "path"], values: [] };
  }
  const values = entriesIn(long, "values").map(([name]) => name);
  return { text: textIn(long.value, "template") ?? "/", path: [...long.path, "template"], values };
}

function pathProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { text, path, values } = pathOf(item);
  const names = new Set([...item.names, ...values]);
  const { template, problems: ofTemplate } = parseTextTemplate(text, names);
  const place = manifest.locate(path, "value");
  const problem = pathFormProblem(template);
  const near = ofTemplate.find(({ kind }) => kind === "near miss");
  const isAboutSpaces = problem === SPACES && near !== undefined;
  const problems = [
    ...checkPlaceholders(manifest, path, text, names, item.what),
    ...otherVariables(text, names)
      .slice(0, MOST_PROBLEMS)
      .map((found) => nearMiss(manifest, path, text, found)),
    // The spaces of `{{ name }}` are one mistake.
  ].filter(({ code }) => !isAboutSpaces || code !== nearPlaceholder.entry.code);
  if (problem !== undefined) {
    const meant = isAboutSpaces ? near.name : argumentIn(text, names);
    const advice =
      problem === SPACES && meant !== undefined
        ? `for the argument, write {{${meant}}}`
        : queryAdvice(text);
    const mend: Mend | undefined = /^(?!https?:|\/)/i.test(text)
      ? { edit: "set text", to: `/${text}` }
      : undefined;
    const parameters = { problem, ...(advice !== undefined && { advice }), ...(mend && { mend }) };
    problems.push(pathForm(place, parameters));
  }
  const inPath = insertedArguments(template);
  for (const name of values.filter((value) => !inPath.includes(value))) {
    const at = manifest.locate([...item.body.path, "path", "values", name], "key");
    problems.push(pathForm(at, { problem: `has no {{${name}}}, which "values" describes` }));
  }
  for (const name of inPath) {
    if (values.includes(name) || !item.names.has(name)) continue;
    const offset = text.indexOf(`{{${name}}}`);
    const at = placeInText(manifest, path, text, offset, name.length + 4);
    const where = "in a path without a style";
    const [found] = wrongType(item, name, ["array", "object"]);
    if (found !== undefined) problems.push(placeholderType(at, { name, found, where }));
    else if (!item.isAlwaysPresent(name)) problems.push(optionalInPath(at, { name }));
  }
  return problems;
}

/** Segments that are an argument as Express (`:name`) and Flask (`<name>`) write it. In some APIs, `$name` is a text. */
function otherVariables(
  text: string,
  names: ReadonlySet<string>,
): { found: string; name: string; offset: number }[] {
  return [...text.matchAll(/(?<=\/)(?::([^/<>{}]+)|<([^/<>{}]+)>)(?=\/|$)/g)].flatMap(
    ({ 0: found, 1: plain, 2: name = plain ?? "", index: offset }) =>
      names.has(name) ? [{ found, name, offset }] : [],
  );
}

const SPACES = "must have no spaces and no backslashes";

/** The argument of a placeholder as Jinja and Liquid have it: `{{ args.id }}`, `{{ id | url_encode }}`. Seen in a trial of coding agents. */
function argumentIn(text: string, names: ReadonlySet<string>): string | undefined {
  const placeholders = text.matchAll(/\{\{\s*(?:\w+\.){0,3}(\w+)\s*(?:\|[^{}|]*)?\}\}/g);
  const odd = [...placeholders].filter(([whole, name]) => whole !== `{{${name}}}`);
  return odd.map(([, name = ""]) => name).find((name) => names.has(name));
}

/** Where the parameters belong that a path has behind it, as URLs have them: `query: { q: "{{q}}" }`. */
function queryAdvice(text: string): string | undefined {
  const [, query = ""] = /^[^?#]*\?([^?#]{1,100})$/.exec(text) ?? [];
  const pairs = query.split("&").map((pair) => /^([\w.-]+)=([^"\\=]*)$/.exec(pair));
  if (pairs.includes(null)) return undefined;
  const members = pairs.map((pair) => `${pair?.[1]}: "${pair?.[2]}"`);
  return `write query: { ${members.join(", ")} }`;
}

function pathFormProblem(template: TextTemplate): string | undefined {
  const literals = template.filter((part) => typeof part === "string");
  const filled = template.map((part) => (typeof part === "string" ? part : "x")).join("");
  if (template.some((part) => typeof part !== "string" && !("argument" in part))) {
    return "has a part that is only there for some values";
  }
  if (/^https?:/i.test(filled)) return "must begin with one slash: the host is that of `baseUrl`";
  if (!filled.startsWith("/") || filled.startsWith("//")) return "must begin with one slash";
  if (literals.some((text) => /[?#]/.test(text))) return "must have neither ? nor #";
  if (literals.some((text) => /[\s\\]/.test(text))) return SPACES;
  const segments = filled.replace(/%2e/gi, ".").split("/");
  return segments.includes("..") || segments.includes(".")
    ? "must not lead to another folder"
    : undefined;
}

function styledArguments(item: BodyItem): StyledArgument[] {
  const path = mappingIn(item.body, "path");
  const ofPath = path === undefined ? [] : entriesIn(path, "values");
  const others = ["query", "form", "multipart"].flatMap((key) => entriesIn(item.body, key));
  const argumentWith =
    (usualStyle: string) =>
    ([, value, at]: (typeof others)[number]): StyledArgument[] => {
      const from = isJsonObject(value) ? textIn(value, "from") : undefined;
      if (from === undefined) return [];
      return [{ from, style: textIn(value as never, "style") ?? usualStyle, path: at }];
    };
  return [...ofPath.flatMap(argumentWith("simple")), ...others.flatMap(argumentWith("form"))];
}

/** The types that a style cannot write. */
const REFUSED_BY_STYLE: Readonly<Record<string, readonly string[]>> = {
  spaceDelimited: ["string", "number", "integer", "boolean"],
  pipeDelimited: ["string", "number", "integer", "boolean"],
  deepObject: ["string", "number", "integer", "boolean"],
};

function styledProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { from, style, path }: StyledArgument,
): Diagnostic[] {
  const at = manifest.locate([...path, "from"], "value");
  if (!item.names.has(from)) {
    const nearest = nearestName(from, item.names);
    const parameters = { found: quoted(from), what: item.what };
    return [unknownPlaceholder(at, { ...parameters, ...(nearest !== undefined && { nearest }) })];
  }
  const where = `in the style ${style}`;
  const wrong = wrongType(item, from, REFUSED_BY_STYLE[style] ?? []).map((found) =>
    placeholderType(at, { name: from, found, where }),
  );
  const isInPath = path.includes("values");
  const missingProblem = isInPath && !item.isAlwaysPresent(from);
  return [...wrong, ...(missingProblem ? [optionalInPath(at, { name: from })] : [])];
}

/** Reports arguments that a request does not send, if the body says where arguments go. */
function unsentArguments(
  manifest: LoadedManifest,
  item: BodyItem,
  texts: readonly BodyText[],
  styled: readonly StyledArgument[],
): Diagnostic[] {
  const { body, names, needed = names } = item;
  if (!["query", "body", "form", "multipart", "text"].some((key) => has(body.value, key)))
    return [];
  const path = pathOf(item);
  const used = new Set([
    ...[
      path.text,
      ...texts.filter(({ where }) => where !== undefined).map(({ text }) => text),
    ].flatMap((text) => argumentsIn(parseTextTemplate(text, names).template)),
    ...styled.map(({ from }) => from),
  ]);
  const place = manifest.locate(body.path, "key");
  return [...needed]
    .filter((name) => !used.has(name))
    .map((name) => unsentArgument(place, { name }));
}
