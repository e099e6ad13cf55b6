import { ACCESS_TOKEN } from "../../../../templates/runtime/suite/clients/local-upstream.js";
import type { ExpectedRequest } from "../../../../templates/runtime/suite/items/bodies.js";
import type { HttpBodyModel, NamedValues, PathPart } from "../../../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.js";
import type { ServerModel } from "../../../model/server-model.js";
import { withTestCaller } from "./test-caller.js";
import { expectedValue, valueText } from "./expected-value.js";
import {
  BOUNDARY,
  multipartText,
  pathText,
  queryTexts,
  type ExpectedStyle,
} from "./request-texts.js";

/**
 * The request that an `http` body sends for these arguments. Computed from the model, independently of the
 * generated code, so that it checks that code.
 */
export function expectedRequest(
  body: HttpBodyModel,
  given: JsonObject,
  model: ServerModel,
): ExpectedRequest {
  const values = withTestCaller(body, given);
  const settings = new UpstreamSettings(body.upstream, model);
  const { page } = body.pages ?? {};
  const query = [
    ...settings.baseQuery(),
    ...pairsOf([...body.query, ...(page === undefined ? [] : [firstPage(page)])], values),
    ...settings.credentials.query,
  ];
  const target = settings.basePath() + body.path.map((part) => pathPart(part, values)).join("");
  const sent = content(body, values);
  return {
    method: body.method,
    target: query.length === 0 ? target : `${target}?${query.join("&")}`,
    headers: { ...settings.headers(), ...headers(body, values), ...cookie(body, values, settings) },
    ...(sent !== "" && { body: sent }),
  };
}

function firstPage({ query, first }: { query: string; first: number }): NamedValues[number] {
  return [query, { kind: "literal", value: first }];
}

function pathPart(part: PathPart, values: JsonObject): string {
  if (typeof part === "string") return part;
  return pathText(values[part.argument], part.style ?? {});
}

function pairsOf(entries: NamedValues, values: JsonObject): string[] {
  return styledValues(entries, values).flatMap((entry) => queryTexts(...entry));
}

function styledValues(
  entries: NamedValues,
  values: JsonObject,
): [name: string, value: JsonValue | undefined, style: ExpectedStyle | undefined][] {
  return entries.map(([name, value]) => {
    const style = value.kind === "argument" ? value.style : undefined;
    return [name, expectedValue(value, values), style];
  });
}

function headers(
  { headers: entries, content: sent }: HttpBodyModel,
  values: JsonObject,
): JsonTexts {
  const type = contentType(sent, values);
  const own = entries.flatMap(([name, value]) => {
    const actual = expectedValue(value, values);
    if (actual === undefined || actual === null) return [];
    const text = Array.isArray(actual) ? actual.map(valueText).join(",") : valueText(actual);
    // HTTP ignores spaces around the value of a header.
    return [[name.toLowerCase(), text.trim()]];
  });
  return {
    ...(type !== undefined && { "content-type": type }),
    ...(Object.fromEntries(own) as JsonTexts),
  };
}

/** The media type of the request body; undefined if the request has none. */
function contentType(sent: HttpBodyModel["content"], values: JsonObject): string | undefined {
  if (sent?.kind === "multipart") return `multipart/form-data; boundary=${BOUNDARY}`;
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
  const own = pairsOf(cookies, values);
  const all = [...own, ...settings.credentials.cookies];
  return all.length === 0 ? {} : { cookie: all.join("; ") };
}

function content({ content: sent }: HttpBodyModel, values: JsonObject): string {
  if (sent === undefined) return "";
  if (sent.kind === "multipart") return multipartText(styledValues(sent.values, values));
  if (sent.kind === "form") return pairsOf(sent.values, values).join("&").replaceAll("%20", "+");
  const actual = expectedValue(sent.value, values);
  if (actual === undefined) return "";
  return sent.kind === "json" ? JSON.stringify(actual) : valueText(actual);
}

interface ExpectedCredentials {
  readonly headers: JsonTexts;
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

/** The parts of requests that come from the settings of the upstream, with the tests' values for variables. */
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
    const name = String(auth["name"]);
    switch (auth["kind"]) {
      case "clientCredentials":
      case "exchange":
      case "onBehalfOf":
      case "perCaller":
      case "jwtBearer":
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
        return { ...none, headers: { [name.toLowerCase()]: value } };
      case "query":
        return { ...none, query: queryTexts(name, value) };
      case "cookie":
        return { ...none, cookies: queryTexts(name, value) };
      default:
        return none;
    }
  }

  #text(setting: JsonValue | undefined): string | undefined {
    return settingInTests(setting, this.#env);
  }
}

/** The text of a setting. For an environment variable, the value that tests use; undefined if it has none. */
export function settingInTests(
  setting: JsonValue | undefined,
  env: ServerModel["env"],
): string | undefined {
  if (!isJsonObject(setting)) return setting === undefined ? undefined : String(setting);
  const variable = env.find(({ name }) => name === setting["env"]);
  if (variable === undefined) return undefined;
  const { required, default: defaultValue, type, enum: choices } = variable;
  if (!required && defaultValue === undefined) return undefined;
  const samples = { string: "placeholder", number: "1", boolean: "true", url: "http://localhost/" };
  return String(defaultValue ?? choices?.[0] ?? samples[type]);
}
