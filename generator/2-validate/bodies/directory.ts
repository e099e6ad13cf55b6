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
import { fixedSettingProblems } from "../rules/fixed-settings.js";
import { answerConflicts } from "./answer-conflicts.js";

/** Checks `directory` bodies: the template of their URIs, and the folder. */
export function checkDirectoryBodies(manifest: LoadedManifest): Diagnostic[] {
  return itemsWithBody(manifest, "directory").flatMap((item) => {
    const { body, names } = item;
    const root = ownValue(body.value, "root");
    return [
      ...answerConflicts(manifest, item, "directory"),
      ...templateProblems(manifest, item),
      ...fixedSettingProblems(manifest, root, [...body.path, "root"], names),
      ...variableProblems(manifest, item),
      ...exposureProblems(manifest, item),
      ...listProblems(manifest, item),
    ];
  });
}

/** Checks that the only variable of the template is the path of a file. */
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

/** Reports folders that no one means to serve: the project, folders around it, and those with keys or dependencies. */
function exposureProblems(manifest: LoadedManifest, { body }: BodyItem): Diagnostic[] {
  const root = textIn(body.value, "root");
  if (root === undefined || !isExposedFolder(root)) return [];
  return [
    exposedDirectory(manifest.locate([...body.path, "root"], "value"), { root: quoted(root) }),
  ];
}

/** True for a folder that no one means to serve. */
export function isExposedFolder(root: string): boolean {
  return enclosesProject(root) || holdsSecrets(`${root}/`) || isOfDependencies(root);
}

/** True if a folder is the project's folder, a folder around it, or the root of a file system. */
function enclosesProject(root: string): boolean {
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
