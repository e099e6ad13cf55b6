import type { JSX } from "preact";
import { ITEM_KINDS, itemsOf, type Catalogue } from "../connection/catalogue.js";
import type { Connection } from "../connection/connection.js";
import { Markdown } from "../content/markdown.js";
import { CodeBlock, Text } from "../content/text.js";
import { texts } from "../texts.js";
import { clientsFor } from "./clients.js";
import { Icon } from "./icon.js";

/** The server's description, its instructions for models, and how to connect clients. */
export function Overview(props: {
  readonly catalogue: Catalogue;
  readonly connection: Connection | undefined;
  /** How many tokens all lists take; known in previews. */
  readonly tokens: number | undefined;
}): JSX.Element {
  const { catalogue, connection, tokens } = props;
  const { server, instructions } = catalogue;
  return (
    <article class="overview">
      <div class="heading">
        <Icon icons={server.icons} />
        <div>
          <h1>
            <Text>{server.title ?? server.name}</Text>
          </h1>
          <p class="key">
            <code>
              <Text>{server.name}</Text>
            </code>
          </p>
        </div>
      </div>
      {server.description !== undefined && (
        <p class="lead">
          <Text>{server.description}</Text>
        </p>
      )}
      <Counts catalogue={catalogue} tokens={tokens} />
      <Website url={server.websiteUrl} />
      {instructions !== undefined && instructions !== "" && (
        <section class="card">
          <h2>{texts.instructions}</h2>
          <Markdown>{instructions}</Markdown>
        </section>
      )}
      {connection !== undefined && <Clients name={server.name} url={connection.url} />}
    </article>
  );
}

function Counts({
  catalogue,
  tokens,
}: {
  readonly catalogue: Catalogue;
  readonly tokens: number | undefined;
}): JSX.Element {
  const items = itemsOf(catalogue);
  return (
    <ul class="counts">
      {ITEM_KINDS.map((kind) => {
        const { length } = items.filter((item) => item.kind === kind);
        if (length === 0) return null;
        return (
          <li key={kind}>
            <strong>{length}</strong> {texts.kinds[kind]}
          </li>
        );
      })}
      {tokens !== undefined && (
        <li>
          <strong>{tokens.toLocaleString("en")}</strong> {texts.tokensOfAll}
        </li>
      )}
    </ul>
  );
}

function Website({ url }: { readonly url: string | undefined }): JSX.Element | null {
  if (url === undefined || !/^https?:\/\//i.test(url)) return null;
  return (
    <p>
      {texts.website}:{" "}
      <a href={url} target="_blank" rel="noopener noreferrer">
        <Text>{url}</Text>
      </a>
    </p>
  );
}

function Clients({ name, url }: { readonly name: string; readonly url: string }): JSX.Element {
  const { links, commands, entry } = clientsFor(name, url);
  return (
    <section class="card">
      <h2>{texts.connectClient}</h2>
      <p>{texts.connectClientHint}</p>
      <CodeBlock text={url} label={texts.connectClientHint} />
      <p class="buttons">
        {links.map(({ client, address }) => (
          <a key={client} class="button" href={address}>
            {texts.installIn(client)}
          </a>
        ))}
      </p>
      {commands.map(({ client, command }) => (
        <div key={client}>
          <p>{texts.commandFor(client)}</p>
          <CodeBlock text={command} label={texts.commandFor(client)} />
        </div>
      ))}
      <p>{texts.configuration}</p>
      <CodeBlock text={entry} label={texts.configuration} />
    </section>
  );
}
