import type { JSX } from "preact";
import { itemAddress } from "../address.js";
import type { Item, ItemKind } from "../connection/catalogue.js";
import type { FollowedManifest, ManifestProblem, PreviewState } from "../connection/preview.js";
import { Shortened } from "../content/shortened.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";

/** The kind of the items in each list of a manifest. */
const KINDS: Readonly<Record<string, ItemKind>> = {
  tools: "tool",
  resources: "resource",
  resourceTemplates: "template",
  prompts: "prompt",
};

type Diagnostics = PreviewState["diagnostics"];

/** Caches the problems of each item, by the list of all problems. */
const problemsByItem = new WeakMap<Diagnostics, ReadonlyMap<string, Diagnostics>>();

/** The problems that are about an item. */
export function problemsOfItem(
  preview: PreviewState | undefined,
  { kind, key }: Item,
): Diagnostics {
  if (preview === undefined) return [];
  const { diagnostics } = preview;
  const grouped = problemsByItem.get(diagnostics) ?? Map.groupBy(diagnostics, itemOf);
  problemsByItem.set(diagnostics, grouped);
  return grouped.get(`${kind} ${key}`) ?? [];
}

function itemOf({ item }: ManifestProblem): string {
  return item === undefined ? "" : `${KINDS[item.list]} ${item.key}`;
}

/**
 * The state of the manifest: whether the page shows its last saved version, and its problems.
 *
 * @param item The chosen item. Its own view shows its problems.
 */
export function ManifestState(props: {
  readonly preview: FollowedManifest;
  readonly item: Item | undefined;
}): JSX.Element {
  const { preview, item } = props;
  const { isCurrent, hasEnded, diagnostics } = preview;
  const shownBelow = item === undefined ? 0 : problemsOfItem(preview, item).length;
  return (
    <section class="manifest" aria-label={texts.manifest} role="status">
      {hasEnded && (
        <p class="stale">
          <strong>{texts.previewEnded}</strong>
        </p>
      )}
      {!isCurrent && (
        <p class="stale">
          <strong>{texts.staleManifest}</strong>
        </p>
      )}
      {diagnostics.length > 0 && (
        <details open={!isCurrent && diagnostics.length > shownBelow}>
          <summary>{texts.manifestProblems(diagnostics.length)}</summary>
          <Problems problems={diagnostics} withLinks />
        </details>
      )}
    </section>
  );
}

/** Problems with line and column, and with links to their items if requested. */
export function Problems(props: {
  readonly problems: readonly ManifestProblem[];
  readonly withLinks?: boolean;
}): JSX.Element {
  const { problems, withLinks = false } = props;
  return (
    <Shortened count={problems.length}>
      {(shown) => (
        <ul class="problems">
          {problems
            .slice(0, shown)
            .map(({ severity, code, message, file, line, column, item }, index) => {
              const kind = item === undefined ? undefined : KINDS[item.list];
              return (
                <li key={index} class={severity === "error" ? "error" : "warning"}>
                  <span class="severity">{severity}</span> <span class="code-name">{code}</span>{" "}
                  <Text>{message}</Text>{" "}
                  <span class="hint">
                    <Text>{`${file}:${line}:${column}`}</Text>
                  </span>
                  {withLinks && kind !== undefined && item !== undefined && item.key !== "" && (
                    <>
                      {" "}
                      <a href={itemAddress(kind, item.key)}>
                        <Text>{item.key}</Text>
                      </a>
                    </>
                  )}
                </li>
              );
            })}
        </ul>
      )}
    </Shortened>
  );
}
