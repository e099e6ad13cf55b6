/** What a server, its items and their handlers need, whatever it is served over and whatever it uses. */
export type { Authentication } from "./authentication/authentication.js";
export type { ProtectedResource } from "./authentication/authenticate.js";
export type { CompletionQuery, CompletionValues } from "./completion/definition.js";
export type { Awaitable } from "./engine/awaitable.js";
export type { Era, HandlerContext } from "./context/context.js";
export type { Directories } from "./directories/directories.js";
export type { Directory, DirectoryOptions, ListedFile } from "./directories/directory.js";
export {
  audio,
  embeddedBlob,
  embeddedText,
  image,
  resourceLink,
  text,
  textOf,
} from "./engine/content.js";
export { NotFoundError, NotImplementedError, ProtocolError, ToolError } from "./engine/errors.js";
export type { ValidationIssue, Validator } from "./engine/item.js";
export type { JsonObject, JsonPrimitive, JsonValue } from "./engine/json-types.js";
export type { LogData, Logger } from "./observe/log.js";
export type { PromptEntry } from "./prompts/definition.js";
export type { PromptContent } from "./prompts/prompts.js";
export type { ProgramAnswer } from "./programs/answer.js";
export type { ProgramOptions, Programs } from "./programs/programs.js";
export type { ResourceContent } from "./resources/content.js";
export type { ResourceEntry, ResourceTemplateEntry } from "./resources/definition.js";
export { instancesOf } from "./resources/found-instances.js";
export type { ListedInstance } from "./resources/instances.js";
export type { RunningServer } from "./server/create-server.js";
export { createServer, type InProcessOptions } from "./server/define-server.js";
export {
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from "./server/define-server.js";
export { defineServer, type Server, type ServerSettings } from "./server/define-server.js";
export { packageVersion, projectRootOf } from "./start/project-root.js";
export type { LateServerPart, ServerPart } from "./server/server-part.js";
export type { ToolContent, ToolEntry } from "./tools/definition.js";
export { result, type ToolResult } from "./tools/result.js";
