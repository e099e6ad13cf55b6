import type { JSX } from "preact";
import { pathInSkill, type Skill } from "../connection/skills.js";
import { DataView } from "../content/data-view.js";
import { Shortened } from "../content/shortened.js";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import type { ItemViewProps } from "./item-view-props.js";
import { OperationView, useOperation } from "./operation.js";

/** A skill with its facts and its files, each with a button to read it. */
export function SkillView(props: ItemViewProps<Skill>): JSX.Element {
  const { item: skill, connection } = props;
  const operation = useOperation(connection, props.onRefused);
  const read = (uri: string): void => {
    if (!operation.isRunning) operation.run({ method: "resources/read", uri });
  };
  const files = skill.files.length > 0 ? skill.files : [{ uri: skill.uri }];
  return (
    <div class="columns">
      <section class="card">
        <h2>{texts.files}</h2>
        <Shortened count={files.length}>
          {(shown) => (
            <ul class="files">
              {files.slice(0, shown).map((file) => {
                const path = <Text>{pathInSkill(skill, file)}</Text>;
                return (
                  <li key={file.uri}>
                    {connection === undefined ? (
                      path
                    ) : (
                      <button
                        type="button"
                        class="quiet"
                        aria-disabled={operation.isRunning}
                        onClick={() => read(file.uri)}
                      >
                        {path}
                      </button>
                    )}{" "}
                    {file.size !== undefined && <span class="size">{texts.bytes(file.size)}</span>}
                  </li>
                );
              })}
            </ul>
          )}
        </Shortened>
        {Object.keys(skill.facts).length > 0 && (
          <>
            <h2>{texts.skillFacts}</h2>
            <DataView value={skill.facts} />
          </>
        )}
      </section>
      {connection !== undefined && <OperationView {...operation} />}
    </div>
  );
}
