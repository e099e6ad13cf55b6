import type {
  ManifestPrompt,
  ManifestResource,
  ManifestResourceTemplate,
} from "../../../model/manifest.js";
import { plain, type FillSlot } from "./slots.js";

/** Bodies of resources and completions, in which each string with free text is a slot. */

/** A resource whose body asks an upstream. */
export function askedResource(fill: FillSlot): ManifestResource {
  return {
    name: "asked",
    uri: "demo://asked",
    description: "Asked.",
    http: {
      upstream: "api",
      path: "/asked",
      query: { [fill("asked.query", "uri")]: plain(fill("asked.query.value", "uri")) },
      headers: { "X-Note": `x${plain(fill("asked.header", "header"))}` },
      errors: { "410": `x${plain(fill("asked.error", "text"))}` },
    },
  };
}

/** A template whose body is a statement for a database, with statements that complete its variables and list its instances. */
export function queriedTemplate(fill: FillSlot): ManifestResourceTemplate {
  const text = fill("queried.query", "key");
  const typed = fill("queried.complete", "key");
  const field = fill("queried.complete.field", "key");
  return {
    name: "queried",
    uriTemplate: "demo://queried/{who}/{kind}",
    description: "Queried.",
    sql: { database: "shop", query: `select $mcpwright$${text}$mcpwright$, :who, :kind` },
    complete: {
      who: {
        sql: {
          database: "shop",
          query: `select $mcpwright$${typed}$mcpwright$ where starts_with(:kind, :who)`,
        },
      },
      kind: {
        http: {
          upstream: "api",
          path: "/people/{{who}}/kinds",
          query: { start: `{{kind}} ${plain(fill("queried.complete.query", "uri"))}` },
          result: { fields: [field] },
          errors: { "404": `{{who}} ${plain(fill("queried.complete.error", "text"))}` },
        },
      },
    },
    list: {
      http: {
        upstream: "api",
        method: "POST",
        path: "/people",
        body: { [fill("queried.list", "key")]: plain(fill("queried.list.value", "text")) },
      },
    },
  };
}

/** A template whose body serves a folder. */
export function shelvedTemplate(fill: FillSlot): ManifestResourceTemplate {
  return {
    name: "shelved",
    uriTemplate: "demo://shelved/{+path}",
    description: "Shelved.",
    directory: { root: `data/${fill("shelved.root", "choice")}`, hidden: true, watch: true },
  };
}

/** A prompt one of whose arguments a body completes that knows the other. */
export function completedPrompt(fill: FillSlot): ManifestPrompt {
  const other = `other ${fill("completed.argument", "name")}`;
  return {
    name: "completed",
    description: "Completed.",
    arguments: [
      {
        name: "who",
        complete: {
          http: {
            upstream: "api",
            method: "PUT",
            path: { template: "/x{{y}}", values: { y: { from: other, style: "label" } } },
            form: { [fill("completed.form", "key")]: "{{who}}" },
          },
        },
      },
      { name: other },
    ],
  };
}

/** A template whose files another MCP server has. */
export function passedTemplate(fill: FillSlot): ManifestResourceTemplate {
  return {
    name: "passed",
    uriTemplate: "demo://passed/{id}",
    description: "Passed.",
    mcp: { upstream: "distant", uriTemplate: `far://${fill("passed.uri", "uri")}/{id}` },
  };
}

/** A prompt that another MCP server has. */
export function passedPrompt(fill: FillSlot): ManifestPrompt {
  return {
    name: "passed",
    description: "Passed.",
    arguments: [{ name: "who" }],
    mcp: { upstream: "remote", name: `x${fill("passed.prompt", "text")}` },
  };
}
