import type { ImportDeclarationStructure } from "ts-morph";
import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { asksAnything } from "./asking.js";
import { FEATURES, type Feature } from "../features.js";
import { authImport, authMember, authType } from "./caller-types.js";
import { exportFrom, importOf, importTypes, interfaceOf, type Property } from "./structures.js";

/** A kind of partner of handlers, such as databases, that tests can replace. */
interface TestPartner {
  readonly feature: Feature;
  /** Name of the member of the context, and of the option of `createTestContext`. */
  readonly member: string;
  /** Type of the member. */
  readonly type: string;
  /** True if `index.ts` exports that type. */
  readonly isManifestType: boolean;
  /** The option by which a test replaces the partner. */
  readonly option: { readonly type: string; readonly docs: string };
  readonly imports: readonly ImportDeclarationStructure[];
  /** The expression that makes the member, with the expression of the environment. */
  make(env: string): string;
}

const PARTNERS: readonly TestPartner[] = [
  {
    ...{ feature: "upstreams", member: "upstreams", type: "Upstreams", isManifestType: true },
    option: {
      type: "string",
      docs: "The origin of a server of the test, which replaces all upstreams.",
    },
    imports: [importOf("@mcpwright/runtime/upstreams", ["testUpstreams"])],
    make: (env) => `testUpstreams<Upstreams>(server.definition, ${env}, upstreams, rest.signal)`,
  },
  {
    ...{ feature: "remoteServers", member: "servers", type: "Servers", isManifestType: true },
    option: {
      type: "ConnectServer",
      docs: "Connects to the stand-in for the MCP server with a name.",
    },
    imports: [
      importTypes("@mcpwright/runtime/servers", ["ConnectServer"]),
      importOf("@mcpwright/runtime/servers", ["testServers"]),
    ],
    make: (env) => `testServers<Servers>(server.definition, ${env}, servers, rest.signal)`,
  },
  {
    ...{ feature: "databases", member: "databases", type: "Databases", isManifestType: true },
    option: {
      type: "{ readonly [Name in keyof Databases]?: string }",
      docs: "URLs or file paths of databases of the test, by the names of databases.",
    },
    imports: [importOf("@mcpwright/runtime/databases", ["testDatabases"])],
    make: (env) => `testDatabases<Databases>(server.definition, ${env}, databases, rest.signal)`,
  },
  {
    ...{ feature: "programs", member: "programs", type: "Programs", isManifestType: false },
    option: { type: "StandIn", docs: "The program that runs instead of every program." },
    imports: [
      importTypes("@mcpwright/runtime/programs", ["Programs", "StandIn"]),
      importOf("@mcpwright/runtime/programs", ["testPrograms"]),
    ],
    make: (env) => `testPrograms(server.definition, ${env}, programs, rest.signal)`,
  },
  {
    ...{ feature: "directories", member: "directories", type: "Directories" },
    isManifestType: false,
    option: { type: "string", docs: "The folder that is read instead of every directory." },
    imports: [
      importTypes("@mcpwright/runtime/directories", ["Directories"]),
      importOf("@mcpwright/runtime/directories", ["testDirectories"]),
    ],
    make: () => "testDirectories(server.definition, directories, rest.signal)",
  },
];

/** `src/generated/testing.ts`: functions for tests of handlers. */
export function testingModule(model: ServerModel): FileStatements {
  const partners = PARTNERS.filter(({ feature }) => FEATURES[feature](model));
  const context = [
    "TestContext<Env, Services>",
    ...(asksAnything(model) ? ["AskingContext"] : []),
    ...authMember(model),
    ...(FEATURES.changes(model) ? ["RecordedControls"] : []),
    ...partners.map(({ member, type }) => `{ readonly ${member}: ${type} }`),
  ].join(" & ");
  const body = bodyOf(model, partners);
  return [
    ...imports(model, partners),
    ...(FEATURES.outputs(model) ? [exportFrom("@mcpwright/runtime/testing", ["outputOf"])] : []),
    interfaceOf("TestContextParts", [
      optional("env", "Partial<Env>"),
      optional("services", "Partial<Services>", "The services that the tested handler uses."),
      ...partners.map(({ member, option }) => optional(member, option.type, option.docs)),
      optional("signal", "AbortSignal"),
      optional("era", "Era"),
      ...(FEATURES.callers(model)
        ? [
            optional(
              "auth",
              authType(model),
              "The caller. If it is left out, the caller is unknown.",
            ),
          ]
        : []),
    ]),
    ...(asksAnything(model)
      ? [
          IMPORT_ITEMS,
          askingTestContext(docsOf(model), context),
          contextWithoutAnswers(context, body),
        ]
      : [testContext(docsOf(model), context, body)]),
  ];
}

function imports(
  model: ServerModel,
  partners: readonly TestPartner[],
): ImportDeclarationStructure[] {
  const asks = asksAnything(model);
  const hasEnvironment = FEATURES.environment(model);
  const test = "@mcpwright/runtime/asking";
  const asking = [
    "askingTestContext",
    "type AskedContext",
    "type AskingContext",
    "type TestAnswers",
    "type TestClient",
  ];
  const controls = ["recordingControls", "type RecordedControls"];
  const ofManifest = partners.filter(({ isManifestType }) => isManifestType);
  return [
    ...(asks ? [importOf(test, asking)] : []),
    ...authImport(model),
    importTypes("@mcpwright/runtime", ["Era"]),
    ...(FEATURES.changes(model) ? [importOf("@mcpwright/runtime/changes", controls)] : []),
    ...(hasEnvironment
      ? [importOf("@mcpwright/runtime/testing", ["readEnvironment", "withPlaceholders"])]
      : []),
    importOf("@mcpwright/runtime/testing", [
      "createTestContext as createRuntimeContext",
      "missingServices",
      "type TestContext",
    ]),
    ...(asks ? [importOf("@mcpwright/runtime/testing", ["importItems"])] : []),
    ...partners.flatMap((partner) => partner.imports),
    ...(hasEnvironment || asks || FEATURES.backends(model)
      ? [importOf("./server.ts", ["server"])]
      : []),
    importTypes(
      "./index.ts",
      [
        ...(FEATURES.verification(model) ? ["Auth"] : []),
        ...ofManifest.map(({ type }) => type),
        ...["Env", "Services"],
      ].sort(),
    ),
  ];
}

/** A member that may be left out. */
function optional(name: string, type: string, docs?: string): Property {
  return { ...{ name, type, optional: true, readonly: true }, ...(docs !== undefined && { docs }) };
}

/**
 * `createTestContext` finds the item of a handler by comparing the handler with all others, so it imports all of
 * them first.
 */
const IMPORT_ITEMS = `await importItems(server.definition, (item, error) => {
  throw new Error(\`\${item} cannot be used\`, { cause: error });
});`;

/** The documentation of `createTestContext`. */
function docsOf(model: ServerModel): string {
  const environment = FEATURES.environment(model)
    ? `
 * Environment variables have their defaults; required variables without a default have a placeholder.`
    : "";
  return `/**
 * A context for calling a handler in a test.${environment}
 * \`logged\` and \`reported\` hold the handler's log entries and progress reports.
 */`;
}

function bodyOf(model: ServerModel, partners: readonly TestPartner[]): string {
  const hasEnvironment = FEATURES.environment(model);
  const defaults = hasEnvironment
    ? `
  const defaults = withPlaceholders(server.definition.env, readEnvironment(server.definition.env, {}).env);`
    : "";
  const env = hasEnvironment ? "{ ...defaults, ...env }" : "{ ...env }";
  const typed = asksAnything(model) ? "<Env, Services, AskingContext>" : "";
  const runtimeContext = `createRuntimeContext${typed}({
    ...rest,
    env: ${env} as Env,
    services: (services ?? missingServices()) as Services,
  })`;
  const furtherMembers = [
    ...(FEATURES.callers(model) ? ["auth: rest.auth"] : []),
    ...(FEATURES.changes(model) ? ["...recordingControls()"] : []),
    ...partners.map((partner) => `${partner.member}: ${partner.make(env)}`),
  ];
  const context =
    furtherMembers.length === 0
      ? runtimeContext
      : `{ ...${runtimeContext}, ${furtherMembers.join(", ")} }`;
  const options = ["env", "services", ...partners.map(({ member }) => member), "...rest"];
  return `  const { ${options.join(", ")} } = parts;${defaults}
  return ${context};`;
}

function testContext(docs: string, type: string, body: string): string {
  return `${docs}
export function createTestContext(parts: TestContextParts = {}): ${type} {
${body}
}`;
}

/** `createTestContext` for a project with handlers that ask their client. It also takes answers. */
function askingTestContext(docs: string, type: string): string {
  return `${docs}
export function createTestContext(parts?: TestContextParts): ${type};
/** A context for a handler that asks its client. Questions get the \`answers\`; \`asked\` holds them. */
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
  return askingTestContext(createBareContext(parts), server.definition, first, {
    answers,
    ...(can && { can }),
  });
}`;
}

function contextWithoutAnswers(type: string, body: string): string {
  return `function createBareContext(parts: TestContextParts): ${type} {
${body}
}`;
}
