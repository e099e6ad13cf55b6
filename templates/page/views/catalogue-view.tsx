import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { isAt, type Place } from "../address.js";
import { itemsOf, titleOf, type Catalogue, type Item } from "../connection/catalogue.js";
import type { Connection, TokenRefused } from "../connection/connection.js";
import type { FollowedManifest } from "../connection/preview.js";
import { Text } from "../content/text.js";
import { visible } from "../content/visible-text.js";
import { texts } from "../texts.js";
import { Boundary } from "./boundary.js";
import { ItemView } from "./item-view.js";
import { ManifestState } from "./manifest-problems.js";
import { Navigation } from "./navigation.js";
import { Overview } from "./overview.js";
import { Icon } from "./icon.js";

export interface CatalogueViewProps {
  readonly catalogue: Catalogue;
  readonly place: Place | undefined;
  /** Absent where nothing can be called. */
  readonly connection: Connection | undefined;
  /** Of a page that shows a manifest before there is a project. */
  readonly preview?: FollowedManifest | undefined;
  /** Asks for another token; absent where there is none to change. */
  readonly onToken?: (() => void) | undefined;
  readonly onRefused?: ((refused?: TokenRefused) => void) | undefined;
}

/** The page of a server: its name, the list of all that it has, and the item that was chosen. */
export function CatalogueView(props: CatalogueViewProps): JSX.Element {
  const { catalogue, place, connection, preview } = props;
  const items = useMemo(() => itemsOf(catalogue), [catalogue]);
  const item = items.find((one) => isAt(place, one)) ?? (connection && unlistedResource(place));
  const main = useFocusOnChange(place);
  useTitle(catalogue, item);
  return (
    <div class={place === undefined ? "page" : "page with-item"}>
      <a class="skip" href="#content" onClick={(event) => skipTo(event, main.current)}>
        {texts.skip}
      </a>
      <Header {...props} />
      <Navigation items={items} place={place} preview={preview} />
      <main id="content" ref={main} tabIndex={-1}>
        {preview !== undefined && <ManifestState preview={preview} item={item} />}
        {place === undefined ? (
          <Overview
            catalogue={catalogue}
            connection={preview === undefined ? connection : undefined}
          />
        ) : (
          <>
            <a class="back" href="#/">
              ← {texts.back}
            </a>
            {item === undefined ? (
              <article>
                <h1>{texts.gone}</h1>
                <p class="lead">{texts.goneHint}</p>
              </article>
            ) : (
              <Boundary key={`${item.kind} ${item.key}`}>
                <ItemView
                  item={item}
                  preview={preview}
                  connection={connection}
                  onRefused={props.onRefused}
                />
              </Boundary>
            )}
          </>
        )}
      </main>
    </div>
  );
}

/** Answers lead to resources that no list has, which can be read all the same. */
function unlistedResource(place: Place | undefined): Item | undefined {
  if (place?.kind !== "resource") return undefined;
  const { kind, key } = place;
  return { kind, key, item: { uri: key, name: key, description: texts.unlisted } };
}

function Header({ catalogue, connection, preview, onToken }: CatalogueViewProps): JSX.Element {
  const { server } = catalogue;
  return (
    <header>
      <a class="server" href="#/">
        <Icon icons={server.icons} />
        <span class="title">
          <Text>{server.title ?? server.name}</Text>
        </span>
        <span class="version">
          <Text>{server.version}</Text>
        </span>
      </a>
      <span class="status">
        {preview !== undefined
          ? texts.previewOf(preview.file)
          : connection === undefined
            ? texts.staticPage
            : texts.protocol(connection.protocol)}
      </span>
      {onToken !== undefined && (
        <button type="button" class="quiet" onClick={onToken}>
          {texts.changeToken}
        </button>
      )}
    </header>
  );
}

/** An item that was chosen gets the focus, so that a keyboard goes on from there. */
function useFocusOnChange(place: Place | undefined): { readonly current: HTMLElement | null } {
  const main = useRef<HTMLElement>(null);
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [place]);
  return main;
}

function skipTo(event: Event, target: HTMLElement | null): void {
  // The address of the page says which item it shows.
  event.preventDefault();
  target?.focus();
}

function useTitle({ server }: Catalogue, item: Item | undefined): void {
  useEffect(() => {
    const title = server.title ?? server.name;
    document.title = visible(item === undefined ? title : `${titleOf(item)} · ${title}`);
  }, [server, item]);
}
