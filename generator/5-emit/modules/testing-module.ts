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
  const hasDatabases = FEATURES.databases(model);
  const hasPrograms = FEATURES.programs(model);
  const context = [
    "TestContext<Env, Services>",
    ...(hasChanges ? ["RecordedControls"] : []),
    ...(hasUpstreams ? ["{ readonly upstreams: Upstreams }"] : []),
    ...(hasDatabases ? ["{ readonly databases: Databases }"] : []),
    ...(hasPrograms ? ["{ readonly programs: Programs }"] : []),
  ].join(" & ");
  const body = bodyOf({ hasEnvironment, hasChanges, hasUpstreams, hasDatabases, hasPrograms });
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
    importTypes("./runtime/authentication/authentication.ts", ["Authentication"]),
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
    ...(hasDatabases ? [importOf("./runtime/databases/test-databases.ts", ["testDatabases"])] : []),
    ...(hasPrograms
      ? [
          importTypes("./runtime/programs/programs.ts", ["Programs", "StandIn"]),
          importOf("./runtime/programs/test-programs.ts", ["testPrograms"]),
        ]
      : []),
    ...(hasEnvironment || asks || hasUpstreams || hasDatabases || hasPrograms
      ? [importOf("./server.ts", ["definition"])]
      : []),
    importTypes("./types.ts", [
      ...(hasDatabases ? ["Databases"] : []),
      "Env",
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
      { name: "signal", type: "AbortSignal", optional: true, readonly: true },
      { name: "era", type: "Era", optional: true, readonly: true },
      {
        name: "auth",
        type: "Authentication",
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

/** A handler that is given to `createTestContext` is found by itself, so all are imported before. */
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
  readonly hasDatabases: boolean;
  readonly hasPrograms: boolean;
}

function bodyOf(parts: Parts): string {
  const { hasEnvironment, hasChanges, hasUpstreams, hasDatabases, hasPrograms } = parts;
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
    ...(hasChanges ? ["...recordingControls()"] : []),
    ...(hasUpstreams
      ? [`upstreams: testUpstreams<Upstreams>(definition, ${all}, upstreams, rest.signal)`]
      : []),
    ...(hasDatabases
      ? [`databases: testDatabases<Databases>(definition, ${all}, databases, rest.signal)`]
      : []),
    ...(hasPrograms ? [`programs: testPrograms(definition, ${all}, programs, rest.signal)`] : []),
  ];
  const returned = added.length === 0 ? made : `{ ...${made}, ${added.join(", ")} }`;
  const services = [
    ...(hasUpstreams ? ["upstreams"] : []),
    ...(hasDatabases ? ["databases"] : []),
    ...(hasPrograms ? ["programs"] : []),
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
