import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { explainedDiagnostics } from "../../model/catalogue/explanations.js";
import type { Explanation } from "../../model/explanations.js";
import type { Diagnostic, Fix, Severity } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Place } from "../../model/place.js";
import { mcpwrightVersion } from "../version.js";
import { omittedText } from "./diagnostics-text.js";
import { repositoryPath, type PathFrame } from "./repository-path.js";

/**
 * Diagnostics as a log of the Static Analysis Results Interchange Format (SARIF) 2.1.0, which code scanning services
 * and editors read. The log contains the rules of its results only.
 *
 * @param omitted number of diagnostics that are not in the log
 */
export function sarifLog(
  diagnostics: readonly Diagnostic[],
  omitted: number,
  frame: PathFrame,
): JsonObject {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const rules = explainedDiagnostics()
    .filter(({ code }) => codes.includes(code))
    .map(ruleOf);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "mcpwright", semanticVersion: mcpwrightVersion(), rules } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: true,
            ...(omitted > 0 && {
              toolExecutionNotifications: [
                { level: "warning", message: { text: omittedText(omitted) } },
              ],
            }),
          },
        ],
        results: diagnostics.map((diagnostic) => resultOf(diagnostic, codes, frame)),
      },
    ],
  };
}

function ruleOf({ code, severity, title, cause, example, fix }: Explanation<Severity>): JsonObject {
  const fence = "```";
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: cause },
    help: {
      text: `${cause}\n\nFor example:\n\n${example}\n\n${fix}`,
      markdown: `${cause}\n\nFor example:\n\n${fence}\n${example}\n${fence}\n\n${fix}`,
    },
    defaultConfiguration: { level: severity },
  };
}

/** Braces in messages are not doubled: since the messages have no arguments, every viewer shows braces unchanged. */
function resultOf(diagnostic: Diagnostic, codes: readonly string[], frame: PathFrame): JsonObject {
  const { code, severity, message, hint, related = [], fix } = diagnostic;
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: hint === undefined ? message : `${message}\nhint: ${hint}` },
    locations: [locationOf(diagnostic, frame)],
    ...(related.length > 0 && {
      relatedLocations: related.map((place, index) => ({
        id: index + 1,
        ...locationOf(place, frame),
        message: { text: place.message },
      })),
    }),
    ...(fix !== undefined && { fixes: [fixOf(fix, frame)] }),
  };
}

/** The changes of a fix. SARIF groups them by file, and a fix has one. */
function fixOf({ edits }: Fix, frame: PathFrame): JsonObject {
  const [first] = edits;
  return {
    artifactChanges: [
      {
        artifactLocation: artifactOf(repositoryPath(first?.file ?? "", frame)),
        replacements: edits.map(({ newText, ...place }) => ({
          deletedRegion: regionOf(place),
          insertedContent: { text: newText },
        })),
      },
    ],
  };
}

function locationOf(place: Place, frame: PathFrame): JsonObject {
  return {
    physicalLocation: {
      artifactLocation: artifactOf(repositoryPath(place.file, frame)),
      region: regionOf(place),
    },
  };
}

function regionOf(place: Omit<Place, "file">): JsonObject {
  const { line: startLine, column: startColumn, endLine, endColumn } = place;
  return { startLine, startColumn, endLine, endColumn };
}

function artifactOf(path: string): JsonObject {
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  return { uri: path.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
}
