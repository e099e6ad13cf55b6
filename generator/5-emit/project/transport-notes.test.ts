import { test } from "uvu";
import * as assert from "uvu/assert";
import type { AddressModel, HttpTransportModel, TransportModel } from "../../model/transports.js";
import { weatherModel } from "../../testing/harness/projects/weather-model.js";
import { httpTransport } from "../model-facts.js";
import { packageJson } from "./package-json.js";
import { transportNotes } from "./transport-notes.js";

const http = httpTransport(weatherModel) as HttpTransportModel;
const { host, port, allowedHosts, allowedOrigins, trustProxy } = http;
const address: AddressModel = { host, port, path: "/ws", allowedHosts, allowedOrigins, trustProxy };

function urls(...transports: TransportModel[]): (string | null)[] {
  return transportNotes({ ...weatherModel, transports }).map(({ url }) => url);
}

test("transports that share the address of http share its TLS", () => {
  const webSocket = { ...address, type: "websocket" } as const;
  const tls = { cert: "CERT", key: "KEY" };
  assert.equal(urls(webSocket), ["ws://127.0.0.1:3000/ws"]);
  assert.equal(urls({ ...http, tls }, webSocket), ["wss://127.0.0.1:3000/ws"]);
  assert.equal(urls({ ...http, tls }, { ...webSocket, port: 81 }), ["ws://127.0.0.1:81/ws"]);
  const sse = { ...address, type: "sse", path: "/sse", messagesPath: "/messages" } as const;
  assert.equal(urls({ ...http, tls }, sse), ["https://127.0.0.1:3000/sse"]);
});

test("the notes about a custom transport name its file and no Inspector", () => {
  const transports = [{ type: "custom", name: "carrier-pigeon" }] as const;
  assert.equal(transportNotes({ ...weatherModel, transports }), [
    { flag: "--custom", url: null, file: "src/transports/carrier-pigeon.ts" },
  ]);
  const { scripts } = packageJson({ ...weatherModel, transports });
  assert.not(Object.hasOwn(scripts as object, "inspect"));
});

test("only servers over WebSocket depend on ws", () => {
  const versions = (transports: readonly TransportModel[]) => {
    const { dependencies, devDependencies } = packageJson({ ...weatherModel, transports });
    return { ...(dependencies as object), ...(devDependencies as object) };
  };
  const webSocket = versions([{ ...address, type: "websocket" }]);
  assert.ok(Object.hasOwn(webSocket, "ws") && Object.hasOwn(webSocket, "@types/ws"));
  assert.not(Object.keys(versions([http])).some((name) => name.includes("ws")));
});

test.run();
