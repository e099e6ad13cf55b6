import { join } from "node:path";
import type { Transport } from "@modelcontextprotocol/client";
import { test } from "uvu";
import { projectRoot } from "../src/generated/index.js";
import { readContract } from "./generated/contract.js";
import { testCustom } from "./generated/custom-contract.js";
import { SocketClientTransport } from "./socket-client.js";

/** A client's side of the transport. The tests run the built server with `--custom`, and connect to it. */
const clientTransport = (): Transport =>
  new SocketClientTransport(join(projectRoot, "transports.sock"));

testCustom(test, await readContract("server"), "src/transports/unix-socket.ts", clientTransport);

test.run();
