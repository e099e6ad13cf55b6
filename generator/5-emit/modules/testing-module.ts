import type { ImportDeclarationStructure } from "ts-morph";
import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { asksAnything } from "./asking.js";
import { FEATURES, type Feature } from "../features.js";
import { authImport, authMember, authType } from "./caller-types.js";
import { exportFrom, importOf, importTypes, interfaceOf, type Property } from "./structures.js";

/** Something that handlers ask, and how a test gives them another in its place. */
interface TestedPartner {
  readonly feature: Feature;
  /** The member of the context, and of what a test passes to `createTestContext`. */
  readonly member: string;
  /** The member's type. */
  readonly type: string;
  /** Whether `types.ts` exports that type. */
  readonly isManifestType: boolean;
  /** What a test passes. */
  readonly option: { readonly type: string; readonly docs: string };
  readonly imports: readonly ImportDeclarationStructure[];
  /** Makes the member. @param env The expression of the environment. */
  make(env: string): string;
}

const PARTNERS: readonly TestedPartner[] = [
  {
    ...{ feature: "upstreams", member: "upstreams", type: "Upstreams", isManifestType: true },
    option: {
      type: "string",
      docs: "The origin of a server of the test, which all upstreams are at.",
    },
    imports: [importOf("./runtime/upstreams/test-upstreams.ts", ["testUpstreams"])],
    make: (env) => `testUpstreams<Upstreams>(definition, ${env}, upstreams, rest.signal)`,
  },
  {
    ...{ feature: "remoteServers", member: "servers", type: "Servers", isManifestType: true },
    option: {
      type: "ConnectServer",
      docs: "Connects to what stands in for the MCP server of a name.",
    },
    imports: [
      importTypes("./runtime/remote-servers/definition.ts", ["ConnectServer"]),
      importOf("./runtime/remote-servers/test-servers.ts", ["testServers"]),
    ],
    make: (env) => `testServers<Servers>(definition, ${env}, servers, rest.signal)`,
  },
  {
    ...{ feature: "databases", member: "databases", type: "Databases", isManifestType: true },
    option: {
      type: "{ readonly [Name in keyof Databases]?: string }",
      docs: "Databases of the test, by their names: URLs, or paths of files.",
    },
    imports: [importOf("./runtime/databases/test-databases.ts", ["testDatabases"])],
    make: (env) => `testDatabases<Databases>(definition, ${env}, databases, rest.signal)`,
  },
  {
    ...{ feature: "programs", member: "programs", type: "Programs", isManifestType: false },
    option: { type: "StandIn", docs: "What runs instead of every program." },
    imports: [
      importTypes("./runtime/programs/programs.ts", ["Programs", "StandIn"]),
      importOf("./runtime/programs/test-programs.ts", ["testPrograms"]),
    ],
    make: (env) => `testPrograms(definition, ${env}, programs, rest.signal)`,
  },
  {
    ...{ feature: "directories", member: "directories", type: "Directories" },
    isManifestType: false,
    option: { type: "string", docs: "The folder that is read instead of every directory." },
    imports: [
      importTypes("./runtime/directories/directories.ts", ["Directories"]),
      importOf("./runtime/directories/test-directories.ts", ["testDirectories"]),
    ],
    make: () => "testDirectories(definition, directories, rest.signal)",
  },
];

/** `src/generated/testing.ts`: what a handler's own test needs. */
export function testingModule(model: ServerModel): FileStatements {
  const partners = PARTNERS.filter(({ feature }) => FEATURES[feature](model));
  const context = [
    "TestContext<Env, Services>",
    ...authMember(model),
    ...(FEATURES.changes(model) ? ["RecordedControls"] : []),
    ...partners.map(({ member, type }) => `{ readonly ${member}: ${type} }`),
  ].join(" & ");
  const body = bodyOf(model, partners);
  return [
    ...imports(model, partners),
    ...(FEATURES.outputs(model)
      ? [exportFrom("./runtime/testing/output-of.ts", ["outputOf"])]
      : []),
    interfaceOf("TestContextParts", [
      optional("env", "Partial<Env>"),
      optional("services", "Partial<Services>", "Only what the handler under test uses."),
      ...partners.map(({ member, option }) => optional(member, option.type, option.docs)),
      optional("signal", "AbortSignal"),
      optional("era", "Era"),
      ...(FEATURES.callers(model)
        ? [optional("auth", authType(model), "The caller; an unknown one where it is left out.")]
        : []),
    ]),
    ...(asksAnything(model)
      ? [IMPORTS, askingTestContext(context), bareContext(context, body)]
      : [testContext(context, body)]),
  ];
}

function imports(
  model: ServerModel,
  partners: readonly TestedPartner[],
): ImportDeclarationStructure[] {
  const asks = asksAnything(model);
  const hasEnvironment = FEATURES.environment(model);
  const test = "./runtime/asking/test-answers.ts";
  const asking = ["askingTestContext", "type AskedContext", "type TestAnswers", "type TestClient"];
  const controls = ["recordingControls", "type RecordedControls"];
  const ofManifest = partners.filter(({ isManifestType }) => isManifestType);
  return [
    ...(asks ? [importOf(test, asking)] : []),
    ...authImport(model),
    importTypes("./runtime/context/context.ts", ["Era"]),
    ...(FEATURES.changes(model) ? [importOf("./runtime/changes/test-controls.ts", controls)] : []),
    ...(hasEnvironment
      ? [importOf("./runtime/start/env.ts", ["readEnvironment", "withPlaceholders"])]
      : []),
    importOf("./runtime/testing/test-context.ts", [
      "createTestContext as createRuntimeContext",
      "missingServices",
      "type TestContext",
    ]),
    ...(asks ? [importOf("./runtime/engine/import-items.ts", ["importItems"])] : []),
    ...partners.flatMap((partner) => partner.imports),
    ...(hasEnvironment || asks || FEATURES.backends(model)
      ? [importOf("./server.ts", ["definition"])]
      : []),
    importTypes(
      "./types.ts",
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

function bodyOf(model: ServerModel, partners: readonly TestedPartner[]): string {
  const hasEnvironment = FEATURES.environment(model);
  const defaults = hasEnvironment
    ? `
  const defaults = withPlaceholders(definition.env, readEnvironment(definition.env, {}).env);`
    : "";
  const env = hasEnvironment ? "{ ...defaults, ...env }" : "{ ...env }";
  const made = `createRuntimeContext({
    ...rest,
    env: ${env} as Env,
    services: (services ?? missingServices()) as Services,
  })`;
  const added = [
    ...(FEATURES.callers(model) ? ["auth: rest.auth"] : []),
    ...(FEATURES.changes(model) ? ["...recordingControls()"] : []),
    ...partners.map((partner) => `${partner.member}: ${partner.make(env)}`),
  ];
  const returned = added.length === 0 ? made : `{ ...${made}, ${added.join(", ")} }`;
  const taken = ["env", "services", ...partners.map(({ member }) => member), "...rest"];
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
