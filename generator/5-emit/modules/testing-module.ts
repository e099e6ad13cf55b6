import type { FunctionDeclarationStructure } from "ts-morph";
import { StructureKind } from "../../text/structure-kinds.js";
import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { asksAnything } from "./asking.js";
import { exportFrom, importOf, importTypes, interfaceOf } from "./structures.js";

/** `src/generated/testing.ts`: what a handler's own test needs. */
export function testingModule(model: ServerModel): FileStatements {
  const asks = asksAnything(model);
  return [
    ...(asks
      ? [
          importOf("./runtime/asking/test-answers.js", [
            "askingTestContext",
            "type AskedContext",
            "type TestAnswers",
            "type TestClient",
          ]),
        ]
      : []),
    importTypes("./runtime/authentication/authentication.js", ["Authentication"]),
    importTypes("./runtime/context/context.js", ["Era"]),
    importOf("./runtime/start/env.js", ["readEnvironment", "withPlaceholders"]),
    importOf("./runtime/testing/test-context.js", [
      "createTestContext as createRuntimeContext",
      "missingServices",
      "type TestContext",
    ]),
    importOf("./server.js", ["definition"]),
    importTypes("./types.js", ["Env", "Services"]),
    exportFrom("./runtime/testing/test-context.js", ["outputOf"]),
    interfaceOf("TestContextParts", [
      { name: "env", type: "Partial<Env>", optional: true, readonly: true },
      {
        name: "services",
        type: "Partial<Services>",
        optional: true,
        readonly: true,
        docs: "Only what the handler under test uses.",
      },
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
    asks ? askingTestContext() : testContext(),
    ...(asks ? [plainTestContext()] : []),
  ];
}

const docs =
  "A context to call a handler with in a test: environment variables have their defaults, required\nones without a default a placeholder, and what the handler logs and reports is kept in `logged`\nand `reported`.";

const parts = { name: "parts", type: "TestContextParts", initializer: "{}" };
const plainType = "TestContext<Env, Services>";
const statements = [
  "const { env, services, ...rest } = parts;",
  "const defaults = withPlaceholders(definition.env, readEnvironment(definition.env, {}).env);",
  "return createRuntimeContext({ ...rest, env: { ...defaults, ...env } as Env, services: (services ?? missingServices()) as Services });",
];

function testContext(): FunctionDeclarationStructure {
  return {
    kind: StructureKind.Function,
    isExported: true,
    name: "createTestContext",
    parameters: [parts],
    returnType: plainType,
    statements,
    docs: [docs],
  };
}

/** The same for a project in which handlers ask: one that is given answers as well. */
function askingTestContext(): FunctionDeclarationStructure {
  const handler = "(input: never, context: Asking) => unknown";
  return {
    kind: StructureKind.Function,
    isExported: true,
    name: "createTestContext",
    overloads: [
      {
        parameters: [{ name: "parts", type: "TestContextParts", hasQuestionToken: true }],
        returnType: plainType,
        docs: [docs],
      },
      {
        typeParameters: ["Asking extends object"],
        parameters: [
          { name: "handler", type: handler },
          {
            name: "parts",
            type: 'TestContextParts & Omit<TestClient, "answers"> & { readonly answers?: TestAnswers<Asking> }',
            hasQuestionToken: true,
          },
        ],
        returnType: `${plainType} & Asking & AskedContext`,
        docs: [
          "The same for a handler that asks: its questions get the `answers`, and are kept in `asked`.",
        ],
      },
    ],
    parameters: [
      {
        name: "first",
        type: "TestContextParts | ((input: never, context: never) => unknown)",
        initializer: "{}",
      },
      { name: "second", type: "TestContextParts & TestClient", initializer: "{}" },
    ],
    returnType: plainType,
    statements: [
      'if (typeof first !== "function") return createPlainContext(first);',
      "const { answers, can, ...parts } = second;",
      "return askingTestContext(createPlainContext(parts), definition, first, { answers, ...(can && { can }) });",
    ],
  };
}

function plainTestContext(): FunctionDeclarationStructure {
  return {
    ...testContext(),
    isExported: false,
    name: "createPlainContext",
    parameters: [{ name: "parts", type: "TestContextParts" }],
    docs: [],
  };
}
