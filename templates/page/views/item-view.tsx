import type { JSX } from "preact";
import { titleOf, type Item } from "../connection/catalogue.js";
import { valueOf, type ItemMarks } from "../connection/item-marks.js";
import type { PreviewState } from "../connection/preview.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import { Icon } from "./icon.js";
import type { ItemViewProps } from "./item-view-props.js";
import { Problems, problemsOfItem } from "./manifest-problems.js";
import { PromptView } from "./prompt-view.js";
import { SkillView } from "./skill-view.js";
import { ResourceView, TemplateView } from "./resource-views.js";
import { ToolView } from "./tool-view.js";

/** An item with its name, its description, and a form to try it. */
export function ItemView(
  props: ItemViewProps<Item> & {
    readonly marks: ItemMarks;
    readonly preview: PreviewState | undefined;
  },
): JSX.Element {
  const { item: listed, marks, preview, ...others } = props;
  const problems = problemsOfItem(preview, listed);
  const { kind, key, item } = listed;
  const title = titleOf(listed);
  return (
    <article>
      <p class="kind">{texts.kind[kind]}</p>
      <div class="heading">
        <Icon icons={item.icons} />
        <h1>
          <Text>{title}</Text>
        </h1>
      </div>
      {key !== title && (
        <p class="key">
          <code>
            <Text>{key}</Text>
          </code>
        </p>
      )}
      {item.description !== undefined && (
        <p class="lead">
          <Text>{item.description}</Text>
        </p>
      )}
      <Marks {...marks} tokens={valueOf(preview?.tokens?.items, listed)} />
      {problems.length > 0 && <Problems problems={problems} />}
      <ViewOf item={listed} {...others} />
    </article>
  );
}

function ViewOf({ item: listed, ...others }: ItemViewProps<Item>): JSX.Element {
  switch (listed.kind) {
    case "tool":
      return <ToolView item={listed.item} {...others} />;
    case "resource":
      return <ResourceView item={listed.item} {...others} />;
    case "template":
      return <TemplateView item={listed.item} {...others} />;
    case "prompt":
      return <PromptView item={listed.item} {...others} />;
    case "skill":
      return <SkillView item={listed.item} {...others} />;
  }
}

/** What is said of an item beside its definition: its end, its groups, whether it asks, and its costs. */
function Marks({
  deprecated,
  groups = [],
  confirm = false,
  tokens,
}: ItemMarks & { readonly tokens: number | undefined }): JSX.Element | null {
  if (deprecated === undefined && groups.length === 0 && !confirm && tokens === undefined) {
    return null;
  }
  return (
    <ul class="chips" aria-label={texts.marks}>
      {deprecated !== undefined && (
        <li class="chip warning">
          <Text>{texts.deprecatedItem(deprecated)}</Text>
        </li>
      )}
      {confirm && <li class="chip warning">{texts.confirms}</li>}
      {groups.map((group) => (
        <li key={group} class="chip">
          <Text>{texts.group(group)}</Text>
        </li>
      ))}
      {tokens !== undefined && <li class="chip">{texts.tokens(tokens)}</li>}
    </ul>
  );
}
