import { bodyOfGet, exampleWithoutUpstream, reservedHeader } from "../../model/catalogue/bodies.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { entriesIn, has, itemsOf, mappingsIn, type Mapping, methodOf } from "../manifest-view.js";
import { itemsWithBody, type BodyItem } from "./body-item.js";
import { callerProblems, withCaller } from "./caller-values.js";
import { argumentProblems } from "./http-arguments.js";
import { besideProblems } from "./http-beside.js";
import { pageProblems } from "./http-pages.js";
import { jsonAsTextProblems } from "./json-as-text.js";
import { resultProblems, valueProblems } from "./http-results.js";
import { answerConflicts } from "./answer-conflicts.js";
import { sourcesWithBody } from "./source-items.js";
import { strictProblems } from "./strict-bodies.js";
import { upstreamProblems } from "./upstream-of-body.js";
import { headerProblems } from "./upstreams.js";

/** Checks `http` bodies: the upstream, the request and the result. */
export function checkHttpBodies(manifest: LoadedManifest): Diagnostic[] {
  const sources = sourcesWithBody(manifest, "http");
  const all = [...itemsWithBody(manifest, "http"), ...sources];
  const items = all.flatMap((plainItem) => {
    const item = withCaller(manifest, plainItem);
    return [
      ...callerProblems(manifest, plainItem),
      ...upstreamProblems(manifest, item, "http"),
      ...answerConflicts(manifest, item, "http"),
      ...strictProblems(manifest, item),
      ...contentProblems(manifest, item),
      ...jsonAsTextProblems(manifest, item),
      ...pageProblems(manifest, item),
      ...headerProblems(manifest, item.body, (text) => text.includes("{{"), true),
      ...argumentProblems(manifest, item),
      ...resultProblems(manifest, item),
      ...besideProblems(manifest, item),
    ];
  });
  return [...items, ...sources.flatMap((source) => valueProblems(manifest, source))];
}

/** Reports examples with an upstream's answer in a manifest without upstreams. */
export function checkExampleAnswers(manifest: LoadedManifest): Diagnostic[] {
  if (has(manifest.value, "upstreams")) return [];
  return itemsOf(manifest, "tools").flatMap((tool) =>
    mappingsIn(tool, "examples")
      .filter(({ value }) => has(value, "http"))
      .map(({ path }) => exampleWithoutUpstream(manifest.locate([...path, "http"], "key"), {})),
  );
}

/** Reports the header `Content-Type` of a multipart request. The runtime sets it, since it has the boundary of the parts. */
function contentTypeProblems(manifest: LoadedManifest, body: Mapping): Diagnostic[] {
  return entriesIn(body, "headers")
    .filter(([name]) => name.toLowerCase() === "content-type")
    .map(([name, , path]) => reservedHeader(manifest.locate(path, "key"), { found: quoted(name) }));
}

const CONTENTS = ["body", "form", "multipart", "text"];
const WITHOUT_BODY = ["GET", "HEAD"];

function contentProblems(manifest: LoadedManifest, { body }: BodyItem): Diagnostic[] {
  const [first, second] = CONTENTS.filter((key) => has(body.value, key));
  const method = methodOf(body.value);
  const problems: Diagnostic[] = [];
  if (second !== undefined) {
    const place = manifest.locate([...body.path, second], "key");
    problems.push(contentConflict(place, { what: "a request with a body", keys: CONTENTS }));
  }
  if (first !== undefined && WITHOUT_BODY.includes(method)) {
    const place = manifest.locate([...body.path, first], "key");
    problems.push(bodyOfGet(place, { method, key: first }));
  }
  if (has(body.value, "multipart")) problems.push(...contentTypeProblems(manifest, body));
  return problems;
}
