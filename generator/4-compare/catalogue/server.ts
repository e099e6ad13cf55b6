import { quoted } from "../../text/value-words.js";
import { jsonExcerpt } from "../wording.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about versions, the server's name, environment variables and transports. */

export const breakingWithoutMajorVersion = defineRule<{
  before: string;
  after: string;
  needed: string;
}>({
  id: "breaking-without-major-version",
  severity: "warning",
  message: ({ before, after, needed }) =>
    before === after
      ? `the version is still ${after}; breaking changes need ${needed}`
      : `the version was ${before}, is ${after}; breaking changes need ${needed}`,
});

export const breakingNeedsMajorVersion = defineRule({
  id: "breaking-needs-major-version",
  severity: "info",
  message: () =>
    "the version is in package.json; release breaking changes with `npm version major`, below 1.0.0 with `npm version minor`",
});

export const serverNameChanged = defineRule<{ before: string; after: string }>({
  id: "server-name-changed",
  severity: "warning",
  message: ({ before, after }) => `the server was ${quoted(before)}, is ${quoted(after)}`,
});

export const environmentVariableNewlyRequired = defineRule<{ name: string }>({
  id: "environment-variable-newly-required",
  severity: "warning",
  message: ({ name }) => `the server does not start without ${name} now`,
});

export const environmentVariableNarrowed = defineRule<{ name: string; reason: string }>({
  id: "environment-variable-narrowed",
  severity: "warning",
  message: ({ name, reason }) => `${name} takes fewer values now: ${reason}`,
});

interface Transport {
  readonly type: string;
}

export const transportRemoved = defineRule<Transport>({
  id: "transport-removed",
  severity: "breaking",
  message: ({ type }) => `the server cannot be reached over ${type} any more`,
});

export const transportAdded = defineRule<Transport>({
  id: "transport-added",
  severity: "info",
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
  message: settingMessage,
});

export const transportAddressChanged = defineRule<TransportSetting>({
  id: "transport-address-changed",
  severity: "warning",
  message: settingMessage,
});
