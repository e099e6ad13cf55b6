import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about extensions of the protocol. */

/** What makes mcpwright advertise an extension, by the id of the extension. */
const ADVERTISED = {
  "io.modelcontextprotocol/ui": "give a tool `ui`, and it is advertised",
  "io.modelcontextprotocol/tasks": "give a tool `task`, and it is advertised",
  "io.modelcontextprotocol/skills": "name a folder under `skills`, and it is advertised",
} as const;

type AdvertisedExtension = keyof typeof ADVERTISED;

/** Whether mcpwright decides itself if an extension is advertised. */
export function isAdvertised(id: string): id is AdvertisedExtension {
  return Object.hasOwn(ADVERTISED, id);
}

export const malformedExtensionId = defineDiagnostic<{ found: string }>({
  code: "MW2230",
  message: ({ found }) =>
    `${found} is no id of an extension; it must look like "com.example/name", with a prefix and a name`,
});

export const advertisedExtension = defineDiagnostic<{ id: AdvertisedExtension }>({
  code: "MW2231",
  message: ({ id }) => `mcpwright itself advertises "${id}", where the server has it`,
  hint: ({ id }) => ADVERTISED[id],
});

export const taskOfFixedAnswer = defineDiagnostic<{ key: string }>({
  code: "MW2232",
  message: ({ key }) => `the answer is fixed by ${key}, so that there is nothing to wait for`,
  hint: () => "remove `task`",
});

export const appOriginForm = defineDiagnostic<{ found: string }>({
  code: "MW2233",
  message: ({ found }) =>
    `${found} is no origin that a page can be let reach, such as "https://api.example.com" or "https://*.example.com"`,
});

export const appWithoutObject = defineDiagnostic<{ problem: string }>({
  code: "MW2234",
  message: ({ problem }) => `the page is to be made from "outputSchema", ${problem}`,
  hint: () => "describe the result as an object in `outputSchema`, or name an HTML file",
});

export const reservedExtensionId = defineDiagnostic<{ found: string }>({
  code: "MW2363",
  severity: "warning",
  message: ({ found }) =>
    `${found} is an id of the protocol's own extensions, and the server must do all that its document asks`,
  hint: () => "take a prefix of a domain of yours, or switch MW2363 off",
});
