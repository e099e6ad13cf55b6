import type { Authentication } from "./authentication.js";
import type { ItemSettings, ServerDefinition } from "./definition.js";
import { isObject } from "./request-parameters.js";

/** An item, as far as scopes go. */
type ScopedItem = Pick<ItemSettings, "scopes">;

/** The scopes of all items that have some. */
export function allScopes(definition: ServerDefinition): string[] {
  const { tools, resources, resourceTemplates, prompts } = definition;
  const items: readonly ScopedItem[] = [...tools, ...resources, ...resourceTemplates, ...prompts];
  return [...new Set(items.flatMap(({ scopes = [] }) => scopes))];
}

/** Whether a caller may use an item. Nobody has to say who they are on stdio: whoever starts a server may use it. */
export function mayUse({ scopes = [] }: ScopedItem, caller: Authentication | undefined): boolean {
  return caller === undefined || scopes.every((scope) => caller.scopes.includes(scope));
}

/** Knows which scopes requests need. */
export class ItemScopes {
  readonly #areUsed: boolean;
  readonly #tools = new Map<string, ScopedItem>();
  readonly #prompts = new Map<string, ScopedItem>();
  readonly #templates = new Map<string, ScopedItem>();
  readonly #resourceAt: (uri: string) => ScopedItem | undefined;

  /** @param resourceAt The resource at a URI, or the template that it is an instance of. */
  constructor(definition: ServerDefinition, resourceAt: (uri: string) => ScopedItem | undefined) {
    const { tools, prompts, resourceTemplates } = definition;
    this.#areUsed = allScopes(definition).length > 0;
    for (const tool of tools) {
      for (const name of [tool.definition.name, ...(tool.aliases ?? [])])
        this.#tools.set(name, tool);
    }
    for (const prompt of prompts) this.#prompts.set(prompt.definition.name, prompt);
    for (const template of resourceTemplates) {
      this.#templates.set(template.definition.uriTemplate, template);
    }
    this.#resourceAt = resourceAt;
  }

  /**
   * The scopes that a request needs, all of them, where the caller lacks one; undefined where the
   * caller may go on. What is no request that names an item needs none.
   */
  unmet(
    method: unknown,
    parameters: unknown,
    caller: Authentication | undefined,
  ): readonly string[] | undefined {
    if (!this.#areUsed || caller === undefined || !isObject(parameters)) return undefined;
    const items = this.#itemsOf(method, parameters);
    if (items.every((item) => mayUse(item, caller))) return undefined;
    return [...new Set(items.flatMap(({ scopes = [] }) => scopes))];
  }

  /** The same of a body with a message, or a list of messages as the older eras have it. */
  unmetBy(body: unknown, caller: Authentication | undefined): readonly string[] | undefined {
    for (const message of Array.isArray(body) ? (body as unknown[]) : [body]) {
      if (!isObject(message)) continue;
      const scopes = this.unmet(message["method"], message["params"], caller);
      if (scopes !== undefined) return scopes;
    }
    return undefined;
  }

  #itemsOf(method: unknown, parameters: Readonly<Record<string, unknown>>): ScopedItem[] {
    const { name, uri, ref, notifications } = parameters;
    switch (method) {
      case "tools/call":
        return present(this.#tools.get(String(name)));
      case "prompts/get":
        return present(this.#prompts.get(String(name)));
      case "resources/read":
      case "resources/subscribe":
      case "resources/unsubscribe":
        return present(this.#resourceAt(String(uri)));
      case "completion/complete":
        return isObject(ref) ? this.#referredTo(ref) : [];
      case "subscriptions/listen": {
        const watched = isObject(notifications)
          ? notifications["resourceSubscriptions"]
          : undefined;
        const uris = Array.isArray(watched) ? (watched as unknown[]) : [];
        return uris.flatMap((one) => present(this.#resourceAt(String(one))));
      }
      default:
        return [];
    }
  }

  #referredTo({ name, uri }: Readonly<Record<string, unknown>>): ScopedItem[] {
    return [
      ...present(this.#prompts.get(String(name))),
      ...present(this.#templates.get(String(uri))),
    ];
  }
}

function present(item: ScopedItem | undefined): ScopedItem[] {
  return item === undefined ? [] : [item];
}
