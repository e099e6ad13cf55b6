import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.js";

/** The folder of a deployment, which the platform's Build Output API defines. */
const output = ".vercel/output";

const serverFunction = join(output, "functions/server.func");

/** One function has all paths. It gets the URL that the client asked for. */
const routes = [{ src: "/(.*)", dest: "/server" }];

/** Writes the server of the project in the current folder as a deployment with one function. */
export async function bundleVercel(): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(serverFunction, { recursive: true });
  await bundle("src/generated/vercel.ts", join(serverFunction, "index.mjs"));
  copyFileSync("deploy/vercel/function.json", join(serverFunction, ".vc-config.json"));
  writeFileSync(join(output, "config.json"), `${JSON.stringify({ version: 3, routes })}\n`);
}
