import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeServers, localInternet, TestServer, upstreamOf } from "../samples/local-internet.js";
import type { Lookup } from "../egress/reach.js";

/** Addresses that are not public, by what they are. */
const PRIVATE_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  unspecified: ["0.0.0.0", "::"],
  "private networks": [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "fc00::1",
    "fdff::1",
  ],
  "link-local": ["169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "fec0::1"],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.254"],
  "IPv4 in IPv6": [
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "::ffff:0:7f00:1",
  ],
  "NAT64 and tunnels": [
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001::1",
  ],
  "reserved and special": [
    "192.0.2.1",
    "198.18.0.1",
    "203.0.113.1",
    "240.0.0.1",
    "2001:db8::1",
    "100::1",
  ],
  "multicast and broadcast": ["224.0.0.1", "255.255.255.255", "ff02::1"],
  "no address": ["", "localhost", "1.2.3.4.5", "::g"],
};

const REFUSED =
  /^The upstream api leads to (?:an address that is not public, which is refused without `private: true`|a link-local or metadata address that the manifest does not name, which is refused)\.$/;

for (const [kind, addresses] of Object.entries(PRIVATE_ADDRESSES)) {
  for (const address of addresses.filter((one) => kind !== "no address" && !one.includes("%"))) {
    test(`a name that resolves to ${address} (${kind}) is refused`, async () => {
      const lookup = resolvingTo([address]);
      const { upstream } = upstreamOf(
        { baseUrl: "http://name.example", private: false },
        { lookup },
      );
      await rejected(upstream.get("/"), REFUSED);
    });
  }
}

/** Forms of addresses that resolvers and URLs understand. */
const LITERALS = [
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "0x7f000001",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "127.0.0.1.",
  "0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:0:0:1]",
  "[64:ff9b::127.0.0.1]",
  "169.254.169.254",
  "10.1",
  "192.168.257",
  "%31%32%37.0.0.1",
  "①②⑦.0.0.1",
];

for (const host of LITERALS) {
  test(`the literal address ${host} is refused without a connection`, async () => {
    const server = await TestServer.open((_seen, _request, response) => response.end("{}"));
    let asked = 0;
    const lookup: Lookup = (_name, callback) => {
      asked++;
      callback(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    const baseUrl = `http://${host}:${server.port}`;
    const { upstream } = upstreamOf({ baseUrl, private: false }, { lookup });
    await rejected(upstream.get("/"), REFUSED);
    assert.equal([server.requests.length, asked], [0, 0]);
  });
}

test("localhost is refused, but allowed for a private upstream", async () => {
  const server = await TestServer.open((_seen, _request, response) => response.end('"here"'));
  const baseUrl = `http://localhost:${server.port}`;
  await rejected(upstreamOf({ baseUrl, private: false }).upstream.get("/"), REFUSED);
  const lookup = resolvingTo(["127.0.0.1"]);
  const { upstream } = upstreamOf({ baseUrl, private: true }, { lookup });
  assert.is((await upstream.get("/")).json(), "here");
});

test("of several addresses of a name, only the public ones are used", async () => {
  const server = await TestServer.open((_seen, _request, response) => response.end('"public"'));
  const internet = localInternet({ "93.184.216.34": server.port });
  const lookup = resolvingTo(["127.0.0.1", "93.184.216.34", "10.0.0.1"]);
  const { upstream } = upstreamOf({ baseUrl: "http://mixed.example", private: false }, { lookup });
  try {
    assert.is((await upstream.get("/")).json(), "public");
    assert.equal(internet.connected, ["93.184.216.34"]);
  } finally {
    internet.end();
  }
});

test("the addresses of a name are checked for each connection", async () => {
  const server = await TestServer.open((_seen, _request, response) => {
    response.setHeader("connection", "close").end('"first"');
  });
  const internet = localInternet({ "93.184.216.34": server.port, "127.0.0.1": server.port });
  const answers = ["93.184.216.34", "127.0.0.1"];
  const lookup: Lookup = (_name, callback) => {
    callback(null, [{ address: answers.shift() ?? "127.0.0.1", family: 4 }]);
  };
  const { upstream } = upstreamOf(
    { baseUrl: "http://rebound.example", private: false },
    { lookup },
  );
  try {
    assert.is((await upstream.get("/")).json(), "first");
    await rejected(upstream.get("/"), REFUSED);
    assert.equal([internet.connected, server.requests.length], [["93.184.216.34"], 1]);
  } finally {
    internet.end();
  }
});

/** Where a public upstream redirects to. */
const REDIRECTS = [
  "http://127.0.0.1:PORT/",
  "http://localhost:PORT/",
  "http://[::1]:PORT/",
  "http://0x7f.1:PORT/",
  "http://2130706433:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://169.254.169.254/latest/meta-data/",
  "//127.0.0.1:PORT/",
  "http://inner.example:PORT/",
  "http://api.example@127.0.0.1:PORT/",
  "file:///etc/passwd",
  "ftp://127.0.0.1/",
  "gopher://127.0.0.1:PORT/_",
  "http://",
];

for (const location of REDIRECTS) {
  test(`a redirect to ${location} is not followed`, async () => {
    const inner = await TestServer.open((_seen, _request, response) => response.end('"secret"'));
    const target = location.replace("PORT", String(inner.port));
    const outer = await TestServer.open((_seen, _request, response) => {
      response.writeHead(302, { location: target }).end();
    });
    const internet = localInternet({ "93.184.216.34": outer.port, "127.0.0.1": inner.port });
    const lookup: Lookup = (name, callback) => {
      const address = name === "api.example" ? "93.184.216.34" : "127.0.0.1";
      callback(null, [{ address, family: 4 }]);
    };
    const stated = { baseUrl: "http://api.example", private: false, redirects: 3 };
    const { upstream } = upstreamOf(stated, { lookup });
    try {
      const answer = await upstream.get("/").catch((error: unknown) => error as Error);
      if (answer instanceof Error) assert.match(answer.message, REFUSED);
      else assert.is(answer.status, 302);
      assert.equal([inner.requests.length, internet.connected], [0, ["93.184.216.34"]]);
    } finally {
      internet.end();
    }
  });
}

function resolvingTo(addresses: readonly string[]): Lookup {
  return (_name, callback) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
}

async function rejected(promise: Promise<unknown>, message: RegExp): Promise<void> {
  const error = await promise.then(
    () => assert.unreachable("there was an answer"),
    (thrown: Error) => thrown,
  );
  assert.match(error?.message ?? "", message);
}

test.after(() => closeServers());

test.run();
