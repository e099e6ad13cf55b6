import { normalize } from "node:path/posix";
import {
  directoryTemplate,
  directoryVariable,
  exposedDirectory,
  listedTwice,
} from "../../model/catalogue/directory-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { parseUriTemplate } from "../../text/uri-template.js";
import { quoted } from "../../text/value-words.js";
import { has, mappingIn, rootOf, textIn } from "../manifest-view.js";
import { holdsSecrets } from "../rules/secrets.js";
import { itemsWithBody, type BodyItem } from "./body-item.js";
import { settingProblem } from "./fixed-settings.js";
import { otherAnswers } from "./other-answers.js";

/** Bodies that serve the files of a folder: how a URI names a file, and which folder it is. */
export function checkDirectoryBodies(manifest: LoadedManifest): Diagnostic[] {
  return itemsWithBody(manifest, "directory").flatMap((item) => {
    const { body, names } = item;
    const root = ownValue(body.value, "root");
    return [
      ...otherAnswers(manifest, item, "directory"),
      ...templateProblems(manifest, item),
      ...settingProblem(manifest, root, [...body.path, "root"], names),
      ...variableProblems(manifest, item),
      ...exposureProblems(manifest, item),
      ...listProblems(manifest, item),
    ];
  });
}

/** The template has the path of a file, and nothing else. */
function templateProblems(manifest: LoadedManifest, { item }: BodyItem): Diagnostic[] {
  const parsed = parseUriTemplate(textIn(item.value, "uriTemplate") ?? "{");
  if (!parsed.ok) return [];
  const variables = parsed.parts.filter((part) => part.kind === "expression");
  const [only, ...others] = variables;
  const isPath = only?.operator === "+" || only?.explode === true;
  if (isPath && others.length === 0 && only.names.length === 1) return [];
  return [directoryTemplate(manifest.locate([...item.path, "uriTemplate"], "value"), {})];
}

function variableProblems(manifest: LoadedManifest, { body }: BodyItem): Diagnostic[] {
  const reference = mappingIn(body, "root");
  const name = reference && textIn(reference.value, "env");
  const variables = mappingIn(rootOf(manifest), "env");
  if (reference === undefined || name === undefined || variables === undefined) return [];
  const type = textIn(mappingIn(variables, name)?.value ?? {}, "type") ?? "string";
  if (type === "string") return [];
  return [directoryVariable(manifest.locate([...reference.path, "env"], "value"), { name, type })];
}

/** Folders that hold what no one means to show: the project itself, those around it, and those of keys and of dependencies. */
function exposureProblems(manifest: LoadedManifest, { body }: BodyItem): Diagnostic[] {
  const root = textIn(body.value, "root");
  if (root === undefined || !(isAround(root) || holdsSecrets(`${root}/`) || isOfDependencies(root)))
    return [];
  return [
    exposedDirectory(manifest.locate([...body.path, "root"], "value"), { root: quoted(root) }),
  ];
}

/** Whether a folder is the project's own, one that it lies in, or the root of a file system. */
function isAround(root: string): boolean {
  const steps = normalize(root.replaceAll("\\", "/"))
    .split("/")
    .filter((step) => step !== "" && step !== ".");
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(root);
  if (isAbsolute) return steps.filter((step) => !/^[A-Za-z]:$/.test(step)).length === 0;
  return steps.every((step) => step === "..");
}

function isOfDependencies(root: string): boolean {
  return normalize(`${root.replaceAll("\\", "/")}/`)
    .split("/")
    .includes("node_modules");
}

function listProblems(manifest: LoadedManifest, { item, body }: BodyItem): Diagnostic[] {
  if (body.value["list"] !== true || !has(item.value, "list")) return [];
  return [listedTwice(manifest.locate([...item.path, "list"], "key"), {})];
}
