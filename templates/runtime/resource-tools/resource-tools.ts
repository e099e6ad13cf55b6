import type {
  CallToolResult,
  ContentBlock,
  ReadResourceResult,
  Resource,
  Result,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { anybody } from "../authentication/public-methods.js";
import type { Caller } from "../context/context.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import type { CreateFeature, ServerDefinition } from "../engine/definition.js";
import { InvalidResultError, ProtocolError } from "../engine/errors.js";
import type { Method, Methods } from "../engine/feature.js";
import type { Item } from "../engine/item.js";
import type { Page } from "../engine/item-list.js";
import { hasOnly, objectParameter, textMember } from "../engine/request-parameters.js";
import type { RequestParameters } from "../engine/request-parameters.js";
import type { Runtime } from "../engine/runtime.js";
import type { ToolEntry } from "../tools/definition.js";
import { failedCall, result } from "../tools/result.js";
import { toCallToolResult } from "../tools/tool-result.js";
import { createTools } from "../tools/tools.js";
import { resourceTools } from "./definitions.js";

const [LIST, READ] = resourceTools;

/** Before cursors of the list of templates, which follows the list of resources. */
const TEMPLATES = "templates:";

/** The methods of resources. */
type ResourceMethods = Readonly<
  Record<"resources/list" | "resources/templates/list" | "resources/read", Method>
>;

/** Answers calls of the two tools by the methods of resources, so that each resource is read on its usual road. */
class ResourceGateway {
  readonly #call: Method;
  readonly #methods: ResourceMethods;
  readonly #runtime: Runtime;
  readonly #publicMethods: readonly string[] | undefined;
  /** The resources as the items of calls: observers and guards of calls get the schema of the tool with them. */
  readonly #items = new WeakMap<Item, Item>();

  constructor(
    call: Method,
    methods: ResourceMethods,
    runtime: Runtime,
    publicMethods: readonly string[] | undefined,
  ) {
    this.#call = call;
    this.#methods = methods;
    this.#runtime = runtime;
    this.#publicMethods = publicMethods;
  }

  /** Answers `tools/call`. */
  answer(parameters: RequestParameters, caller: Caller): Awaitable<Result> {
    const { name } = parameters;
    if (name !== LIST.name && name !== READ.name) return this.#call.answer(parameters, caller);
    const input = objectParameter(parameters, "arguments");
    return name === LIST.name ? this.#list(input, caller) : this.#read(input, caller);
  }

  /** The item that a call is about: for `read_resource` the resource, with its scopes and groups. */
  itemOf(parameters: RequestParameters, caller?: Partial<Caller>): Item | undefined {
    const { name, arguments: input } = parameters;
    if (name === LIST.name) return { definition: LIST };
    if (name !== READ.name) return this.#call.itemOf?.(parameters, caller);
    const uri = textMember(input, "uri");
    const resource = this.#methods["resources/read"].itemOf?.({ uri }, caller);
    return resource === undefined ? { definition: READ } : this.#itemFor(resource);
  }

  #itemFor(resource: Item): Item {
    const cached = this.#items.get(resource);
    if (cached !== undefined) return cached;
    const { name } = resource.definition;
    const item = { ...resource, definition: { ...READ, name } };
    this.#items.set(resource, item);
    return item;
  }

  #read(input: RequestParameters, caller: Caller): Awaitable<Result> {
    const uri = textMember(input, "uri");
    if (uri === undefined || !hasOnly(input, ["uri"])) return refusal(READ.name, "uri, a text");
    if (this.#isClosed("resources/read", caller)) return failedCall(NEEDS_CREDENTIALS);
    return inWords(() =>
      after(this.#methods["resources/read"].answer({ uri }, caller), (read) =>
        "contents" in read ? asToolResult(read as ReadResourceResult) : read,
      ),
    );
  }

  #list(input: RequestParameters, caller: Caller): Awaitable<Result> {
    const { cursor } = input;
    if ((cursor !== undefined && typeof cursor !== "string") || !hasOnly(input, ["cursor"])) {
      return refusal(LIST.name, "cursor, a text");
    }
    const closed = ["resources/list", "resources/templates/list"].some((method) =>
      this.#isClosed(method, caller),
    );
    if (closed) return failedCall(NEEDS_CREDENTIALS);
    return inWords(() =>
      cursor?.startsWith(TEMPLATES)
        ? this.#templates(cursor.slice(TEMPLATES.length), caller, [])
        : after(
            this.#methods["resources/list"].answer({ ...(cursor && { cursor }) }, caller),
            (page) => {
              const { resources, nextCursor } = page as Page<"resources", Resource>;
              if (nextCursor === undefined) return this.#templates(undefined, caller, resources);
              return this.#page({ resources, nextCursor });
            },
          ),
    );
  }

  #templates(
    cursor: string | undefined,
    caller: Caller,
    resources: readonly Resource[],
  ): Awaitable<Result> {
    const parameters = cursor === undefined ? {} : { cursor };
    return after(this.#methods["resources/templates/list"].answer(parameters, caller), (listed) => {
      const page = listed as Page<"resourceTemplates", ResourceTemplateType>;
      const { resourceTemplates: templates, nextCursor: next } = page;
      const more = next === undefined ? {} : { nextCursor: `${TEMPLATES}${next}` };
      return this.#page({ resources, templates, ...more });
    });
  }

  #page(page: object): Awaitable<Result> {
    const answer = result({ structuredContent: page });
    return toCallToolResult(LIST.name, undefined, answer, this.#runtime.limits);
  }

  /** Whether a caller without credentials may call tools, but not this method of resources. */
  #isClosed(method: string, { authentication }: Caller): boolean {
    const { principal, via } = authentication ?? {};
    const isAnybody = principal === anybody.principal && via === undefined;
    return isAnybody && this.#publicMethods?.includes(method) !== true;
  }
}

const NEEDS_CREDENTIALS = "Resources are read only with credentials";

function refusal(tool: string, takes: string): CallToolResult {
  return failedCall(
    `Input validation error: Invalid arguments for tool ${tool}: it takes only ${takes}`,
  );
}

/** Answers with the text of an error that the caller's arguments, or the code of a resource, have caused. */
function inWords(answer: () => Awaitable<Result>): Awaitable<Result> {
  return recover(answer, (error) => {
    if (error instanceof InvalidResultError)
      return failedCall("The list is too long for an answer");
    const isAnswer =
      error instanceof ProtocolError && (error.code === -32602 || error.code === -32603);
    if (!isAnswer) throw error;
    return failedCall(error.message);
  });
}

/** What a resource contains, in the blocks that most clients show to models. */
function asToolResult({ contents }: ReadResourceResult): CallToolResult {
  return { content: contents.map(blockOf) };
}

function blockOf(resource: ReadResourceResult["contents"][number]): ContentBlock {
  if ("text" in resource) return { type: "text", text: resource.text };
  const { mimeType = "", blob: data } = resource;
  if (/^image\//i.test(mimeType)) return { type: "image", data, mimeType };
  if (/^audio\//i.test(mimeType)) return { type: "audio", data, mimeType };
  return { type: "resource", resource };
}

/**
 * Makes the tools of a server with the two for resources after them.
 * @param create Makes the other tools.
 */
export function withResourceTools(create: CreateFeature = createTools): CreateFeature {
  return (definition, runtime) => {
    const resources = definition.createResources?.(definition, runtime)?.methods;
    if (resources === undefined) return create(definition, runtime);
    const feature = create(withEntries(definition), runtime);
    const call = feature?.methods["tools/call"];
    if (feature === undefined || call === undefined) return feature;
    const methods = resources as ResourceMethods;
    const gateway = new ResourceGateway(call, methods, runtime, definition.publicMethods);
    const calls: Methods = {
      "tools/call": {
        ...call,
        answer: (parameters, caller) => gateway.answer(parameters, caller),
        itemOf: (parameters, caller) => gateway.itemOf(parameters, caller),
      },
    };
    return { ...feature, methods: { ...feature.methods, ...calls } };
  };
}

/** The definition with entries of the two tools, which only list them: no call reaches an entry itself. */
function withEntries(definition: ServerDefinition): ServerDefinition {
  const { tools, resources, resourceTemplates, exposure } = definition;
  // They are listed for callers of every group: what they list and read depends on the caller.
  const groups = [...tools, ...resources, ...resourceTemplates].flatMap(
    (item) => item.groups ?? [],
  );
  const entries = resourceTools.map((tool): ToolEntry => ({
    definition: tool,
    groups: [...new Set(groups)],
    validators: () => ({ input: () => true }),
    handler: () => () =>
      result({ content: `Call ${tool.name} by itself, and not through another tool` }),
  }));
  const listed = [...(exposure?.listed ?? []), ...resourceTools.map(({ name }) => name)];
  return {
    ...definition,
    tools: [...tools, ...entries],
    ...(exposure !== undefined && { exposure: { ...exposure, listed } }),
  };
}
