import { CURSOR, ENVELOPE_MEMBERS } from "../../selection/envelope.js";
import {
  headerNotInResult,
  noContentMisfit,
  pagesNotExposed,
  retriedWrite,
} from "../../model/catalogue/http-answers.js";
import { IDEMPOTENT_METHODS } from "../../model/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { interpret } from "../../schema/interpret.js";
import { isJsonSchema, ownValue } from "../../schema/json-schema.js";
import { sharedSchemas } from "../../schema/schema-reference.js";
import { quoted } from "../../text/value-words.js";
import { entriesIn, has, mappingIn, methodOf } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

/** Checks what a body makes of answers beside their content, and when it repeats its request. */
export function besideProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  return [
    ...exposeProblems(manifest, item),
    ...headerProblems(manifest, item),
    ...noContentProblems(manifest, item),
    ...retryProblems(manifest, item),
  ];
}

const isTool = ({ what, isSource }: BodyItem): boolean => what === "the tool" && !isSource;

/** Reports `expose` where a tool cannot get the argument for it. */
function exposeProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const pages = mappingIn(item.body, "paginate");
  if (pages?.value["expose"] !== true) return [];
  const place = manifest.locate([...pages.path, "expose"], "key");
  if (!isTool(item)) return [pagesNotExposed(place, { problem: `${item.what} has no cursor` })];
  if (item.names.has(CURSOR)) {
    const at = manifest.locate([...item.item.path, "inputSchema", "properties", CURSOR], "key");
    const problem = `the tool has an argument ${quoted(CURSOR)} already, which "expose" adds`;
    return [pagesNotExposed(at, { problem, advice: `remove the argument ${quoted(CURSOR)}` })];
  }
  const input = ownValue(item.item.value, "inputSchema");
  const isPlain = input === undefined || (isJsonObject(input) && !has(input, "$ref"));
  if (isPlain) return [];
  const at = manifest.locate([...item.item.path, "inputSchema"], "key");
  const problem = `"expose" adds an argument, and the inputSchema states no properties itself`;
  return [pagesNotExposed(at, { problem, advice: "write `properties` into the inputSchema" })];
}

/** Headers for connections and clients, which may hold credentials. */
const PRIVATE_HEADERS = /^(?:set-cookie2?|(?:www|proxy)-authenticate|authorization)$/i;

function headerProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const result = mappingIn(item.body, "result");
  if (result === undefined || !has(result.value, "headers")) return [];
  if (!isTool(item)) {
    const place = manifest.locate([...result.path, "headers"], "key");
    return [headerNotInResult(place, { problem: 'only the result of a tool can have "headers"' })];
  }
  return entriesIn(result, "headers").flatMap(([member, name, path]) => {
    if (ENVELOPE_MEMBERS.includes(member)) {
      const problem = `the result has a member ${quoted(member)} already, beside its headers`;
      return [headerNotInResult(manifest.locate(path, "key"), { problem })];
    }
    if (typeof name !== "string" || !PRIVATE_HEADERS.test(name)) return [];
    const problem = `the header ${quoted(name)} may hold credentials, and is not for models`;
    return [headerNotInResult(manifest.locate(path, "value"), { problem })];
  });
}

function noContentProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const result = mappingIn(item.body, "result");
  const value = result && ownValue(result.value, "noContent");
  if (result === undefined || value === undefined) return [];
  const path = [...result.path, "noContent"];
  const at = (problem: string, part: "key" | "value"): Diagnostic[] => [
    noContentMisfit(manifest.locate(path, part), { problem }),
  ];
  if (!isTool(item)) return at('only the result of a tool can have "noContent"', "key");
  if (has(item.body.value, "paginate")) {
    return at('a page of a list has content, so that "noContent" has nothing to do', "key");
  }
  const output = ownValue(item.item.value, "outputSchema");
  if (!isJsonSchema(output)) {
    // Beside headers, any value can be the body.
    if (typeof value === "string" || has(result.value, "headers")) return [];
    return at('without an outputSchema, "noContent" is a text', "value");
  }
  // What arguments make of it is seen when the tool is called.
  if (JSON.stringify(value).includes("{{")) return [];
  const shared = sharedSchemas(manifest.value);
  const [finding] = interpret(value, output, output, { shared });
  return finding === undefined
    ? []
    : at('the outputSchema refuses this value of "noContent"', "value");
}

/** Warns of retries of a request that may do its work twice. */
function retryProblems(manifest: LoadedManifest, { item, body }: BodyItem): Diagnostic[] {
  const retries = mappingIn(body, "retries");
  const method = methodOf(body.value);
  const isIdempotent = mappingIn(item, "annotations")?.value["idempotentHint"] === true;
  if (retries === undefined || IDEMPOTENT_METHODS.includes(method) || isIdempotent) return [];
  if (retries.value["max"] === 0) return [];
  return [retriedWrite(manifest.locate(retries.path, "key"), { method })];
}
