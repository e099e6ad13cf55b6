import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Manifest } from "../model/manifest.js";
import { normalizeCard } from "./server-card.js";

const manifest = (parts: object): Manifest =>
  ({ manifestVersion: 1, name: "weather", version: "1.0.0", ...parts }) as Manifest;

test("a manifest has a card only if it asks for one", () => {
  assert.is(normalizeCard(manifest({})), undefined);
  assert.is(normalizeCard(manifest({ card: false })), undefined);
});

test("a card has what everyone may know: no icons of unknown form, nothing of the server's tools", () => {
  const card = normalizeCard(
    manifest({
      card: { name: "com.example/weather", url: "https://weather.example.com/mcp" },
      title: "Weather",
      description: `Forecasts ${"for the whole world ".repeat(10)}`,
      instructions: "Secret habits.",
      websiteUrl: "https://example.com/",
      repository: { url: "https://github.com/acme/weather.git", directory: "server" },
      icons: [{ src: "https://example.com/icon.png", mimeType: "image/png", "x-note": "ours" }],
      transports: [{ type: "http" }],
      tools: [{ name: "forecast", description: "Forecasts." }],
    }),
  );
  const { description = "", ...rest } = card ?? {};
  assert.ok(description.length <= 100, description);
  assert.match(description, /^Forecasts for .*…$/);
  assert.equal(rest, {
    name: "com.example/weather",
    title: "Weather",
    websiteUrl: "https://example.com/",
    repository: { url: "https://github.com/acme/weather", source: "github", subfolder: "server" },
    icons: [{ src: "https://example.com/icon.png", mimeType: "image/png" }],
    url: "https://weather.example.com/mcp",
  });
});

test("name and URL are those of the registry's entry, or of the resource of tokens", () => {
  const registry = { name: "com.example/weather", url: "https://a.example/mcp" };
  const transports = [{ type: "http" }];
  const fromRegistry = normalizeCard(manifest({ card: true, transports, package: { registry } }));
  assert.equal(fromRegistry, {
    name: registry.name,
    description: "weather",
    url: "https://a.example/mcp",
  });
  const auth = { resource: "https://b.example/mcp" };
  const card = { name: "com.example/other" };
  assert.is(normalizeCard(manifest({ card, transports, auth }))?.url, auth.resource);
  assert.is(normalizeCard(manifest({ card, transports }))?.url, undefined);
});

test.run();
