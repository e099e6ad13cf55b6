import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";
import type { Mend } from "../mend.js";

/** Rules about names: of items, arguments, packages and versions. */

export const nameCharacters = defineDiagnostic<{
  what: string;
  name: string;
  characters: string;
  position: number;
  allowed?: string;
}>({
  code: "MW2001",
  message: ({ what, name, characters, position }) =>
    `${what} ${name} has ${characters} (character ${position}); allowed are A-Z, a-z, 0-9, "_", "-" and "."`,
  hint: ({ allowed }) => allowed && `write ${allowed}; people see the title`,
  mend: ({ allowed }) => (allowed === undefined ? undefined : { edit: "set text", to: allowed }),
});

export const nameLength = defineDiagnostic<{ what: string; found: number; limit: number }>({
  code: "MW2002",
  message: ({ what, found, limit }) =>
    `${what} must have 1 to ${limit} characters, but has ${found}`,
});

export const nameReserved = defineDiagnostic<{ what: string; name: string; reason: string }>({
  code: "MW2003",
  message: ({ what, name, reason }) => `${what} must not be ${name}: ${reason}`,
});

export const duplicateName = defineDiagnostic<{ what: string; name: string; first: Place }>({
  code: "MW2004",
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
  message: ({ name, other, first, shared }, place) =>
    `${name} and ${other} on ${lineSeenFrom(place, first)} would both become ${shared}`,
  hint: ({ isTool }) =>
    isTool
      ? 'rename one of them; "aliases" of the tool keeps the old name for its callers'
      : "rename one of them",
});

export const duplicateArgument = defineDiagnostic<{ name: string; first: Place }>({
  code: "MW2006",
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
  message: ({ what, name, first, isOwn }, place) =>
    isOwn
      ? `${name} is the item's own name`
      : `${name} is still the name of one of the ${what}, on ${lineSeenFrom(place, first)}`,
});

export const formerNameClaimed = defineDiagnostic<{ name: string; first: Place }>({
  code: "MW2014",
  message: ({ name, first }, place) =>
    `the former name ${name} is claimed on ${lineSeenFrom(place, first)} already`,
});

export const aliasTaken = defineDiagnostic<{ name: string; first: Place }>({
  code: "MW2015",
  message: ({ name, first }, place) =>
    `${name} is taken: ${lineSeenFrom(place, first)} has it already`,
});

export const packageName = defineDiagnostic<{ found: string; reason: string; mend?: Mend }>({
  code: "MW2007",
  message: ({ found, reason }) => `${found} cannot be the name of a package: ${reason}`,
  mend: ({ mend }) => mend,
});

export const semanticVersion = defineDiagnostic<{ found: string; written?: string }>({
  code: "MW2008",
  message: ({ found }) => `${found} is not a semantic version such as "1.2.0" or "2.0.0-beta.1"`,
  hint: ({ written }) => written && `write "${written}"`,
  mend: ({ written }) => (written === undefined ? undefined : { edit: "set text", to: written }),
});

export const metaKey = defineDiagnostic<{ found: string }>({
  code: "MW2009",
  message: ({ found }) =>
    `${found} is no key of _meta; it must look like "com.example/team" or "team"`,
});
