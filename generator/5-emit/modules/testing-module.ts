import { StructureKind } from "ts-morph";
import type { FileStatements } from "../typescript-printer.js";
import { exportFrom, importOf, importTypes, interfaceOf } from "./structures.js";

/** `src/generated/testing.ts`: what a handler's own test needs. */
export function testingModule(): FileStatements {
  return [
    importTypes("./runtime/context.js", ["Era"]),
    importOf("./runtime/env.js", ["readEnvironment", "withPlaceholders"]),
    importOf("./runtime/test-context.js", [
      "createTestContext as createRuntimeContext",
      "missingServices",
      "type TestContext",
    ]),
    importOf("./server.js", ["definition"]),
    importTypes("./types.js", ["Env", "Services"]),
    exportFrom("./runtime/test-context.js", ["outputOf"]),
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
    ]),
    {
      kind: StructureKind.Function,
      isExported: true,
      name: "createTestContext",
      parameters: [{ name: "parts", type: "TestContextParts", initializer: "{}" }],
      returnType: "TestContext<Env, Services>",
      statements: [
        "const { env, services, ...rest } = parts;",
        "const defaults = withPlaceholders(definition.env, readEnvironment(definition.env, {}).env);",
        "return createRuntimeContext({ ...rest, env: { ...defaults, ...env } as Env, services: (services ?? missingServices()) as Services });",
      ],
      docs: [
        "A context to call a handler with in a test: environment variables have their defaults, required ones without a default a placeholder, and what the handler logs and reports is kept in `logged` and `reported`.",
      ],
    },
  ];
}
