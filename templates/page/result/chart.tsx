import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AppChart } from "../../runtime/apps/app-view.js";
import { visible } from "../content/visible-text.js";
import { texts } from "../texts.js";

/** The most bars that are drawn. The table below has all rows. */
const maxBars = 30;
const [barHeight, lineHeight] = [26, 220];
/** The room for numbers beside what is drawn. */
const numberWidth = 80;
const [narrowest, widest] = [280, 800];

interface Point {
  readonly name: string;
  readonly value: number;
  /** The place on the axis of dates. */
  readonly time: number;
}

type Row = Readonly<Record<string, unknown>>;

/** The numbers of a list over its dates or names. Nothing where there are fewer than two, or too far apart to be drawn. */
export function Chart(props: {
  readonly rows: readonly Row[];
  readonly chart: AppChart;
}): JSX.Element | null {
  const { dates, value, axis } = props.chart;
  const points = pointsOf(props);
  const values = points.map((point) => point.value);
  // The length of a bar is its number; a line shows how numbers change.
  const base = dates ? [] : [0];
  const [low, high] = [Math.min(...base, ...values), Math.max(...base, ...values)];
  const width = useWidth();
  if (points.length < 2 || !Number.isFinite(high - low) || high === low) return null;
  const caption = texts.result.chart(visible(value.label), visible(axis.label));
  const Drawing = dates ? Line : Bars;
  return (
    <figure class="chart">
      <Drawing {...{ points, low, width }} span={high - low} label={caption} />
      <figcaption class="hint">
        {caption}
        {!dates && props.rows.length > maxBars && texts.result.firstOf(maxBars, props.rows.length)}
      </figcaption>
    </figure>
  );
}

/** The width for a drawing, so that its texts are as large as all others. */
function useWidth(): number {
  const fitting = (): number =>
    Math.min(Math.max(document.body.clientWidth - 32, narrowest), widest);
  const [width, setWidth] = useState(fitting);
  useEffect(() => {
    const fit = (): void => setWidth(fitting());
    addEventListener("resize", fit);
    return () => removeEventListener("resize", fit);
  }, []);
  return width;
}

function pointsOf({ rows, chart }: Parameters<typeof Chart>[0]): readonly Point[] {
  const points = rows.flatMap((row): Point[] => {
    const [name, value] = [row[chart.axis.name], row[chart.value.name]];
    if (typeof name !== "string" || typeof value !== "number") return [];
    const time = chart.dates ? Date.parse(name) : 0;
    return Number.isFinite(value) && Number.isFinite(time) ? [{ name, value, time }] : [];
  });
  return chart.dates
    ? points.sort((one, other) => one.time - other.time).slice(-10_000)
    : points.slice(0, maxBars);
}

interface DrawingProps {
  readonly points: readonly Point[];
  readonly low: number;
  readonly span: number;
  readonly width: number;
  readonly label: string;
}

function Bars({ points, low, span, width, label }: DrawingProps): JSX.Element {
  const nameWidth = width * 0.3;
  const scale = (value: number): number =>
    nameWidth + ((value - low) / span) * (width - nameWidth - numberWidth);
  const height = points.length * barHeight;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} role="img" aria-label={label}>
      {points.map(({ name, value }, index) => {
        const [start, end] = [scale(Math.min(0, value)), scale(Math.max(0, value))];
        const middle = (index + 0.5) * barHeight;
        return (
          <g key={index}>
            <text class="before" x={nameWidth - 8} y={middle}>
              {short(name, Math.floor(nameWidth / 8))}
            </text>
            <rect
              x={start}
              y={middle - barHeight / 3}
              width={Math.max(end - start, 1)}
              height={(barHeight * 2) / 3}
            />
            <text x={end + 6} y={middle}>
              {numberText(value)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function Line({ points, low, span, width, label }: DrawingProps): JSX.Element {
  const [first, last] = [points[0]!, points.at(-1)!];
  const [left, right, top, bottom] = [numberWidth, width - 12, 12, lineHeight - 28];
  const duration = last.time - first.time || 1;
  const places = points.map(({ time, value }) => [
    left + ((time - first.time) / duration) * (right - left),
    bottom - ((value - low) / span) * (bottom - top),
  ]);
  return (
    <svg viewBox={`0 0 ${width} ${lineHeight}`} width={width} role="img" aria-label={label}>
      {[low, low + span].map((value, index) => {
        const y = index === 0 ? bottom : top;
        return (
          <g key={index}>
            <line x1={left} x2={right} y1={y} y2={y} />
            <text class="before" x={left - 8} y={y}>
              {numberText(value)}
            </text>
          </g>
        );
      })}
      <polyline points={places.map((place) => place.join()).join(" ")} />
      {places.length <= 60 &&
        places.map(([x, y], index) => <circle key={index} cx={x} cy={y} r="3" />)}
      <text x={left} y={lineHeight - 10}>
        {short(first.name, 16)}
      </text>
      <text class="before" x={right} y={lineHeight - 10}>
        {short(last.name, 16)}
      </text>
    </svg>
  );
}

const numberText = (value: number): string => String(Number(value.toPrecision(7)));

/** The start of a name that may be long. */
function short(name: string, length: number): string {
  const characters = [...name.slice(0, 2 * length)];
  return visible(
    characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : name,
  );
}
