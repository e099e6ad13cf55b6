import { resolve } from "node:path";
import type { Skill } from "@modelcontextprotocol/server/ext/skills";
import type { CacheHint, Resource, Result } from "@modelcontextprotocol/server";
import { mayUse } from "../authentication/may-use.js";
import type { Caller } from "../context/context.js";
import { loadMediaTypes } from "../directories/media-types.js";
import { cursorOwner, readCursor } from "../engine/cursor.js";
import type { CreateFeature, ServerDefinition } from "../engine/definition.js";
import { describeError } from "../engine/describe-error.js";
import { invalidParams } from "../engine/errors.js";
import { pageOf } from "../engine/paged-item-list.js";
import {
  printableExcerpt,
  textMember,
  textParameter,
  type RequestParameters,
} from "../engine/request-parameters.js";
import type { Runtime } from "../engine/runtime.js";
import type { ResourceTemplateEntry } from "../resources/definition.js";
import { FolderSkills } from "./skill-catalog.js";

/** The id of the extension. */
const EXTENSION = "io.modelcontextprotocol/skills";

/** The MIME type of a folder in a list of resources. */
const FOLDER_TYPE = "inode/directory";

/** Most entries on a page, unless the server sets another number. */
const PAGE_SIZE = 100;

/** A folder of skills with the template that reads its files. */
interface ServedFolder {
  readonly entry: ResourceTemplateEntry;
  readonly skills: FolderSkills;
}

/** Answers `skills/list`, `skills/get` and `resources/directory/read`. */
class Skills {
  readonly #folders: readonly ServedFolder[];
  readonly #isHidden: ServerDefinition["isHidden"];
  readonly #cache: CacheHint | undefined;
  readonly #runtime: Runtime;

  constructor(definition: ServerDefinition, runtime: Runtime) {
    const { skillFolders = [], resourceTemplates, isHidden, cache } = definition;
    this.#isHidden = isHidden;
    this.#cache = cache;
    this.#runtime = runtime;
    this.#folders = skillFolders.flatMap((folder) => {
      // A template is absent if operators left its groups out.
      const entry = resourceTemplates.find(({ definition: { name } }) => name === folder.template);
      if (entry === undefined) return [];
      const skills = new FolderSkills(folder, resolve(runtime.root, folder.root), runtime.log);
      return [{ entry, skills }];
    });
  }

  /** Reads the folders, so that their problems are in the log before a client asks. */
  prepare(): void {
    for (const { entry, skills } of this.#folders) {
      skills.entries().catch((error: unknown) =>
        this.#runtime.log.error("skills cannot be read", {
          skills: entry.definition.name,
          error: describeError(error),
        }),
      );
    }
  }

  /** Answers `skills/list`. @throws ProtocolError -32602 for an unknown cursor */
  async list({ cursor }: RequestParameters, caller: Caller): Promise<Result> {
    const view = this.#visibleTo(caller).map(({ entry }) => entry.definition.name);
    return this.#page("skills", await this.#entriesFor(caller), cursor, caller, view.join(" "));
  }

  /** The last page of a list of resources, with the texts of all skills that the caller may read. */
  async addTo(page: Result, caller: Caller): Promise<Result> {
    const resources = (page as { resources?: readonly Resource[] }).resources ?? [];
    const texts = (await this.#entriesFor(caller)).map(textOfSkill);
    return { ...page, resources: [...resources, ...texts] };
  }

  /** Answers `skills/get`. @throws ProtocolError -32602 if there is no such skill for the caller */
  async get(parameters: RequestParameters, caller: Caller): Promise<Result> {
    const uri = textParameter(parameters, "uri");
    const entries = (await this.#folderOf(uri, caller)?.skills.entries()) ?? [];
    const skill = entries.find((one) => one.uri === uri);
    if (skill === undefined) throw noSuch("Skill", uri);
    return { skill, ...this.#cacheHints(caller) };
  }

  /**
   * Answers `resources/directory/read`: the files and folders directly below the folder of a skill.
   * @throws ProtocolError -32602 if the caller has no such folder, or for an unknown cursor
   */
  async readDirectory(parameters: RequestParameters, caller: Caller): Promise<Result> {
    const uri = textParameter(parameters, "uri");
    const entries = (await this.#folderOf(uri, caller)?.skills.entries()) ?? [];
    const skill = entries.find((one) => isAtOrBelow(folderOf(one), uri));
    const children = skill === undefined ? [] : await childrenOf(skill, uri);
    if (children.length === 0) throw noSuch("Directory", uri);
    return this.#page("resources", children, parameters["cursor"], caller, uri);
  }

  /** The template that reads what is at a URI; undefined if the caller has none there. */
  itemOf(
    parameters: RequestParameters,
    caller?: Partial<Caller>,
  ): ResourceTemplateEntry | undefined {
    return this.#folderOf(textMember(parameters, "uri"), caller)?.entry;
  }

  #folderOf(uri = "", caller: Partial<Caller> | undefined): ServedFolder | undefined {
    const folder = this.#folders.find(({ entry }) =>
      isAtOrBelow(`skill://${entry.definition.name}`, uri),
    );
    const isHidden = caller !== undefined && folder && this.#isHidden?.(folder.entry, caller);
    return isHidden === true ? undefined : folder;
  }

  /** The skills that the caller may read, sorted by URI. */
  async #entriesFor(caller: Caller): Promise<Skill[]> {
    const visible = this.#visibleTo(caller);
    const entries = await Promise.all(visible.map(({ skills }) => skills.entries()));
    return entries.flat().sort((one, other) => (one.uri < other.uri ? -1 : 1));
  }

  #visibleTo(caller: Caller): ServedFolder[] {
    return this.#folders.filter(
      ({ entry }) =>
        mayUse(entry, caller.authentication) && this.#isHidden?.(entry, caller) !== true,
    );
  }

  #page(
    key: "skills" | "resources",
    items: readonly object[],
    cursor: unknown,
    caller: Caller,
    view: string,
  ): Result {
    const owner = cursorOwner(caller, view);
    const start = readCursor(cursor, items.length, owner);
    const { pageSize = PAGE_SIZE } = this.#runtime;
    return { ...pageOf(key, items, start, owner, pageSize), ...this.#cacheHints(caller) };
  }

  #cacheHints({ era }: Caller): object {
    return era === "modern" ? { ttlMs: 0, cacheScope: "private", ...this.#cache } : {};
  }
}

/**
 * Makes what answers the requests about resources, and those about skills. The list of resources ends with each skill's
 * `SKILL.md`, for clients that do not know skills.
 */
export function withSkills(create: CreateFeature): CreateFeature {
  return (definition, runtime) => {
    const feature = create(definition, runtime);
    const list = feature?.methods["resources/list"];
    if (feature === undefined || list === undefined) return feature;
    const skills = new Skills(definition, runtime);
    const { resources } = feature.capabilities;
    return {
      capabilities: {
        ...feature.capabilities,
        ...(isWatched(definition) && { resources: { ...resources, listChanged: true } }),
        extensions: { [EXTENSION]: { directoryRead: true } },
      },
      methods: {
        ...feature.methods,
        "resources/list": {
          ...list,
          answer: async (parameters, caller) => {
            const page = await list.answer(parameters, caller);
            return "nextCursor" in page ? page : skills.addTo(page, caller);
          },
        },
        "skills/list": {
          parameters: ["cursor"],
          answer: (parameters, caller) => skills.list(parameters, caller),
        },
        "skills/get": {
          parameters: ["uri"],
          answer: (parameters, caller) => skills.get(parameters, caller),
          itemOf: (parameters, caller) => skills.itemOf(parameters, caller),
        },
        "resources/directory/read": {
          parameters: ["uri", "cursor"],
          answer: (parameters, caller) => skills.readDirectory(parameters, caller),
          itemOf: (parameters, caller) => skills.itemOf(parameters, caller),
        },
      },
      prepare: () => {
        feature.prepare?.();
        skills.prepare();
      },
    };
  };
}

/** Whether clients are notified of new and deleted files of a folder. */
function isWatched({ skillFolders = [], resourceTemplates }: ServerDefinition): boolean {
  return resourceTemplates.some(
    ({ definition: { name }, watch }) =>
      watch !== undefined && skillFolders.some(({ template }) => template === name),
  );
}

/** The folder of a skill, as a URI. */
function folderOf({ uri }: Skill): string {
  return uri.slice(0, uri.lastIndexOf("/"));
}

function isAtOrBelow(folder: string, uri: string): boolean {
  return uri === folder || uri.startsWith(`${folder}/`);
}

/** The `SKILL.md` of a skill, as a listed resource. */
function textOfSkill({ uri, frontmatter, resources }: Skill): Resource {
  const { name, description } = frontmatter;
  const size = resources === "dynamic" ? undefined : resources.find((one) => one.uri === uri)?.size;
  return { uri, name, description, mimeType: "text/markdown", ...(size !== undefined && { size }) };
}

/** The files and folders directly below a folder of a skill. */
async function childrenOf({ resources }: Skill, folder: string): Promise<Resource[]> {
  const typeOf = await loadMediaTypes();
  const children = new Map<string, Resource>();
  for (const { uri, size } of resources === "dynamic" ? [] : resources) {
    if (!uri.startsWith(`${folder}/`)) continue;
    const [segment = "", ...below] = uri.slice(folder.length + 1).split("/");
    const name = decodeURIComponent(segment);
    const childUri = `${folder}/${segment}`;
    const mimeType = below.length > 0 ? FOLDER_TYPE : typeOf(name);
    children.set(childUri, {
      uri: childUri,
      name,
      ...(mimeType !== undefined && { mimeType }),
      ...(below.length === 0 && { size }),
    });
  }
  return [...children.values()];
}

function noSuch(what: string, uri: string): Error {
  return invalidParams(`${what} ${printableExcerpt(uri)} not found`, { uri });
}
