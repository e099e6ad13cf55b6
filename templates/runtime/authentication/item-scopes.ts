import { insufficientScope, type RequestScopes } from "./access.js";
import type { Authentication } from "./authentication.js";
import { mayUse } from "./may-use.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ItemLists, ItemSettings } from "../engine/item.js";
import type { Method, Methods } from "../engine/feature.js";
import { isObject, textsMember, type RequestParameters } from "../engine/request-parameters.js";

/** The scopes of an item. */
type Scoped = Pick<ItemSettings, "scopes">;

/** Computes the scopes that requests need. */
class ItemScopes implements RequestScopes {
  /** The scopes of all items, without duplicates. */
  readonly all: readonly string[];
  readonly #methods: ReadonlyMap<string, Method>;

  constructor(definition: ServerDefinition, methods: ReadonlyMap<string, Method>) {
    const {
      tools = [],
      resources = [],
      prompts = [],
      resourceTemplates = [],
    } = definition as ItemLists;
    const items: readonly Scoped[] = [...tools, ...resources, ...resourceTemplates, ...prompts];
    this.all = [...new Set(items.flatMap(({ scopes = [] }) => scopes))];
    this.#methods = methods;
  }

  /**
   * Returns all scopes that a request needs if the caller lacks one of them. Returns undefined if the caller
   * lacks none. A message that is no request for an item needs no scopes.
   */
  unmet(
    method: unknown,
    parameters: unknown,
    caller: Authentication | undefined,
  ): readonly string[] | undefined {
    if (this.all.length === 0 || caller === undefined || !isObject(parameters)) return undefined;
    const items = this.#itemsOf(method, parameters);
    if (items.every((item) => mayUse(item, caller))) return undefined;
    return [...new Set(items.flatMap(({ scopes = [] }) => scopes))];
  }

  /** Like `unmet`, for a body with one message or, in the older eras, a list of messages. */
  unmetBy(body: unknown, caller: Authentication | undefined): readonly string[] | undefined {
    for (const message of Array.isArray(body) ? (body as unknown[]) : [body]) {
      if (!isObject(message)) continue;
      const scopes = this.unmet(message["method"], message["params"], caller);
      if (scopes !== undefined) return scopes;
    }
    return undefined;
  }

  #itemsOf(method: unknown, parameters: RequestParameters): readonly Scoped[] {
    switch (method) {
      case "resources/subscribe":
      case "resources/unsubscribe":
        return this.#namedBy("resources/read", parameters);
      case "subscriptions/listen": {
        const uris = textsMember(parameters["notifications"], "resourceSubscriptions");
        return uris.flatMap((uri) => this.#namedBy("resources/read", { uri }));
      }
      default:
        return this.#namedBy(method, parameters);
    }
  }

  /** The item that a request of this method names, if there is one. */
  #namedBy(method: unknown, parameters: RequestParameters): Scoped[] {
    const named = typeof method === "string" ? this.#methods.get(method) : undefined;
    const item = named?.itemOf?.(parameters);
    return item === undefined ? [] : [item];
  }
}

/** Makes the object that computes the scopes that requests to a server need. */
export function createScopes(
  definition: ServerDefinition,
  methods: ReadonlyMap<string, Method>,
): RequestScopes {
  return new ItemScopes(definition, methods);
}

/** Wraps methods so that they refuse callers who lack the scopes of the requested item. */
export function guardMethods(methods: Methods, definition: ServerDefinition): Methods {
  const scopes = new ItemScopes(definition, new Map(Object.entries(methods)));
  const guardedMethods = Object.entries(methods).map(([name, method]) => {
    const answer: Method["answer"] = (parameters, caller) => {
      const unmetScopes = scopes.unmet(name, parameters, caller.authentication);
      if (unmetScopes !== undefined) throw insufficientScope(unmetScopes);
      return method.answer(parameters, caller);
    };
    return [name, { ...method, answer }] as const;
  });
  return Object.fromEntries(guardedMethods);
}
