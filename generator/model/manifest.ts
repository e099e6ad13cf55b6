import type { JsonObject, JsonSchema, JsonValue } from "./json.js";

/** The manifest as a value, after 2-validate found no error in it. */
export interface Manifest {
  manifestVersion?: 1;
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: JsonObject[];
  instructions?: string;
  license?: string;
  author?: JsonValue;
  repository?: JsonValue;
  keywords?: string[];
  transports?: ManifestTransport[];
  env?: Record<string, ManifestEnvVariable | null>;
  schemas?: Record<string, JsonSchema>;
  tools?: ManifestTool[];
  resources?: ManifestResource[];
  resourceTemplates?: ManifestResourceTemplate[];
  prompts?: ManifestPrompt[];
}

export type ManifestTransport = { type: "stdio" } | ManifestHttpTransport;

export interface ManifestHttpTransport {
  type: "http";
  host?: string;
  port?: number;
  path?: string;
  allowedHosts?: string[];
  allowedOrigins?: string[];
  allowPublicBind?: boolean;
  health?: string;
}

export interface ManifestEnvVariable {
  description?: string;
  required?: boolean;
  secret?: boolean;
  default?: string | number | boolean;
  type?: "string" | "number" | "boolean" | "url";
  enum?: (string | number)[];
}

export interface ManifestTool {
  name: string;
  title?: string;
  description: string;
  inputSchema?: JsonObject;
  outputSchema?: JsonSchema;
  annotations?: JsonObject;
  icons?: JsonObject[];
  _meta?: JsonObject;
  content?: JsonObject[];
  structuredContent?: JsonValue;
  isError?: boolean;
  examples?: ManifestToolExample[];
}

export interface ManifestToolExample {
  name?: string;
  arguments?: JsonObject;
  result?: JsonValue;
  text?: string;
  error?: string;
}

interface ManifestResourceBase {
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: JsonObject;
  icons?: JsonObject[];
  _meta?: JsonObject;
}

export interface ManifestResource extends ManifestResourceBase {
  uri: string;
  size?: number;
  text?: string;
  blob?: string;
  file?: string;
}

export interface ManifestResourceTemplate extends ManifestResourceBase {
  uriTemplate: string;
  complete?: Record<string, string[]>;
}

export interface ManifestPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: ManifestPromptArgument[];
  icons?: JsonObject[];
  _meta?: JsonObject;
  messages?: { role: "user" | "assistant"; content: JsonObject }[];
}

export interface ManifestPromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
  complete?: string[];
}
