import { quoted } from "../../text/value-words.js";
import { jsonExcerpt } from "../wording.js";
import { defineRule } from "../rule.js";

/** Rules about versions, the server's name, environment variables and transports. */

export const breakingWithoutMajorVersion = defineRule<{
  before: string;
  after: string;
  needed: string;
}>({
  id: "breaking-without-major-version",
  severity: "warning",
  title: "breaking changes without a new major version",
  explanation: {
    cause:
      "The manifest has breaking changes, and its version does not say so. By semantic versioning the major version must rise; below 1.0.0 the minor version.",
    example: {
      before: "version: 1.4.0\ntools: [{name: a, description: Does a.}]",
      after: "version: 1.5.0\ntools: []",
    },
    fix: "Raise the version as the message says, or take the breaking changes back.",
  },
  message: ({ before, after, needed }) =>
    before === after
      ? `the version is still ${after}; breaking changes need ${needed}`
      : `the version was ${before}, is ${after}; breaking changes need ${needed}`,
});

export const breakingNeedsMajorVersion = defineRule({
  id: "breaking-needs-major-version",
  severity: "info",
  title: "breaking changes, and the version is in package.json",
  explanation: {
    cause:
      "The manifest has breaking changes and takes its version from `package.json`, so that mcpwright cannot tell whether the next release says so.",
    example: {
      before: "version: package.json\ntools: [{name: a, description: Does a.}]",
      after: "version: package.json\ntools: []",
    },
    fix: "Release with `npm version major`; below 1.0.0 with `npm version minor`.",
  },
  message: () =>
    "the version is in package.json; release breaking changes with `npm version major`, below 1.0.0 with `npm version minor`",
});

export const serverNameChanged = defineRule<{ before: string; after: string }>({
  id: "server-name-changed",
  severity: "warning",
  title: "the server has another name",
  explanation: {
    cause:
      "The name is the package's and the server's: what starts the server or is configured by its name must follow.",
    example: { before: "name: weather", after: "name: forecasts" },
    fix: "Check that it is meant, and tell those who run the server.",
  },
  message: ({ before, after }) => `the server was ${quoted(before)}, is ${quoted(after)}`,
});

export const environmentVariableNewlyRequired = defineRule<{ name: string }>({
  id: "environment-variable-newly-required",
  severity: "warning",
  title: "the server needs an environment variable that it did not need",
  explanation: {
    cause: "The server does not start where the variable is not set.",
    example: { before: "env: {API_KEY: {}}", after: "env: {API_KEY: {required: true}}" },
    fix: "Give it a `default`, or tell those who run the server.",
  },
  message: ({ name }) => `the server does not start without ${name} now`,
});

export const environmentVariableNarrowed = defineRule<{ name: string; reason: string }>({
  id: "environment-variable-narrowed",
  severity: "warning",
  title: "an environment variable takes fewer values",
  explanation: {
    cause: "The server does not start with a value that it took before.",
    example: {
      before: "env: {UNITS: {enum: [metric, imperial]}}",
      after: "env: {UNITS: {enum: [metric]}}",
    },
    fix: "Keep taking the old values, or tell those who run the server.",
  },
  message: ({ name, reason }) => `${name} takes fewer values now: ${reason}`,
});

interface Transport {
  readonly type: string;
}

export const transportRemoved = defineRule<Transport>({
  id: "transport-removed",
  severity: "breaking",
  title: "a transport is gone",
  explanation: {
    cause: "Clients that connect by this transport cannot reach the server any more.",
    example: {
      before: "transports: [{type: stdio}, {type: http}]",
      after: "transports: [{type: http}]",
    },
    fix: "Keep the transport, or release a new major version.",
  },
  message: ({ type }) => `the server cannot be reached over ${type} any more`,
});

export const transportAdded = defineRule<Transport>({
  id: "transport-added",
  severity: "info",
  title: "a transport is new",
  explanation: {
    cause: "The server can be reached over one more transport.",
    example: {
      before: "transports: [{type: stdio}]",
      after: "transports: [{type: stdio}, {type: http}]",
    },
    fix: "Nothing.",
  },
  message: ({ type }) => `the server can be reached over ${type} now`,
});

interface TransportSetting extends Transport {
  readonly setting: string;
  readonly before: string | number;
  readonly after: string | number;
}

const settingMessage = ({ type, setting, before, after }: TransportSetting): string =>
  `the ${setting} of ${type} was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`;

export const transportPathChanged = defineRule<TransportSetting>({
  id: "transport-path-changed",
  severity: "breaking",
  title: "a transport answers under another path",
  explanation: {
    cause: "The path is part of the URL that clients are configured with.",
    example: {
      before: "transports: [{type: http}]",
      after: "transports: [{type: http, path: /weather}]",
    },
    fix: "Keep the path, or release a new major version.",
  },
  message: settingMessage,
});

export const transportAddressChanged = defineRule<TransportSetting>({
  id: "transport-address-changed",
  severity: "warning",
  title: "a transport listens elsewhere by default",
  explanation: {
    cause:
      "The host or port that the server listens on has another default. Who sets it when starting the server is not affected.",
    example: {
      before: "transports: [{type: http}]",
      after: "transports: [{type: http, port: 8080}]",
    },
    fix: "Tell those who run the server, or keep the address.",
  },
  message: settingMessage,
});
