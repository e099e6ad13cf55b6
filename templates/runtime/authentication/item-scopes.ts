import { insufficientScope, type RequestScopes } from "./access.js";
import type { Authentication } from "./authentication.js";
import { mayUse } from "./may-use.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Caller } from "../context/context.js";
import { itemsOf, type Item, type ItemSettings } from "../engine/item.js";
import type { Method, Methods } from "../engine/feature.js";
import {
  isObject,
  memberOf,
  textsMember,
  type RequestParameters,
} from "../engine/request-parameters.js";

/** The scopes of an item. */
type Scoped = Pick<ItemSettings, "scopes">;

/** Computes the scopes that requests need. */
class ItemScopes implements RequestScopes {
  /** The scopes of all items, without duplicates. */
  readonly all: readonly string[];
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #items: readonly Item[];
  readonly #isHidden: ServerDefinition["isHidden"];

  constructor(definition: ServerDefinition, methods: ReadonlyMap<string, Method>) {
    this.#items = itemsOf(definition);
    this.all = scopesOf(this.#items);
    this.#isHidden = definition.isHidden;
    this.#methods = methods;
  }

  /**
   * Returns all scopes that a request needs if the caller lacks one of them. Returns undefined if the caller
   * lacks none. A message that is no request for an item, or for one that is hidden from the caller, needs none.
   */
  unmet(
    method: unknown,
    parameters: unknown,
    caller: Authentication | undefined,
  ): readonly string[] | undefined {
    if (this.all.length === 0 || caller === undefined || !isObject(parameters)) return undefined;
    const items = this.#itemsOf(method, parameters, { authentication: caller });
    return items.every((item) => mayUse(item, caller)) ? undefined : scopesOf(items);
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

  mayUseAll(name: string, caller: Authentication | undefined): boolean {
    const mayKnow = (item: Item): boolean =>
      mayUse(item, caller) &&
      (caller === undefined || this.#isHidden?.(item, { authentication: caller }) !== true);
    return this.#items.every((item) => item.definition.name !== name || mayKnow(item));
  }

  neededBy(body: unknown, caller: Authentication | undefined): readonly string[] {
    const parameters = memberOf(body, "params");
    if (!isObject(parameters)) return [];
    const method = memberOf(body, "method");
    return scopesOf(this.#itemsOf(method, parameters, { authentication: caller }));
  }

  #itemsOf(
    method: unknown,
    parameters: RequestParameters,
    caller: Partial<Caller>,
  ): readonly Scoped[] {
    switch (method) {
      case "resources/subscribe":
      case "resources/unsubscribe":
        return this.#namedBy("resources/read", parameters, caller);
      case "subscriptions/listen": {
        const uris = textsMember(parameters["notifications"], "resourceSubscriptions");
        return uris.flatMap((uri) => this.#namedBy("resources/read", { uri }, caller));
      }
      default:
        return this.#namedBy(method, parameters, caller);
    }
  }

  /** The item that a request of this method names, if there is one for the caller. */
  #namedBy(method: unknown, parameters: RequestParameters, caller: Partial<Caller>): Scoped[] {
    const named = typeof method === "string" ? this.#methods.get(method) : undefined;
    const item = named?.itemOf?.(parameters, caller);
    return item === undefined ? [] : [item];
  }
}

/** The scopes of some items, without duplicates. */
function scopesOf(items: readonly Scoped[]): readonly string[] {
  return [...new Set(items.flatMap(({ scopes = [] }) => scopes))];
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
