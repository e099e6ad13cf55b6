import { defineDiagnostic } from "../catalogue-entry.js";
import { namesAndMore } from "./message-parts.js";

/** Rules about what the descriptions of tools say to models. */

/** The tools of one finding. The names are in quotes. */
interface FoundTools {
  readonly found: number;
  /** How many tools the manifest has. */
  readonly of: number;
  readonly named: readonly string[];
}

const share = ({ found, of }: FoundTools): string =>
  of === 1 ? "the tool" : `${found} of ${of} tools`;

export const descriptionBegins = defineDiagnostic<FoundTools & { start: string }>({
  code: "MW2324",
  severity: "warning",
  message: ({ start, ...tools }) =>
    `the description does not begin with what the tool does, but with "${start}" (${share(tools)}: ${namesAndMore(tools.named, tools.found)})`,
  hint: () => "begin with a verb: `Lists the open issues of a repository.`",
});

export const alikeTools = defineDiagnostic<{ names: readonly string[]; silent: readonly string[] }>(
  {
    code: "MW2325",
    severity: "warning",
    message: ({ names, silent }) =>
      `the names of ${names.join(" and ")} mean the same, and the description of ${silent.join(" and ")} does not say when to use it`,
    hint: () => "say in which case each is the right one, and which to take otherwise",
  },
);

export const quantityWithoutUnit = defineDiagnostic<{ name: string; found: number }>({
  code: "MW2326",
  severity: "warning",
  message: ({ name, found }) =>
    `the argument ${name} is a quantity without a unit${found === 1 ? "" : `, as ${found - 1} more arguments are`}`,
  hint: ({ name }) =>
    `say it in the description, or in the name: ${name.replace(/"$/, 'Seconds"')}`,
});

export const unsaidResult = defineDiagnostic<FoundTools>({
  code: "MW2327",
  severity: "warning",
  message: (tools) =>
    `neither the description nor an outputSchema says what comes back (${share(tools)}: ${namesAndMore(tools.named, tools.found)})`,
  hint: () => "say what the answer is: `Returns the value as JSON.`",
});

export const advertising = defineDiagnostic<FoundTools & { word: string }>({
  code: "MW2328",
  severity: "warning",
  message: ({ word, ...tools }) =>
    `"${word}" praises the tool, and does not help to choose it (${share(tools)}: ${namesAndMore(tools.named, tools.found)})`,
});

export const descriptionRestatesName = defineDiagnostic<FoundTools>({
  code: "MW2329",
  severity: "warning",
  message: (tools) =>
    `the description says no more than the name (${share(tools)}: ${namesAndMore(tools.named, tools.found)})`,
  hint: () => "say what comes back, when to use the tool, or what it cannot do",
});
