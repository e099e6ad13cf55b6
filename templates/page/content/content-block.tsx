import type { ContentBlock, ReadResourceResult } from "@modelcontextprotocol/client";
import type { JSX } from "preact";
import { itemAddress } from "../address.js";
import { texts } from "../texts.js";
import { DataView } from "./data-view.js";
import { Markdown } from "./markdown.js";
import { CodeBlock, Text } from "./text.js";
import { Tabs } from "./tabs.js";

type ResourceContent = ReadResourceResult["contents"][number];

/** A block of an answer or a prompt, shown by its kind. */
export function Content({ block }: { readonly block: ContentBlock }): JSX.Element {
  switch (block.type) {
    case "text":
      return <TextContent text={block.text} mimeType={undefined} />;
    case "image":
      return <Media data={block.data} mimeType={block.mimeType} />;
    case "audio":
      return <Media data={block.data} mimeType={block.mimeType} />;
    case "resource_link":
      return (
        <ResourceLink
          uri={block.uri}
          title={block.title ?? block.name}
          description={block.description}
        />
      );
    case "resource":
      return (
        <section class="embedded">
          <p class="hint">{texts.embeddedResource}</p>
          <ResourceContents contents={block.resource} />
        </section>
      );
    default:
      return (
        <>
          <p class="hint">{texts.unknownContent}</p>
          <DataView value={block} />
        </>
      );
  }
}

/** The contents of a resource with its URI. */
export function ResourceContents({
  contents,
}: {
  readonly contents: ResourceContent;
}): JSX.Element {
  const { uri, mimeType } = contents;
  return (
    <figure>
      <figcaption>
        <code>
          <Text>{uri}</Text>
        </code>
        {mimeType !== undefined && (
          <span class="chip">
            <Text>{mimeType}</Text>
          </span>
        )}
      </figcaption>
      {"text" in contents ? (
        <TextContent text={contents.text} mimeType={mimeType} />
      ) : (
        <Media data={contents.blob} mimeType={mimeType ?? "application/octet-stream"} />
      )}
    </figure>
  );
}

/** A text, with further tabs if it is JSON or Markdown. */
function TextContent(props: {
  readonly text: string;
  readonly mimeType: string | undefined;
}): JSX.Element {
  const { text, mimeType = "" } = props;
  const json = parseJson(text);
  const source = {
    name: texts.asText,
    content: <CodeBlock text={text} label={texts.asText} />,
  };
  const tree = json !== undefined && {
    name: texts.asTree,
    content: <DataView value={json} />,
  };
  const markdown = mayBeMarkdown(text, mimeType) && {
    name: texts.asMarkdown,
    content: <Markdown>{text}</Markdown>,
  };
  const views = mimeType === "text/markdown" ? [markdown, source] : [tree, source, markdown];
  const applicableViews = views.filter((view) => view !== false);
  return applicableViews.length === 1 ? (
    source.content
  ) : (
    <Tabs label={texts.textView} tabs={applicableViews} />
  );
}

/** Parses a text that looks like a JSON object or list. Returns undefined if it is not valid JSON. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function mayBeMarkdown(text: string, mimeType: string): boolean {
  if (mimeType === "text/markdown") return true;
  return mimeType === "" && /^#{1,6} |\*\*\S|^[-*] |^\d+\. |```|\[[^\]]+\]\(|^\|.+\|$/m.test(text);
}

/** Binary data. Images and sounds are shown, other data can be saved. */
function Media(props: { readonly data: string; readonly mimeType: string }): JSX.Element {
  const { data, mimeType } = props;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : "application/octet-stream";
  const source = `data:${type};base64,${data.replace(/[^\w+/=-]/g, "")}`;
  if (type.startsWith("image/")) {
    return <img class="content-image" src={source} alt={texts.imageOf(type)} />;
  }
  if (type.startsWith("audio/")) {
    return <audio controls src={source} aria-label={texts.audioOf(type)} />;
  }
  return (
    <p>
      <a href={source} download="content">
        {texts.download}
      </a>{" "}
      <span class="hint">
        {type}, {texts.bytes(Math.floor((data.length * 3) / 4))}
      </span>
    </p>
  );
}

function ResourceLink(props: {
  readonly uri: string;
  readonly title: string;
  readonly description: string | undefined;
}): JSX.Element {
  return (
    <section class="linked">
      <p class="hint">{texts.resourceLink}</p>
      <p>
        <strong>
          <Text>{props.title}</Text>
        </strong>{" "}
        <code>
          <Text>{props.uri}</Text>
        </code>
      </p>
      {props.description !== undefined && (
        <p>
          <Text>{props.description}</Text>
        </p>
      )}
      <a class="button" href={itemAddress("resource", props.uri)}>
        {texts.openResource}
      </a>
    </section>
  );
}
