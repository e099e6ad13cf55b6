import { fileURLToPath } from "node:url";
import { exampleNames } from "../harness/projects/example-names.js";
import { packageRoot } from "../../text/package-root.js";
import { mcpwright } from "../harness/projects/generated-project.js";

/** Generates all projects under `examples/` again, after a change of mcpwright's output. */
const examples = fileURLToPath(new URL("examples/", packageRoot));

for (const name of exampleNames()) {
  const { status, out, err } = await mcpwright(`${examples}${name}`, "generate", "--no-cache");
  console.log(`${name}: ${out}${err}`);
  if (status !== 0) process.exitCode = 1;
}
