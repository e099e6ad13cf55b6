/** The types that the main entry of the runtime exports, and so the index of each project. A test compares them. */
export const RUNTIME_NAMES: ReadonlySet<string> = new Set(
  (
    "Authentication Awaitable CompletionQuery CompletionValues Directories Directory DirectoryOptions Era HandlerContext " +
    "InProcessOptions JsonObject JsonPrimitive JsonValue LateServerPart ListedFile ListedInstance LogData Logger NotFoundError " +
    "NotImplementedError ProgramAnswer ProgramOptions Programs PromptContent PromptEntry ProtectedResource ProtocolError " +
    "ResourceContent ResourceEntry ResourceTemplateEntry RunningServer Server ServerPart ServerSettings ToolContent " +
    "ToolEntry ToolError ToolResult ValidationIssue Validator"
  ).split(" "),
);
