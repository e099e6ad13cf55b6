import type { Diagnostic } from "../model/diagnostic.js";
import { itemFormats } from "./formats/names.js";
import { packageFormats } from "./formats/package.js";
import { resourceFormats } from "./formats/resources.js";
import type { FormatCheck, TextSubject } from "./formats/subject.js";
import { webFormats } from "./formats/web.js";

/** The checks of the formats that `schemas/manifest.schema.json` names. */
const FORMATS: ReadonlyMap<string, FormatCheck> = new Map(
  Object.entries({ ...itemFormats, ...packageFormats, ...resourceFormats, ...webFormats }),
);

/** Checks a text against a format of this project. `isKnown` is false if this project has no such format. */
export function checkFormat(
  format: string | undefined,
  subject: TextSubject,
): { isKnown: boolean; problem?: Diagnostic } {
  const check = format === undefined ? undefined : FORMATS.get(format);
  if (check === undefined) return { isKnown: false };
  const problem = check(subject);
  return problem === undefined ? { isKnown: true } : { isKnown: true, problem };
}
