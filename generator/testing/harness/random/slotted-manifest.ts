import type { JsonObject } from "../../../model/json.js";
import type {
  Manifest,
  ManifestPrompt,
  ManifestResource,
  ManifestResourceTemplate,
} from "../../../model/manifest.js";
import {
  askedResource,
  completedPrompt,
  queriedTemplate,
  passedPrompt,
  passedTemplate,
  shelvedTemplate,
} from "./slotted-sources.js";
import { slottedTools } from "./slotted-tools.js";
import { elicitations, icon, meta, mimeType, plain, type FillSlot } from "./slots.js";

/** A valid manifest in which every string that may hold free text is a slot. */
export function slottedManifest(fill: FillSlot): Manifest {
  return {
    name: "slots",
    version: "1.0.0",
    title: fill("title", "text"),
    description: fill("description", "text"),
    websiteUrl: `https://example.com/${fill("websiteUrl", "uri")}`,
    icons: [icon("icons", fill)],
    instructions: fill("instructions", "text"),
    license: fill("license", "text"),
    author: {
      name: fill("author.name", "text"),
      email: fill("author.email", "text"),
      url: `https://example.com/${fill("author.url", "uri")}`,
    },
    repository: {
      type: fill("repository.type", "text"),
      url: fill("repository.url", "text"),
      directory: fill("repository.directory", "text"),
    },
    package: {
      registry: { name: "io.github.acme/slots" },
      mcpb: true,
      clients: true,
      github: true,
    },
    deploy: { docker: true, compose: true, kubernetes: true },
    keywords: [fill("keywords.0", "choice"), fill("keywords.1", "choice")],
    transports: [{ type: "stdio" }, { type: "http" }],
    env: environment(fill),
    auth: authentication(fill),
    upstreams: upstreams(fill),
    databases: {
      shop: {
        type: "postgres",
        url: { env: "CODE" },
        testSetup: `test/x${fill("database.testSetup", "file")}`,
      },
    },
    schemas: { Note: sharedSchema(fill) },
    tools: slottedTools(fill),
    resources: resources(fill),
    resourceTemplates: [
      handledTemplate(fill),
      queriedTemplate(fill),
      shelvedTemplate(fill),
      passedTemplate(fill),
    ],
    prompts: [handledPrompt(fill), textPrompt(fill), completedPrompt(fill), passedPrompt(fill)],
  };
}

function environment(fill: FillSlot): NonNullable<Manifest["env"]> {
  const chosen = fill("env.MODE.enum.0", "choice");
  return {
    PLACE: {
      description: fill("env.PLACE.description", "text"),
      default: fill("env.PLACE.default", "text"),
    },
    MODE: {
      description: fill("env.MODE.description", "text"),
      enum: [chosen, fill("env.MODE.enum.1", "choice")],
      default: chosen,
    },
    CODE: { description: fill("env.CODE.description", "text"), required: true, secret: true },
  };
}

function authentication(fill: FillSlot): NonNullable<Manifest["auth"]> {
  return {
    resource: `https://books.example/${fill("auth.resource", "uri")}`,
    jwt: [
      {
        issuer: `https://idp.example/${fill("auth.issuer", "uri")}`,
        jwks: `https://idp.example/${fill("auth.jwks", "uri")}`,
        audience: [`urn:${fill("auth.audience", "text")}`],
        scopes: {
          claim: `x${fill("auth.claim", "text")}`,
          advertise: `x${fill("auth.advertise", "header")}`,
        },
        require: { tenant: `x${fill("auth.require", "text")}` },
      },
    ],
    introspection: {
      url: `https://idp.example/${fill("auth.introspection", "uri")}`,
      client: `x${fill("auth.client", "text")}`,
      secret: { env: "CODE" },
    },
    apiKeys: { file: `x${fill("auth.keys", "text")}` },
    claims: { role: "string" },
  };
}

function upstreams(fill: FillSlot): NonNullable<Manifest["upstreams"]> {
  return {
    api: {
      baseUrl: `https://api.example/${fill("upstream.baseUrl", "uri")}`,
      headers: { "X-Client": `x${fill("upstream.header", "header")}` },
      auth: {
        clientCredentials: {
          tokenUrl: "https://login.example/",
          clientId: `x${fill("upstream.clientId", "text")}`,
          clientSecret: { env: "CODE" },
          scope: `x${fill("upstream.scope", "text")}`,
        },
      },
    },
    remote: {
      mcp: {
        command: ["node", `x${fill("remote.command", "choice")}`],
        cwd: `data/${fill("remote.cwd", "choice")}`,
        env: { NOTE: `x${fill("remote.env", "choice")}` },
      },
    },
    distant: {
      mcp: { url: `https://mcp.example/${fill("distant.url", "uri")}` },
      headers: { "X-Client": `x${fill("distant.header", "header")}` },
    },
  };
}

function sharedSchema(fill: FillSlot): JsonObject {
  return {
    title: fill("schemas.title", "text"),
    description: fill("schemas.description", "text"),
    type: "object",
    properties: {
      [fill("schemas.property", "key")]: {
        type: "string",
        description: fill("schemas.property.description", "text"),
      },
    },
  };
}

function resources(fill: FillSlot): ManifestResource[] {
  return [
    askedResource(fill),
    {
      name: `alone ${fill("resource.name", "name")}`,
      uri: `demo://alone/${fill("resource.uri", "uri")}`,
      title: fill("resource.title", "text"),
      description: fill("resource.description", "text"),
      mimeType: mimeType("resource.mimeType", fill),
      icons: [icon("resource.icons", fill)],
      _meta: meta("resource._meta", fill),
    },
    {
      name: "text",
      uri: "demo://text",
      mimeType: "text/plain",
      text: fill("resource.text", "text"),
    },
    {
      name: "file",
      uri: "demo://file",
      mimeType: "text/plain",
      file: fill("resource.file", "file"),
    },
  ];
}

function handledTemplate(fill: FillSlot): ManifestResourceTemplate {
  return {
    name: `card ${fill("template.name", "name")}`,
    uriTemplate: `demo://cards/${fill("template.uri", "uri")}/{id}{?a,b}`,
    title: fill("template.title", "text"),
    description: fill("template.description", "text"),
    mimeType: mimeType("template.mimeType", fill),
    complete: {
      id: [fill("template.complete.0", "choice"), fill("template.complete.1", "choice")],
    },
    _meta: meta("template._meta", fill),
  };
}

function handledPrompt(fill: FillSlot): ManifestPrompt {
  return {
    name: `ask ${fill("prompt.name", "name")}`,
    title: fill("prompt.title", "text"),
    description: fill("prompt.description", "text"),
    arguments: [
      {
        name: `topic ${fill("prompt.argument.name", "name")}`,
        title: fill("prompt.argument.title", "text"),
        description: fill("prompt.argument.description", "text"),
        required: true,
        complete: [fill("prompt.complete.0", "choice"), fill("prompt.complete.1", "choice")],
      },
    ],
    _meta: meta("prompt._meta", fill),
    elicitations: elicitations("prompt.elicitations", fill),
  };
}

function textPrompt(fill: FillSlot): ManifestPrompt {
  return {
    name: "say",
    arguments: [{ name: "who", required: true }, { name: "why" }],
    messages: [
      {
        role: "user",
        content: {
          type: "text",
          text: `${plain(fill("prompt.text", "text"))} {{who}} {{#why}}${plain(fill("prompt.section", "text"))}{{/why}}`,
        },
      },
      {
        role: "assistant",
        content: {
          type: "resource",
          resource: { uri: "demo://text", text: fill("prompt.resource.text", "text") },
        },
      },
    ],
  };
}
