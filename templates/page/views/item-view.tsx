import type { JSX } from "preact";
import { titleOf, type Item } from "../connection/catalogue.js";
import type { PreviewState } from "../connection/preview.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import { Icon } from "./icon.js";
import type { ItemViewProps } from "./item-view-props.js";
import { Problems, problemsOfItem } from "./manifest-problems.js";
import { PromptView } from "./prompt-view.js";
import { ResourceView, TemplateView } from "./resource-views.js";
import { ToolView } from "./tool-view.js";

/** An item with its name, its description, and a form to try it. */
export function ItemView(
  props: ItemViewProps<Item> & { readonly preview: PreviewState | undefined },
): JSX.Element {
  const { item: listed, preview } = props;
  const problems = problemsOfItem(preview, listed);
  const { kind, key, item } = listed;
  const title = titleOf(listed);
  const groups = preview?.groups?.[kind]?.[key] ?? [];
  const isDeprecated = preview?.deprecated?.[kind]?.[key] === true;
  return (
    <article>
      <p class="kind">
        {texts.kind[kind]}
        {isDeprecated && <span class="mark">{texts.deprecated}</span>}
      </p>
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
      {groups.length > 0 && (
        <ul class="chips">
          {groups.map((group) => (
            <li key={group} class="chip">
              <Text>{texts.group(group)}</Text>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
      <ViewOf {...props} />
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
  }
}
