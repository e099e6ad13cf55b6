import { start } from "../start.js";
import { extname } from "node:path";
import type { Server } from "../server/define-server.js";
import { withTestServices } from "../testing/test-services.js";

/*
 * The process that the tests of a project connect to: `node serve-tested.js MODULE [FLAG…]`. It starts the same server
 * with the services of the tests, and without replicas. MODULE is the URL of a module of `test/generated/`.
 */

const [module = ""] = process.argv.splice(2, 1);
const extension = extname(new URL(module).pathname);
const load = (path: string): Promise<object> => import(new URL(`${path}${extension}`, module).href);

const { server } = (await load("../../src/generated/server")) as { readonly server: Server };
await start(withTestServices(server, await load("../services")));
