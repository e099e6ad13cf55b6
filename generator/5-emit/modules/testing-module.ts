import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { asksAnything } from "./asking.js";
import { FEATURES } from "../features.js";
import { exportFrom, importOf, importTypes, interfaceOf } from "./structures.js";

/** `src/generated/testing.ts`: what a handler's own test needs. */
export function testingModule(model: ServerModel): FileStatements {
  const asks = asksAnything(model);
  const hasChanges = FEATURES.changes(model);
  const hasEnvironment = FEATURES.environment(model);
  const hasUpstreams = FEATURES.upstreams(model);
  const hasServers = FEATURES.remoteServers(model);
  const hasDatabases = FEATURES.databases(model);
  const hasPrograms = FEATURES.programs(model);
  const hasDirectories = FEATURES.directories(model);
  const hasAuth = FEATURES.verification(model);
  const context = [
    "TestContext<Env, Services>",
    ...(hasAuth ? ["{ readonly auth: Auth | undefined }"] : []),
    ...(hasChanges ? ["RecordedControls"] : []),
    ...(hasUpstreams ? ["{ readonly upstreams: Upstreams }"] : []),
    ...(hasServers ? ["{ readonly servers: Servers }"] : []),
    ...(hasDatabases ? ["{ readonly databases: Databases }"] : []),
    ...(hasPrograms ? ["{ readonly programs: Programs }"] : []),
    ...(hasDirectories ? ["{ readonly directories: Directories }"] : []),
  ].join(" & ");
  const body = bodyOf({
    ...{ hasEnvironment, hasChanges, hasUpstreams, hasServers, hasDatabases, hasPrograms },
    hasDirectories,
    hasAuth,
  });
  return [
    ...(asks
      ? [
          importOf("./runtime/asking/test-answers.ts", [
            "askingTestContext",
            "type AskedContext",
            "type TestAnswers",
            "type TestClient",
          ]),
        ]
      : []),
    ...(hasAuth
      ? []
      : [importTypes("./runtime/authentication/authentication.ts", ["Authentication"])]),
    importTypes("./runtime/context/context.ts", ["Era"]),
    ...(hasChanges
      ? [
          importOf("./runtime/changes/test-controls.ts", [
            "recordingControls",
            "type RecordedControls",
          ]),
        ]
      : []),
    ...(hasEnvironment
      ? [importOf("./runtime/start/env.ts", ["readEnvironment", "withPlaceholders"])]
      : []),
    importOf("./runtime/testing/test-context.ts", [
      "createTestContext as createRuntimeContext",
      "missingServices",
      "type TestContext",
    ]),
    ...(asks ? [importOf("./runtime/engine/import-items.ts", ["importItems"])] : []),
    ...(hasUpstreams ? [importOf("./runtime/upstreams/test-upstreams.ts", ["testUpstreams"])] : []),
    ...(hasServers
      ? [
          importTypes("./runtime/remote-servers/definition.ts", ["ConnectServer"]),
          importOf("./runtime/remote-servers/test-servers.ts", ["testServers"]),
        ]
      : []),
    ...(hasDatabases ? [importOf("./runtime/databases/test-databases.ts", ["testDatabases"])] : []),
    ...(hasPrograms
      ? [
          importTypes("./runtime/programs/programs.ts", ["Programs", "StandIn"]),
          importOf("./runtime/programs/test-programs.ts", ["testPrograms"]),
        ]
      : []),
    ...(hasDirectories
      ? [
          importTypes("./runtime/directories/directories.ts", ["Directories"]),
          importOf("./runtime/directories/test-directories.ts", ["testDirectories"]),
        ]
      : []),
    ...(hasEnvironment || asks || FEATURES.backends(model)
      ? [importOf("./server.ts", ["definition"])]
      : []),
    importTypes("./types.ts", [
      ...(hasAuth ? ["Auth"] : []),
      ...(hasDatabases ? ["Databases"] : []),
      "Env",
      ...(hasServers ? ["Servers"] : []),
      "Services",
      ...(hasUpstreams ? ["Upstreams"] : []),
    ]),
    ...(FEATURES.outputs(model)
      ? [exportFrom("./runtime/testing/output-of.ts", ["outputOf"])]
      : []),
    interfaceOf("TestContextParts", [
      { name: "env", type: "Partial<Env>", optional: true, readonly: true },
      {
        name: "services",
        type: "Partial<Services>",
        optional: true,
        readonly: true,
        docs: "Only what the handler under test uses.",
      },
      ...(hasUpstreams
        ? [
            {
              name: "upstreams",
              type: "string",
              optional: true,
              readonly: true,
              docs: "The origin of a server of the test, which all upstreams are at.",
            },
          ]
        : []),
      ...(hasServers
        ? [
            {
              name: "servers",
              type: "ConnectServer",
              optional: true,
              readonly: true,
              docs: "Connects to what stands in for the MCP server of a name.",
            },
          ]
        : []),
      ...(hasDatabases
        ? [
            {
              name: "databases",
              type: "{ readonly [Name in keyof Databases]?: string }",
              optional: true,
              readonly: true,
              docs: "Databases of the test, by their names: URLs, or paths of files.",
            },
          ]
        : []),
      ...(hasPrograms
        ? [
            {
              name: "programs",
              type: "StandIn",
              optional: true,
              readonly: true,
              docs: "What runs instead of every program.",
            },
          ]
        : []),
      ...(hasDirectories
        ? [
            {
              name: "directories",
              type: "string",
              optional: true,
              readonly: true,
              docs: "The folder that is read instead of every directory.",
            },
          ]
        : []),
      { name: "signal", type: "AbortSignal", optional: true, readonly: true },
      { name: "era", type: "Era", optional: true, readonly: true },
      {
        name: "auth",
        type: hasAuth ? "Auth" : "Authentication",
        optional: true,
        readonly: true,
        docs: "Who calls; nobody who is known, where it is left out.",
      },
    ]),
    ...(asks
      ? [IMPORTS, askingTestContext(context), bareContext(context, body)]
      : [testContext(context, body)]),
  ];
}

/**
 * `createTestContext` finds the item of a given handler by comparing it with all handlers, so all are
 * imported before.
 */
const IMPORTS = `await importItems(definition, (item, error) => {
  throw new Error(\`\${item} cannot be used\`, { cause: error });
});`;

const DOCS = `/**
 * A context to call a handler with in a test: environment variables have their defaults, required
 * ones without a default a placeholder, and what the handler logs and reports is kept in \`logged\`
 * and \`reported\`.
 */`;

interface Parts {
  readonly hasEnvironment: boolean;
  readonly hasChanges: boolean;
  readonly hasUpstreams: boolean;
  readonly hasServers: boolean;
  readonly hasDatabases: boolean;
  readonly hasPrograms: boolean;
  readonly hasDirectories: boolean;
  readonly hasAuth: boolean;
}

function bodyOf(parts: Parts): string {
  const { hasEnvironment, hasChanges, hasUpstreams, hasDatabases, hasPrograms } = parts;
  const { hasDirectories, hasServers, hasAuth } = parts;
  const defaults = hasEnvironment
    ? `
  const defaults = withPlaceholders(definition.env, readEnvironment(definition.env, {}).env);`
    : "";
  const all = hasEnvironment ? "{ ...defaults, ...env }" : "{ ...env }";
  const made = `createRuntimeContext({
    ...rest,
    env: ${all} as Env,
    services: (services ?? missingServices()) as Services,
  })`;
  const added = [
    ...(hasAuth ? ["auth: rest.auth"] : []),
    ...(hasChanges ? ["...recordingControls()"] : []),
    ...(hasUpstreams
      ? [`upstreams: testUpstreams<Upstreams>(definition, ${all}, upstreams, rest.signal)`]
      : []),
    ...(hasServers
      ? [`servers: testServers<Servers>(definition, ${all}, servers, rest.signal)`]
      : []),
    ...(hasDatabases
      ? [`databases: testDatabases<Databases>(definition, ${all}, databases, rest.signal)`]
      : []),
    ...(hasPrograms ? [`programs: testPrograms(definition, ${all}, programs, rest.signal)`] : []),
    ...(hasDirectories
      ? ["directories: testDirectories(definition, directories, rest.signal)"]
      : []),
  ];
  const returned = added.length === 0 ? made : `{ ...${made}, ${added.join(", ")} }`;
  const services = [
    ...(hasUpstreams ? ["upstreams"] : []),
    ...(hasServers ? ["servers"] : []),
    ...(hasDatabases ? ["databases"] : []),
    ...(hasPrograms ? ["programs"] : []),
    ...(hasDirectories ? ["directories"] : []),
  ];
  const taken = ["env", "services", ...services, "...rest"];
  return `  const { ${taken.join(", ")} } = parts;${defaults}
  return ${returned};`;
}

function testContext(type: string, body: string): string {
  return `${DOCS}
export function createTestContext(parts: TestContextParts = {}): ${type} {
${body}
}`;
}

/** The same for a project in which handlers ask: one that is given answers as well. */
function askingTestContext(type: string): string {
  return `${DOCS}
export function createTestContext(parts?: TestContextParts): ${type};
/** The same for a handler that asks: its questions get the \`answers\`, and are kept in \`asked\`. */
export function createTestContext<Asking extends object>(
  handler: (input: never, context: Asking) => unknown,
  parts?: TestContextParts &
    Omit<TestClient, "answers"> & { readonly answers?: TestAnswers<Asking> },
): ${type} & Asking & AskedContext;
export function createTestContext(
  first: TestContextParts | ((input: never, context: never) => unknown) = {},
  second: TestContextParts & TestClient = {},
): ${type} {
  if (typeof first !== "function") return createBareContext(first);
  const { answers, can, ...parts } = second;
  return askingTestContext(createBareContext(parts), definition, first, {
    answers,
    ...(can && { can }),
  });
}`;
}

function bareContext(type: string, body: string): string {
  return `function createBareContext(parts: TestContextParts): ${type} {
${body}
}`;
}
