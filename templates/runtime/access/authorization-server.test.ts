import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openDnsServer } from "../samples/dns-server.js";
import { AuthorizationServer } from "./authorization-server.js";

/** Opens a server that ends each connection. @param onConnection is called with its address */
async function openServer(
  host: string,
  port: number,
  onConnection: (host: string) => void,
): Promise<Server> {
  const server = createServer((socket) => {
    onConnection(host);
    socket.on("error", () => undefined).destroy();
  });
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

test("a request goes to the address that was checked, and another origin's name leads to no private one", async () => {
  const connected: string[] = [];
  const onConnection = (host: string): void => void connected.push(host);
  const first = await openServer("127.0.0.1", 0, onConnection);
  const { port } = first.address() as AddressInfo;
  const second = await openServer("127.0.0.2", port, onConnection);
  const addresses = ["127.0.0.2", "127.0.0.1", "127.0.0.2", "127.0.0.1"];
  const dns = await openDnsServer(...addresses.map((address) => [address]));
  const issuer = new AuthorizationServer(new URL(`https://idp.example:${port}/realm`), dns.lookup);
  const reasonOf = async (url: string): Promise<string> =>
    issuer.fetchJson(new URL(url), { signal: AbortSignal.timeout(5_000) }).then(
      () => "an answer",
      ({ message }: Error) => message,
    );
  try {
    for (const path of ["/keys", "/more"]) await reasonOf(`https://idp.example:${port}${path}`);
    assert.equal(connected, ["127.0.0.2", "127.0.0.1"]);
    for (const url of [
      `https://keys.example:${port}/keys`,
      `https://keys.example:${port}/keys`,
      `https://idp.example.:${port}/keys`,
    ]) {
      assert.match(await reasonOf(url), "not public and not of its own origin", url);
    }
    assert.is(connected.length, 2);
    assert.is(dns.asked.length, 5);
  } finally {
    dns.close();
    first.close();
    second.close();
  }
});

test.run();
