import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";

/** Rules about names: of items, arguments, packages and versions. */

export const nameCharacters = defineDiagnostic<{
  what: string;
  name: string;
  characters: string;
  position: number;
  allowed?: string;
}>({
  code: "MW2001",
  severity: "error",
  title: "characters of a name",
  explanation: {
    cause:
      "A tool's name has a character that clients do not accept, perhaps one that only looks like a letter.",
    example: 'tools: [{name: "get forecast", description: x}]',
    fix: "Use letters A to Z, digits, underscores, hyphens and dots. People see the `title`.",
  },
  message: ({ what, name, characters, position }) =>
    `${what} ${name} has ${characters} (character ${position}); allowed are A-Z, a-z, 0-9, "_", "-" and "."`,
  hint: ({ allowed }) => allowed && `write ${allowed}; people see the title`,
});

export const nameLength = defineDiagnostic<{ what: string; found: number; limit: number }>({
  code: "MW2002",
  severity: "error",
  title: "length of a name",
  explanation: {
    cause:
      "A name is empty, or longer than clients accept: 64 characters for tools, 128 for the others.",
    example: 'tools: [{name: "", description: x}]',
    fix: "Use a short name; people see the `title`.",
  },
  message: ({ what, found, limit }) =>
    `${what} must have 1 to ${limit} characters, but has ${found}`,
});

export const nameReserved = defineDiagnostic<{ what: string; name: string; reason: string }>({
  code: "MW2003",
  severity: "error",
  title: "reserved name",
  explanation: {
    cause:
      "Names such as `constructor` and `__proto__` exist on every JavaScript object, and names of digits only change the order of lists: clients and servers that keep items in objects break on both.",
    example: "tools: [{name: constructor, description: x}]",
    fix: "Use another name, for example with a verb in front.",
  },
  message: ({ what, name, reason }) => `${what} must not be ${name}: ${reason}`,
});

export const duplicateName = defineDiagnostic<{ what: string; name: string; first: Place }>({
  code: "MW2004",
  severity: "error",
  title: "duplicate name",
  explanation: {
    cause: "Two items of a list have the same name, so that callers could reach only one.",
    example: "tools: [{name: a, description: x}, {name: a, description: y}]",
    fix: "Rename or remove one of them.",
  },
  message: ({ what, name, first }, place) =>
    `there are two ${what} named ${name}; the first is on ${lineSeenFrom(place, first)}`,
});

export const nameCollision = defineDiagnostic<{
  name: string;
  other: string;
  first: Place;
  shared: string;
  isTool: boolean;
}>({
  code: "MW2005",
  severity: "error",
  title: "names meet in generated code",
  explanation: {
    cause:
      "Two names differ in punctuation or case only, so that their handlers would have the same file or the same identifier. Resources and resource templates share a folder.",
    example: "tools: [{name: get-user, description: x}, {name: get_user, description: y}]",
    fix: "Rename one of them. `aliases` of a tool has names that callers may still use.",
  },
  message: ({ name, other, first, shared }, place) =>
    `${name} and ${other} on ${lineSeenFrom(place, first)} would both become ${shared}`,
  hint: ({ isTool }) =>
    isTool
      ? 'rename one of them; "aliases" of the tool keeps the old name for its callers'
      : "rename one of them",
});

export const duplicateArgument = defineDiagnostic<{ name: string; first: Place }>({
  code: "MW2006",
  severity: "error",
  title: "duplicate prompt argument",
  explanation: {
    cause: "A prompt has two arguments of the same name.",
    example: "prompts: [{name: p, description: x, arguments: [{name: a}, {name: a}]}]",
    fix: "Rename or remove one of them.",
  },
  message: ({ name, first }, place) =>
    `the prompt has two arguments named ${name}; the first is on ${lineSeenFrom(place, first)}`,
});

export const formerNameExists = defineDiagnostic<{
  what: string;
  name: string;
  first: Place;
  isOwn: boolean;
}>({
  code: "MW2013",
  severity: "error",
  title: "former name of an item that exists",
  explanation: {
    cause:
      "`renamedFrom` names an item that the manifest still has. A handler follows a rename, so it cannot stay with the old name too.",
    example: "tools: [{name: a, description: x}, {name: b, description: y, renamedFrom: a}]",
    fix: "Remove the old item, or remove `renamedFrom` if the new one is a second item.",
  },
  message: ({ what, name, first, isOwn }, place) =>
    isOwn
      ? `${name} is the item's own name`
      : `${name} is still the name of one of the ${what}, on ${lineSeenFrom(place, first)}`,
});

export const formerNameClaimed = defineDiagnostic<{ name: string; first: Place }>({
  code: "MW2014",
  severity: "error",
  title: "former name claimed twice",
  explanation: {
    cause: "Two items say that they had the same name before, and the handler can follow only one.",
    example:
      "tools: [{name: b, description: x, renamedFrom: a}, {name: c, description: y, renamedFrom: a}]",
    fix: "Keep `renamedFrom` on the item that the handler belongs to.",
  },
  message: ({ name, first }, place) =>
    `the former name ${name} is claimed on ${lineSeenFrom(place, first)} already`,
});

export const aliasTaken = defineDiagnostic<{ name: string; first: Place }>({
  code: "MW2015",
  severity: "error",
  title: "alias is taken",
  explanation: {
    cause:
      "A tool has an alias that is the name of a tool, or an alias already. A call by this name could mean either.",
    example: "tools: [{name: a, description: x}, {name: b, description: y, aliases: [a]}]",
    fix: "Remove the alias from one of the tools. A tool that takes over the calls of another one replaces it: remove that one from `tools`.",
  },
  message: ({ name, first }, place) =>
    `${name} is taken: ${lineSeenFrom(place, first)} has it already`,
});

export const packageName = defineDiagnostic<{ found: string; reason: string }>({
  code: "MW2007",
  severity: "error",
  title: "package name",
  explanation: {
    cause: "`name` becomes the name of an npm package, and npm does not accept this one.",
    example: "name: My Server\nversion: 1.0.0",
    fix: "Use at most 214 lower-case letters, digits, hyphens, underscores and dots, starting with none of the last two, and a scope if you want one: `@acme/weather`.",
  },
  message: ({ found, reason }) => `${found} cannot be the name of a package: ${reason}`,
});

export const semanticVersion = defineDiagnostic<{ found: string; written?: string }>({
  code: "MW2008",
  severity: "error",
  title: "version is not semantic",
  explanation: {
    cause:
      "`version` does not have the form of semantic versioning: three numbers, perhaps with a pre-release part.",
    example: 'name: demo\nversion: "1.0"',
    fix: 'Write for example "1.0.0" or "2.0.0-beta.1".',
  },
  message: ({ found }) => `${found} is not a semantic version such as "1.2.0" or "2.0.0-beta.1"`,
  hint: ({ written }) => written && `write "${written}"`,
});

export const metaKey = defineDiagnostic<{ found: string }>({
  code: "MW2009",
  severity: "error",
  title: "key of _meta",
  explanation: {
    cause:
      "A key of `_meta` does not follow the protocol: an optional prefix of labels separated by dots and ended by a slash, then a name that starts and ends with a letter or digit.",
    example: "tools:\n  - name: a\n    description: x\n    _meta: {-key-: 1}",
    fix: "Write for example `com.example/team` or `team`.",
  },
  message: ({ found }) =>
    `${found} is no key of _meta; it must look like "com.example/team" or "team"`,
});
