import type { JSX } from "preact";
import type { AppMember, AppView } from "../../runtime/apps/app-view.js";
import { DataView, Table } from "../content/data-view.js";
import { Name, Text } from "../content/text.js";
import { visible } from "../content/visible-text.js";
import { texts } from "../texts.js";
import { Chart } from "./chart.js";
import { asObject } from "./host.js";

/** Lists whose objects have more members than this are shown as trees. */
const maxColumns = 40;

type Row = Readonly<Record<string, unknown>>;

/** The result of a tool: a card for its plain members, and a part for each list or object. */
export function ResultView(props: {
  readonly view: AppView;
  readonly result: unknown;
}): JSX.Element {
  const { structuredContent, content, isError } = asObject(props.result);
  const value = asObject(structuredContent);
  if (isError === true || structuredContent === undefined) {
    return <Words content={content} isError={isError === true} />;
  }
  const members = membersIn(new Set(Object.keys(value)), props.view.members);
  const plain = members.filter(({ name }) => !isNested(value[name]));
  return (
    <>
      {plain.length > 0 && (
        <dl class="facts">
          {plain.map(({ name, label, description }) => (
            <div key={name}>
              <dt title={description && visible(description)}>
                <Name>{label}</Name>
              </dt>
              <dd>
                <DataView value={value[name]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {members
        .filter(({ name }) => isNested(value[name]))
        .map((member) => (
          <section key={member.name}>
            <h2>
              <Name>{member.label}</Name>
            </h2>
            {member.description !== undefined && (
              <p class="hint">
                <Text>{member.description}</Text>
              </p>
            )}
            <MemberView member={member} value={value[member.name]} />
          </section>
        ))}
      {members.length === 0 && <p>{texts.emptyAnswer}</p>}
    </>
  );
}

/** The members among names that are present: those of the schema, then all others. */
function membersIn(present: ReadonlySet<string>, stated: readonly AppMember[]): AppMember[] {
  const names = new Set(stated.map(({ name }) => name));
  const others = [...present].filter((name) => !names.has(name));
  return [
    ...stated.filter(({ name }) => present.has(name)),
    ...others.map((name) => ({ name, label: name })),
  ];
}

const isNested = (value: unknown): boolean => typeof value === "object" && value !== null;

function MemberView({
  member: { label, columns, chart },
  value,
}: {
  readonly member: AppMember;
  readonly value: unknown;
}): JSX.Element {
  const rows = columns === undefined ? undefined : rowsOf(value);
  if (columns === undefined || rows === undefined) return <DataView value={value} />;
  if (rows.length === 0) return <p class="hint">{texts.elements(0)}</p>;
  const present = membersIn(new Set(rows.flatMap(Object.keys)), columns);
  if (present.length > maxColumns) return <DataView value={value} />;
  return (
    <>
      {chart !== undefined && <Chart rows={rows} chart={chart} />}
      <Table rows={rows} columns={present} label={label} />
    </>
  );
}

/** The rows of a list of objects; undefined for what is shown in another way. */
function rowsOf(value: unknown): readonly Row[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const isRow = (row: unknown): boolean => isNested(row) && !Array.isArray(row);
  return value.every(isRow) ? (value as readonly Row[]) : undefined;
}

/** The texts of a result that has nothing else, or that reports an error. */
function Words(props: { readonly content: unknown; readonly isError: boolean }): JSX.Element {
  const blocks = Array.isArray(props.content) ? props.content.map(asObject) : [];
  const words = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return (
    <div class={props.isError ? "problem" : undefined}>
      {props.isError && <p>{texts.toolFailed}</p>}
      {words.map((text, index) => (
        <p key={index}>
          <Text>{text}</Text>
        </p>
      ))}
      {words.length === 0 && !props.isError && <p>{texts.emptyAnswer}</p>}
    </div>
  );
}
