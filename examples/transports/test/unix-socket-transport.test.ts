import { join } from "node:path";
import type { Transport } from "@modelcontextprotocol/client";
import { test } from "uvu";
import { projectRoot } from "../src/generated/index.ts";
import { readContract } from "./generated/contract.ts";
import { testCustom } from "@mcpwright/runtime/testing";
import { SocketClientTransport } from "./socket-client.ts";

/** A client's side of the transport. The tests run the built server with `--custom`, and connect to it. */
const clientTransport = (): Transport =>
  new SocketClientTransport(join(projectRoot, "transports.sock"));

testCustom(test, await readContract("server"), "src/transports/unix-socket.ts", clientTransport);

test.run();
