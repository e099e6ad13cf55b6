import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about the server's entry in the MCP registry, and about its desktop bundle. */

const LISTED = "package: {registry: {name: io.github.acme/demo}}";

export const registryNameChanged = defineRule<{ before: string; after: string }>({
  id: "registry-name-changed",
  severity: "warning",
  title: "the registry lists the server under another name",
  explanation: {
    cause:
      "Clients keep a server by its name in the registry. Under the new name it is another server; the entry of the former name gets no new versions.",
    example: { before: LISTED, after: "package: {registry: {name: com.acme/demo}}" },
    fix: "Keep the name, or mark the former entry as deprecated.",
  },
  message: ({ before, after }) => `the registry listed ${quoted(before)}, now ${quoted(after)}`,
});

export const registryEntryEnded = defineRule<{ name: string }>({
  id: "registry-entry-ended",
  severity: "warning",
  title: "the registry gets no new versions",
  explanation: {
    cause:
      "`server.json` is not generated any more. The registry goes on listing the versions that it has.",
    example: { before: LISTED, after: "" },
    fix: "Keep `package.registry`, or mark the entry as deprecated.",
  },
  message: ({ name }) => `the registry gets no new version of ${quoted(name)}`,
});

export const registryAddressRemoved = defineRule<{ address: string }>({
  id: "registry-way-ended",
  severity: "warning",
  title: "the registry leads to the server in fewer ways",
  explanation: {
    cause:
      "The entry named the npm package or a URL, which clients that were configured from it use.",
    example: {
      before:
        "transports: [{type: http}]\npackage: {registry: {name: io.github.acme/demo, url: 'https://demo.example/mcp'}}",
      after: `transports: [{type: http}]\n${LISTED}`,
    },
    fix: "Check that it is meant, and leave the former URL in service for a while.",
  },
  message: ({ address }) => `the registry does not name ${address} any more`,
});

export const desktopBundleEnded = defineRule({
  id: "desktop-bundle-ended",
  severity: "warning",
  title: "desktop clients get no new bundle",
  explanation: {
    cause: "`npm run mcpb` is gone. Who installed the bundle keeps the version that they have.",
    example: { before: "author: Ada\npackage: {mcpb: true}", after: "author: Ada" },
    fix: "Keep `package.mcpb`, or tell those who installed the bundle.",
  },
  message: () => "desktop clients get no new bundle of the server",
});

/** The rules for ways to get the server that are gone, by their keys in `package`. */
export const PACKAGE_ENDED = { mcpb: desktopBundleEnded } as const;
