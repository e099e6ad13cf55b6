import { defineDiagnostic } from "../catalogue-entry.js";

// Problems that `dev` and `plan` find in the code of a project, not in its manifest.

export const typeError = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6001",
  severity: "error",
  title: "the project does not type-check",
  explanation: {
    cause:
      "The project's own TypeScript compiler refuses this line. `mcpwright dev` starts only what type-checks: the last good server goes on until the line is mended. In a test it is a warning, and the server is started.",
    example: "return { city: 1 }; // in a handler whose outputSchema says that city is a string",
    fix: "Mend the line; `dev` notices when the file is saved. `npm run typecheck` finds the same.",
  },
  message: ({ message, code }) => `${message} (${code})`,
});

export const handlerWillNotFit = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6002",
  severity: "warning",
  title: "code of yours will not type-check after generating",
  explanation: {
    cause:
      "The manifest changes the types of this handler, or of what this module beside the handlers mentions; both are yours, so that `generate` leaves them as they are. `plan` had the compiler read them with the types as they will be, and this line no longer fits.",
    example: "A handler that uses `input.days`, which the inputSchema does not have any more.",
    fix: "Run `mcpwright generate`, then adapt the line; or change the manifest so that it still fits.",
  },
  message: ({ message, code }) => `will not type-check: ${message} (${code})`,
});

export const configurationMisfit = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6007",
  severity: "warning",
  title: "compiler option that cannot be used",
  explanation: {
    cause:
      "`plan` type-checks with the project's tsconfig.json and what it extends, and this value is not of the type that the compiler needs, or names a file that is not there. The check went on without it; the project's own compiler refuses it.",
    example: 'A tsconfig.json with `"paths": { "*": [null] }`.',
    fix: "Mend the value, or remove it.",
  },
  message: ({ message, code }) => `the compiler cannot use this: ${message} (${code})`,
});

export const dependenciesMissing = defineDiagnostic<{ problem: string; manager: string }>({
  code: "MW6003",
  severity: "error",
  title: "dependencies are not installed",
  explanation: {
    cause:
      "`mcpwright dev` type-checks and runs the server with the packages that the project's package.json names. They are not in its node_modules, or the runtime is there in another version.",
    example: "mcpwright generate && mcpwright dev",
    fix: "Run `npm install` in the project's folder. `dev` goes on when it is done.",
  },
  message: ({ problem }) => problem,
  hint: ({ manager }) => `run \`${manager} install\` in the project; dev goes on when it is done`,
});

export const otherVersions = defineDiagnostic<{ problem: string; manager: string }>({
  code: "MW6006",
  severity: "warning",
  title: "dependencies are installed in other versions",
  explanation: {
    cause:
      "Packages in the project's node_modules are not of the versions that its package.json names, as after a change of the manifest or of the branch. `mcpwright dev` goes on with what is installed; errors of the compiler may come from that.",
    example: "git pull && mcpwright dev",
    fix: "Run `npm install` in the project's folder.",
  },
  message: ({ problem }) => problem,
  hint: ({ manager }) => `run \`${manager} install\` in the project`,
});

export const previewCannotListen = defineDiagnostic<{ port: number; reason: string }>({
  code: "MW6005",
  severity: "error",
  title: "the preview cannot listen",
  explanation: {
    cause: "`mcpwright preview` serves its page at a port of this machine, which it cannot have.",
    example: "mcpwright preview --port 80",
    fix: "Choose another `--port`, or none: then a free one is taken.",
  },
  message: ({ port, reason }) => `port ${port} cannot be listened on (${reason})`,
});

export const serverEnded = defineDiagnostic<{ ending: string }>({
  code: "MW6004",
  severity: "error",
  title: "the server ended by itself",
  explanation: {
    cause:
      "The server that `mcpwright dev` had started ended without being asked to: it could not start, or crashed. What it said stands above. It is started again after the next change.",
    example: "A service in src/context.ts that throws when it is made.",
    fix: "Mend what the server's log names; `dev` starts it again when a file is saved.",
  },
  message: ({ ending }) => `the server ended by itself, ${ending}`,
  hint: () => "its own words stand above; it is started again after the next change",
});
