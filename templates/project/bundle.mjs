import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { resolve } from "node:path";
import { build } from "esbuild";

/*
 * Writes the whole server into one file, `dist/bundle.mjs`, which starts faster than separate modules:
 * parts that the start does not need are not run, and the SDK, the largest part, is not even parsed.
 */

const sdk = "@modelcontextprotocol/server";

/** Names are not shortened, so that stack traces are readable. */
const options = {
  bundle: true,
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
};

/** The banner defines `require` for packages in the CommonJS format. */
const server = {
  ...options,
  entryPoints: ["src/main.ts"],
  format: "esm",
  outfile: "dist/bundle.mjs",
  banner: {
    js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
  },
};

/** Matches code that locates files relative to its own module, which fails in a bundle: addons, computed `require`. */
const locatesFiles =
  /\b__(dir|file)name\b|\.node["'`]|\brequire\.resolve\b|\bcreateRequire\b|\bimport\.meta\.\w+name\b|\bimport\.meta\.url\b|\brequire\((?!\s*["'`])/;

/** Leaves native addons out of the bundle. */
const addons = {
  name: "addons",
  setup({ onResolve }) {
    onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The parts of the SDK that the server imports, and the packages that must stay outside of the bundle. */
async function importedPackages() {
  const external = [sdk, `${sdk}/*`];
  const analysis = { external, plugins: [addons], metafile: true, write: false };
  const { inputs, outputs } = (await build({ ...server, ...analysis })).metafile;
  const paths = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const parts = new Set(paths.filter((path) => path === sdk || path.startsWith(`${sdk}/`)));
  return { parts: [...parts], outside: packagesOutside(inputs) };
}

/** The packages that the project imports and that need, directly or not, a module that locates files. */
function packagesOutside(inputs) {
  const isOfPackage = (path) => path.includes("node_modules/");
  const findsFiles = (path, visited) => {
    if (visited.has(path) || inputs[path] === undefined) return false;
    visited.add(path);
    if (locatesFiles.test(readFileSync(path, "utf8"))) return true;
    return inputs[path].imports.some((imported) => findsFiles(imported.path, visited));
  };
  const own = Object.keys(inputs).filter((path) => !isOfPackage(path));
  const imports = own.flatMap((path) => inputs[path].imports).filter(({ path }) => isOfPackage(path));
  const outside = imports.filter(({ path }) => findsFiles(path, new Set()));
  return [...new Set(outside.map(({ original }) => /^(@[^/]+\/)?[^/]+/.exec(original)[0]))].sort();
}

/**
 * Stores the SDK as a string that is compiled at its first import. Requests on the fast path never import it, and
 * skipping a string takes much less time than parsing code.
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

/** Loads each built-in module of Node.js together with the module that imports it, instead of all of them at the start. */
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

/** Includes equal modules of validators once. */
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
  const { parts, outside } = await importedPackages();
  const external = outside.flatMap((name) => [name, `${name}/*`]);
  const plugins = [lateSdk(parts), lateBuiltins, sharedValidators];
  await build({ ...server, external, plugins, logLevel: "info" });
  if (outside.length > 0) {
    const names = outside.join(", ");
    console.error(
      `These packages find files by their own place, so they are not in dist/bundle.mjs. Install them where it runs: ${names}`,
    );
  }
} catch (error) {
  // esbuild has already reported the errors in the sources.
  if (!("errors" in error)) throw error;
  process.exitCode = 1;
}
