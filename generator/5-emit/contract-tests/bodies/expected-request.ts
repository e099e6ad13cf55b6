import { ACCESS_TOKEN } from "../../../../templates/runtime/suite/clients/local-upstream.js";
import type { ExpectedRequest } from "../../../../templates/runtime/suite/items/bodies.js";
import { multipartBody } from "../../../../templates/runtime/upstreams/multipart.js";
import { pathText, queryParts, styled } from "../../../../templates/runtime/upstreams/styles.js";
import type { HttpBodyModel, NamedValues, PathPart } from "../../../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.js";
import type { ServerModel } from "../../../model/server-model.js";
import { expectedValue } from "./expected-value.js";

/**
 * The request that a body sends for these arguments, read from the model a second time to check the code that
 * was made from it.
 */
export function expectedRequest(
  body: HttpBodyModel,
  values: JsonObject,
  model: ServerModel,
): ExpectedRequest {
  const settings = new UpstreamSettings(body.upstream, model);
  const { page } = body.pages ?? {};
  const query = [
    ...settings.baseQuery(),
    ...parts([...body.query, ...(page === undefined ? [] : [firstPage(page)])], values),
    ...settings.credentials.query,
  ];
  const target = settings.basePath() + body.path.map((part) => pathPart(part, values)).join("");
  return {
    method: body.method,
    target: query.length === 0 ? target : `${target}?${query.join("&")}`,
    headers: { ...settings.headers(), ...headers(body, values), ...cookie(body, values, settings) },
    body: content(body, values),
  };
}

function firstPage({ query, first }: { query: string; first: number }): NamedValues[number] {
  return [query, { kind: "literal", value: first }];
}

function pathPart(part: PathPart, values: JsonObject): string {
  if (typeof part === "string") return part;
  const value = values[part.argument];
  return pathText(part.style === undefined ? value : styled(value, part.style as never));
}

function parts(named: NamedValues, values: JsonObject): string[] {
  return styledValues(named, values).flatMap(([name, value]) => queryParts(name, value));
}

function styledValues(named: NamedValues, values: JsonObject): [name: string, value: unknown][] {
  return named.map(([name, value]) => {
    const filled = expectedValue(value, values);
    const style = value.kind === "argument" ? value.style : undefined;
    return [name, style === undefined ? filled : styled(filled, style as never)];
  });
}

const multipart = (named: NamedValues, values: JsonObject): ReturnType<typeof multipartBody> =>
  multipartBody(Object.fromEntries(styledValues(named, values)));

function asText(value: JsonValue): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function headers({ headers: named, content: sent }: HttpBodyModel, values: JsonObject): JsonTexts {
  const type = contentType(sent, values);
  const own = named.flatMap(([name, value]) => {
    const filled = expectedValue(value, values);
    if (filled === undefined || filled === null) return [];
    const text = Array.isArray(filled) ? filled.map(asText).join(",") : asText(filled);
    // HTTP knows no spaces around the value of a header.
    return [[name.toLowerCase(), text.trim()]];
  });
  return {
    ...(type !== undefined && { "content-type": type }),
    ...(Object.fromEntries(own) as JsonTexts),
  };
}

/** What is sent without a content has no type. */
function contentType(sent: HttpBodyModel["content"], values: JsonObject): string | undefined {
  if (sent?.kind === "multipart") return multipart(sent.values, values).type;
  if (sent?.kind === "form") return "application/x-www-form-urlencoded";
  if (sent?.kind !== "json" || expectedValue(sent.value, values) === undefined) return undefined;
  return "application/json";
}

type JsonTexts = Record<string, string>;

function cookie(
  { cookies }: HttpBodyModel,
  values: JsonObject,
  settings: UpstreamSettings,
): JsonTexts {
  const own = parts(cookies, values);
  const all = [...own, ...settings.credentials.cookies];
  return all.length === 0 ? {} : { cookie: all.join("; ") };
}

function content({ content: sent }: HttpBodyModel, values: JsonObject): string {
  if (sent === undefined) return "";
  if (sent.kind === "multipart") return multipart(sent.values, values).body;
  if (sent.kind === "form") return parts(sent.values, values).join("&").replaceAll("%20", "+");
  const filled = expectedValue(sent.value, values);
  if (filled === undefined) return "";
  return sent.kind === "json" ? JSON.stringify(filled) : asText(filled);
}

interface ExpectedCredentials {
  readonly headers: JsonTexts;
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

/** What an upstream's settings add to its requests, where the tests choose the values of variables. */
class UpstreamSettings {
  readonly credentials: ExpectedCredentials;
  readonly #settings: JsonObject;
  readonly #env: ServerModel["env"];

  constructor(name: string, { upstreams = [], env }: ServerModel) {
    this.#settings = upstreams.find((upstream) => upstream.name === name)?.settings ?? {};
    this.#env = env;
    this.credentials = this.#credentialsOf((this.#settings["auth"] ?? {}) as JsonObject);
  }

  basePath(): string {
    return new URL(this.#text(this.#settings["baseUrl"]) ?? "").pathname.replace(/\/$/, "");
  }

  baseQuery(): string[] {
    const { search } = new URL(this.#text(this.#settings["baseUrl"]) ?? "");
    return search === "" ? [] : [search.slice(1)];
  }

  headers(): JsonTexts {
    const own = Object.entries((this.#settings["headers"] ?? {}) as JsonObject).flatMap(
      ([name, setting]) => {
        const text = this.#text(setting);
        return text === undefined ? [] : [[name.toLowerCase(), text.trim()]];
      },
    );
    return { ...(Object.fromEntries(own) as JsonTexts), ...this.credentials.headers };
  }

  #credentialsOf(auth: JsonObject): ExpectedCredentials {
    const none = { headers: {}, query: [], cookies: [] };
    const value = this.#text(auth["token"] ?? auth["value"]);
    const named = String(auth["name"]);
    switch (auth["kind"]) {
      case "clientCredentials":
        return { ...none, headers: { authorization: `Bearer ${ACCESS_TOKEN}` } };
      case "basic": {
        const [user, password] = [this.#text(auth["username"]), this.#text(auth["password"])];
        if (user === undefined || password === undefined) return none;
        const pair = Buffer.from(`${user}:${password}`).toString("base64");
        return { ...none, headers: { authorization: `Basic ${pair}` } };
      }
    }
    if (value === undefined) return none;
    switch (auth["kind"]) {
      case "bearer":
        return { ...none, headers: { authorization: `Bearer ${value}` } };
      case "header":
        return { ...none, headers: { [named.toLowerCase()]: value } };
      case "query":
        return { ...none, query: queryParts(named, value) };
      case "cookie":
        return { ...none, cookies: queryParts(named, value) };
      default:
        return none;
    }
  }

  #text(setting: JsonValue | undefined): string | undefined {
    return settingInTests(setting, this.#env);
  }
}

/** The text of a setting: of a variable, what stands in for it in tests. */
export function settingInTests(
  setting: JsonValue | undefined,
  env: ServerModel["env"],
): string | undefined {
  if (!isJsonObject(setting)) return setting === undefined ? undefined : String(setting);
  const variable = env.find(({ name }) => name === setting["env"]);
  if (variable === undefined) return undefined;
  const { required, default: usual, type, enum: choices } = variable;
  if (!required && usual === undefined) return undefined;
  const made = { string: "placeholder", number: "1", boolean: "true", url: "http://localhost/" };
  return String(usual ?? choices?.[0] ?? made[type]);
}
