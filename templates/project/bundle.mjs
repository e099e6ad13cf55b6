import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { resolve } from "node:path";
import { build } from "esbuild";

/*
 * Writes the whole server into one file, `dist/bundle.mjs`, which starts faster than its modules: what
 * a start does not need is not loaded, and the SDK, which is most of the file, is not even read.
 */

const sdk = "@modelcontextprotocol/server";

/** Names stay as they are, so that stack traces can be read. */
const options = {
  bundle: true,
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
};

/** Packages that are no modules find their `require`. */
const server = {
  ...options,
  entryPoints: ["src/main.ts"],
  format: "esm",
  outfile: "dist/bundle.mjs",
  banner: {
    js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
  },
};

/** The parts of the SDK that the server imports. */
async function importedParts() {
  const external = [sdk, `${sdk}/*`];
  const { metafile } = await build({ ...server, external, metafile: true, write: false });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const paths = imports.map(({ path }) => path);
  return [...new Set(paths.filter((path) => path === sdk || path.startsWith(`${sdk}/`)))];
}

/**
 * Keeps the SDK as a text until something imports it: requests that the fast path answers never do, and a text is read
 * past at a fraction of what code costs.
 */
function lateSdk(parts) {
  const all = "all";
  const contents = parts.map((part, index) => `export * as part${index} from "${part}";`).join("\n");
  return {
    name: "late-sdk",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, namespace }) =>
        parts.includes(path) || namespace === "late-sdk"
          ? { path, namespace: "late-sdk" }
          : undefined,
      );
      onLoad({ filter: /./, namespace: "late-sdk" }, async ({ path }) => {
        if (path !== all) {
          return { contents: `module.exports = require("${all}").part${parts.indexOf(path)};` };
        }
        const stdin = { contents, resolveDir: process.cwd() };
        const { outputFiles } = await build({ ...options, stdin, format: "cjs", write: false });
        return {
          contents: `
const { compileFunction } = process.getBuiltinModule("node:vm");
const code = ${JSON.stringify(outputFiles[0].text)};
const names = ["module", "exports", "require"];
compileFunction(code, names, { filename: "${sdk}" })(module, exports, require);`,
        };
      });
    },
  };
}

/** Loads what is built into Node.js with the module that imports it: else all of it would be loaded at the start. */
const lateBuiltins = {
  name: "late-builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === "import-statement" && isBuiltin(path)
        ? { path, namespace: "builtin", sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}");`,
    }));
  },
};

/** Items with equal schemas share a validator. */
const sharedValidators = {
  name: "shared-validators",
  setup({ onResolve }) {
    const paths = new Map();
    onResolve({ filter: /^#validators\// }, ({ path }) => {
      const own = resolve(path.replace("#", "src/generated/"));
      const text = readFileSync(own, "utf8");
      if (!paths.has(text)) paths.set(text, own);
      return { path: paths.get(text) };
    });
  },
};

try {
  const parts = await importedParts();
  const plugins = [lateSdk(parts), lateBuiltins, sharedValidators];
  await build({ ...server, plugins, logLevel: "info" });
} catch (error) {
  // esbuild has said what is wrong with the sources.
  if (!("errors" in error)) throw error;
  process.exitCode = 1;
}
