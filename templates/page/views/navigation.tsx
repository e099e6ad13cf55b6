import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isAddressOf, itemAddress, type ItemAddress } from "../address.js";
import {
  ITEM_KINDS,
  marksOf,
  searchItems,
  titleOf,
  type Catalogue,
  type Item,
} from "../connection/catalogue.js";
import type { FollowedManifest } from "../connection/preview.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import { problemsOfItem } from "./manifest-problems.js";

/** All items by kind, with a search. The key `/` moves the focus to the search. */
export function Navigation(props: {
  readonly catalogue: Catalogue;
  readonly items: readonly Item[];
  readonly address: ItemAddress | undefined;
  readonly preview: FollowedManifest | undefined;
}): JSX.Element {
  const { catalogue, items, address, preview } = props;
  const [search, setSearch] = useState("");
  const matches = useMemo(() => searchItems(items, search), [items, search]);
  const input = useRef<HTMLInputElement>(null);
  useSlashShortcut(input);
  return (
    <nav aria-label={texts.navigation}>
      <div class="search">
        <input
          ref={input}
          type="search"
          aria-label={texts.searchLabel}
          placeholder={texts.searchPlaceholder(items.length)}
          aria-keyshortcuts="/"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <p class="found" role="status">
          {search !== "" && texts.found(matches.length)}
        </p>
      </div>
      {matches.length === 0 && (
        <p class="hint">{search === "" ? texts.nothingListed : texts.nothingFound}</p>
      )}
      <List {...{ catalogue, matches, address, preview }} />
    </nav>
  );
}

function List(props: {
  readonly catalogue: Catalogue;
  readonly matches: readonly Item[];
  readonly address: ItemAddress | undefined;
  readonly preview: FollowedManifest | undefined;
}): JSX.Element {
  const { catalogue, matches, address, preview } = props;
  return (
    <>
      {ITEM_KINDS.map((kind) => {
        const items = matches.filter((item) => item.kind === kind);
        if (items.length === 0) return null;
        return (
          <section key={kind} aria-labelledby={`list-${kind}`}>
            <h2 id={`list-${kind}`}>
              {texts.kinds[kind]} <span class="count">{items.length}</span>
            </h2>
            <ul>
              {items.map((item) => (
                <li key={item.key}>
                  <ItemLink
                    item={item}
                    isShown={isAddressOf(address, item)}
                    isDeprecated={marksOf(catalogue, item).deprecated !== undefined}
                    problems={problemsOfItem(preview, item).length}
                  />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function ItemLink(props: {
  readonly item: Item;
  readonly isShown: boolean;
  readonly isDeprecated: boolean;
  readonly problems: number;
}): JSX.Element {
  const { item: listed, isShown, isDeprecated, problems } = props;
  const { kind, key, item } = listed;
  const title = titleOf(listed);
  return (
    <a href={itemAddress(kind, key)} aria-current={isShown ? "page" : undefined}>
      <span class="item-name">
        <Text>{title}</Text>
      </span>
      {title !== item.name && (
        <span class="item-key">
          <Text>{item.name}</Text>
        </span>
      )}
      {isDeprecated && <span class="item-deprecated">{texts.deprecated}</span>}
      {problems > 0 && <span class="item-problems">{texts.manifestProblems(problems)}</span>}
    </a>
  );
}

/** Moves the focus to the search if the key `/` is pressed outside of inputs and dialogs. */
function useSlashShortcut(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent): void => {
      const { target } = event;
      const isTyping = target instanceof Element && target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", focusSearch);
    return () => removeEventListener("keydown", focusSearch);
  }, [input]);
}
