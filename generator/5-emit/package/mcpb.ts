import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import { commandName, servedFiles, servedFolders } from "../model-facts.js";
import { publicRepository, uriOf } from "../../text/public-urls.js";
import { code } from "../../text/markdown.js";
import { offeredDefault } from "./offered-default.js";
import { jsonFile, type PackageKind } from "./package-kind.js";
import { publicDescription } from "./public-texts.js";

/** The version of the bundle format that all clients support. */
const MANIFEST_VERSION = "0.3";

/** A bundle for desktop clients. */
export const mcpb: PackageKind = {
  files: (model) => [jsonFile("src/generated/mcpb.json", bundleContents(model))],
  script: {
    name: "mcpb",
    command: (model) =>
      `npm run build && mcpwright-runtime mcpb && mcpb pack dist/mcpb ${bundlePath(model)}`,
    words: "packs the server into `dist/`, as a bundle that desktop clients install",
  },
  packages: ["@anthropic-ai/mcpb"],
  installation: (model) =>
    `Desktop clients install the bundle ${code(bundlePath(model))}, which \`npm run mcpb\` makes.`,
};

function bundlePath(model: ServerModel): string {
  return `dist/${commandName(model)}.mcpb`;
}

/**
 * The data from which `mcpwright-runtime mcpb` makes a bundle for desktop clients: the bundle's manifest without
 * its version and the versions of Node.js (which come from package.json), icons in base64, and paths of what clients read.
 */
export function bundleContents(model: ServerModel): JsonObject {
  const icons = bundleIcons(model);
  return {
    manifest: { ...bundleManifest(model), ...iconFields(icons) },
    icons: icons.map(({ path, data }) => ({ path, data })),
    files: servedFiles(model),
    folders: servedFolders(model).map(({ path, hidden }) => ({ path, hidden })),
  };
}

function bundleManifest(model: ServerModel): JsonObject {
  const { title, websiteUrl, license, keywords = [], env } = model;
  const repository = publicRepository(model.repository);
  const askedVariables = env.filter(isAskedFor);
  const main = "dist/bundle.mjs";
  return {
    manifest_version: MANIFEST_VERSION,
    name: commandName(model),
    ...(title !== undefined && { display_name: title }),
    description: publicDescription(model).trim(),
    author: bundleAuthor(model.author),
    ...(repository !== undefined && { repository: { type: "git", url: repository.url } }),
    ...(websiteUrl !== undefined && { homepage: uriOf(websiteUrl) }),
    ...(license !== undefined && { license }),
    ...(keywords.length > 0 && { keywords: [...keywords] }),
    server: {
      type: "node",
      entry_point: main,
      mcp_config: {
        command: "node",
        args: ["--enable-source-maps", `\${__dirname}/${main}`, "--stdio"],
        ...(askedVariables.length > 0 && {
          env: Object.fromEntries(
            askedVariables.map(({ name }) => [name, `\${user_config.${name}}`]),
          ),
        }),
      },
    },
    ...listedItems(model),
    ...(askedVariables.length > 0 && {
      user_config: Object.fromEntries(
        askedVariables.map((variable) => [variable.name, question(variable)]),
      ),
    }),
  };
}

/** True for a variable that a client asks its user for. Others have a default, may be absent, or act only over the network. */
function isAskedFor({ required, secret, network, ask }: EnvVariableModel): boolean {
  return (required || secret || ask !== undefined) && network !== true;
}

function question(variable: EnvVariableModel): JsonObject {
  const { name, required, secret, ask = "text", default: value } = variable;
  const isNeeded = required && value === undefined;
  const isPath = ask !== "text";
  // Without a default, a client would pass on the placeholder itself. The server treats an empty value as absent.
  const defaultValue = isNeeded ? undefined : (offeredDefault(variable) ?? "");
  return {
    type: isPath ? ask : questionType(variable, defaultValue),
    title: name.replaceAll("_", " ").trim() || name,
    description: questionText(variable),
    required: isNeeded,
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(secret && { sensitive: true }),
  };
}

function questionType({ type }: EnvVariableModel, defaultValue: unknown): string {
  return type === "url" || defaultValue === "" ? "string" : type;
}

function questionText({ name, description = "", enum: choices }: EnvVariableModel): string {
  const text = description.trim() || `What the server reads as ${name}`;
  return choices === undefined ? text : `${text} (one of ${choices.join(", ")})`;
}

/** The tools for the bundle's manifest, with marks that say which lists are complete only on the running server. */
function listedItems({ tools, prompts, exposure }: ServerModel): JsonObject {
  const listed =
    exposure === undefined ? tools : tools.filter(({ name }) => exposure.listed.includes(name));
  const enabled = listed.filter((tool) => tool.enabled !== false);
  const canChange = exposure !== undefined || tools.some((tool) => tool.enabled !== undefined);
  return {
    ...(enabled.length > 0 && { tools: enabled.map(({ name, wire }) => toolEntry(name, wire)) }),
    ...(canChange && { tools_generated: true }),
    ...(prompts.length > 0 && { prompts_generated: true }),
  };
}

function toolEntry(name: string, { description }: JsonObject): JsonObject {
  return { name, ...(typeof description === "string" && { description }) };
}

/** The author from `Ada Lovelace <ada@example.com> (https://ada.example)`, or from an object with these parts. */
function bundleAuthor(author: JsonValue | undefined): JsonObject {
  const [, fullName = "", mail, page] =
    typeof author === "string"
      ? (/^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(author) ?? [])
      : [];
  const person = isJsonObject(author)
    ? author
    : { name: fullName.trim() || author, email: mail, url: page };
  const { name, email, url } = person;
  return {
    name: String(name),
    ...(typeof email === "string" && isAddress(email) && { email }),
    ...(typeof url === "string" && URL.canParse(url) && { url: uriOf(url) }),
  };
}

const isAddress = (text: string): boolean =>
  /^[\w+-]+(?:\.[\w+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/.test(text);

interface BundleIcon {
  /** Path in the bundle. */
  readonly path: string;
  /** Content in base64. */
  readonly data: string;
  readonly size?: string;
  readonly theme?: string;
}

/** The icons that can be part of the bundle: PNG images whose data is in the manifest. */
function bundleIcons({ icons = [] }: ServerModel): BundleIcon[] {
  return icons.flatMap(({ src, sizes, theme }, index) => {
    const data = /^data:image\/png;base64,(.+)$/i.exec(String(src))?.[1];
    if (data === undefined) return [];
    const size = Array.isArray(sizes) ? sizes.find((value) => value !== "any") : undefined;
    return [
      {
        path: `icons/icon-${index + 1}.png`,
        data,
        ...(typeof size === "string" && { size }),
        ...(typeof theme === "string" && { theme }),
      },
    ];
  });
}

function iconFields(icons: readonly BundleIcon[]): JsonObject {
  const [first] = icons;
  const sized = icons.flatMap(({ path, size, theme }) =>
    size === undefined ? [] : [{ src: path, size, ...(theme !== undefined && { theme }) }],
  );
  return {
    ...(first !== undefined && { icon: first.path }),
    ...(sized.length > 0 && { icons: sized }),
  };
}
