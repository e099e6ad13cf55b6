import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { isAddressOf, type ItemAddress } from "../address.js";
import { itemsOf, marksOf, titleOf, type Catalogue, type Item } from "../connection/catalogue.js";
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
  readonly address: ItemAddress | undefined;
  /** Undefined on a static page, which cannot call the server. */
  readonly connection: Connection | undefined;
  /** The manifest's state in a preview; undefined outside of previews. */
  readonly preview?: FollowedManifest | undefined;
  /** Asks the user for another token; undefined if no token is used. */
  readonly onToken?: (() => void) | undefined;
  readonly onRefused?: ((refused?: TokenRefused) => void) | undefined;
}

/** The page of a server: its name, its items, and the chosen item or the overview. */
export function CatalogueView(props: CatalogueViewProps): JSX.Element {
  const { catalogue, address, connection, preview } = props;
  const items = useMemo(() => itemsOf(catalogue), [catalogue]);
  const item =
    items.find((listed) => isAddressOf(address, listed)) ??
    (connection && unlistedResource(address));
  const main = useFocusOnChange(address);
  useTitle(catalogue, item);
  return (
    <div class={address === undefined ? "page" : "page with-item"}>
      <a class="skip" href="#content" onClick={(event) => skipTo(event, main.current)}>
        {texts.skip}
      </a>
      <Header {...props} />
      <Navigation catalogue={catalogue} items={items} address={address} preview={preview} />
      <main id="content" ref={main} tabIndex={-1}>
        {preview !== undefined && <ManifestState preview={preview} item={item} />}
        {address === undefined ? (
          <Overview
            catalogue={catalogue}
            connection={preview === undefined ? connection : undefined}
            tokens={preview?.tokens?.all}
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
                  marks={marksOf(catalogue, item)}
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

/** The resource of an address that no list contains. Answers may link to such resources. */
function unlistedResource(address: ItemAddress | undefined): Item | undefined {
  if (address?.kind !== "resource") return undefined;
  const { kind, key } = address;
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

/** Moves the focus to a newly chosen item, for keyboard users. */
function useFocusOnChange(address: ItemAddress | undefined): {
  readonly current: HTMLElement | null;
} {
  const main = useRef<HTMLElement>(null);
  const previous = useRef(address);
  useEffect(() => {
    if (previous.current === address) return;
    previous.current = address;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [address]);
  return main;
}

function skipTo(event: Event, target: HTMLElement | null): void {
  // Following the link would change the page's address, which names the shown item.
  event.preventDefault();
  target?.focus();
}

function useTitle({ server }: Catalogue, item: Item | undefined): void {
  useEffect(() => {
    const title = server.title ?? server.name;
    document.title = visible(item === undefined ? title : `${titleOf(item)} · ${title}`);
  }, [server, item]);
}
