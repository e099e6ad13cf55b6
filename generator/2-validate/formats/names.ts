import {
  advertisedExtension,
  isAdvertised,
  malformedExtensionId,
  reservedExtensionId,
} from "../../model/catalogue/rules-extensions.js";
import { malformedScope } from "../../model/catalogue/rules-items.js";
import {
  metaKey,
  nameCharacters,
  nameLength,
  nameReserved,
} from "../../model/catalogue/rules-names.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isIntegerLike, isObjectMember } from "../../text/reserved-names.js";
import { codePoints } from "../wording.js";
import { quoted } from "../../text/value-words.js";
import { controlCharacterProblem, placeOf, type FormatCheck, type TextSubject } from "./subject.js";

const LONGEST_TOOL_NAME = 64;
const LONGEST_NAME = 128;

const toolName: FormatCheck = (subject) =>
  charactersProblem("the tool name", subject) ??
  lengthProblem("a tool name", LONGEST_TOOL_NAME, subject) ??
  reservedProblem("a tool name", subject);

/** Resources and templates are registered by name or URI, so that a name of digits only is harmless. */
const itemName: FormatCheck = (subject) =>
  controlCharacterProblem(subject) ??
  lengthProblem("a name", LONGEST_NAME, subject) ??
  (isObjectMember(subject.text) ? reservedProblem("a name", subject) : undefined);

const promptName: FormatCheck = (subject) =>
  controlCharacterProblem(subject) ??
  lengthProblem("a prompt name", LONGEST_NAME, subject) ??
  reservedProblem("a prompt name", subject);

const argumentName: FormatCheck = (subject) =>
  controlCharacterProblem(subject) ??
  lengthProblem("an argument name", LONGEST_NAME, subject) ??
  reservedProblem("an argument name", subject);

const metaKeyForm: FormatCheck = (subject) => {
  const label = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
  const name = "[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?";
  const form = new RegExp(`^(?:${label}(?:\\.${label})*/)?(?:${name})?$`);
  if (subject.text !== "" && form.test(subject.text)) return undefined;
  return metaKey(placeOf(subject), { found: quoted(subject.text) });
};

const extensionId: FormatCheck = (subject) => {
  const { text } = subject;
  const label = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
  const name = "[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?";
  if (!new RegExp(`^${label}(?:\\.${label})*/${name}$`).test(text)) {
    return malformedExtensionId(placeOf(subject), { found: quoted(text) });
  }
  if (isAdvertised(text)) return advertisedExtension(placeOf(subject), { id: text });
  const [, second] = text.slice(0, text.indexOf("/")).split(".");
  if (second !== "mcp" && second !== "modelcontextprotocol") return undefined;
  return reservedExtensionId(placeOf(subject), { found: quoted(text) });
};

/** RFC 6749's `scope-token`: the characters that are allowed in a token's scopes and in a challenge. */
const scopeForm: FormatCheck = (subject) => {
  const { text } = subject;
  const problem =
    text === ""
      ? "is empty"
      : !/^[\u0021\u0023-\u005b\u005d-\u007e]+$/.test(text)
        ? "can have no spaces, quotation marks, backslashes or characters beyond ASCII"
        : text === "offline_access"
          ? "is for clients to ask of an authorization server, and no tool can need it"
          : undefined;
  return problem === undefined
    ? undefined
    : malformedScope(placeOf(subject), { scope: quoted(text), problem });
};

/** Formats of names, by the name that the manifest's schema uses. */
export const itemFormats: Readonly<Record<string, FormatCheck>> = {
  "tool-name": toolName,
  "item-name": itemName,
  "prompt-name": promptName,
  "argument-name": argumentName,
  "meta-key": metaKeyForm,
  "extension-id": extensionId,
  scope: scopeForm,
};

function charactersProblem(what: string, subject: TextSubject): Diagnostic | undefined {
  const wrong = [...subject.text].filter((character) => !/[A-Za-z0-9_.-]/.test(character));
  const [first] = wrong;
  if (first === undefined) return undefined;
  const place = placeOf(subject);
  const words = subject.text.match(/[A-Za-z0-9.-]+/g) ?? [];
  // A suggestion drops the wrong characters. Letters of another alphabet cannot be dropped.
  const canBeDropped = wrong.every((character) => /[\s/:#()]/.test(character));
  return nameCharacters(place, {
    what,
    ...(canBeDropped && words.length > 0 && { allowed: words.join("_") }),
    name: quoted(subject.text),
    characters: codePoints(wrong),
    position: [...subject.text].indexOf(first) + 1,
  });
}

function lengthProblem(what: string, limit: number, subject: TextSubject): Diagnostic | undefined {
  const found = [...subject.text].length;
  if (found >= 1 && found <= limit) return undefined;
  return nameLength(placeOf(subject), { what, found, limit });
}

function reservedProblem(what: string, subject: TextSubject): Diagnostic | undefined {
  const { text } = subject;
  const reason = reservedReason(text);
  if (reason === undefined) return undefined;
  return nameReserved(placeOf(subject), { what, name: quoted(text), reason });
}

/** The reason why a name must not be used. Undefined if it may be used. */
export function reservedReason(name: string): string | undefined {
  if (isObjectMember(name)) return "every JavaScript object has a member of that name";
  return isIntegerLike(name) ? "names of digits only change the order of lists" : undefined;
}
