/** One figure on a page of metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: Sample[];
}

/**
 * Reads a page in the text format of Prometheus, version 0.0.4, as strictly as its own checker does:
 * every name described once and in one piece, nothing twice, histograms complete and growing.
 * @throws Error that names the line
 */
export function readPrometheusText(page: string): Sample[] {
  if (!page.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, Family>();
  let family: Family | undefined;
  let help: string | undefined;
  const seen = new Set<string>();
  for (const line of page.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] =
      /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (families.has(name)) throw new Error(`described twice: ${line}`);
      help = name;
    } else if (kind === "TYPE") {
      if (help !== name) throw new Error(`not described: ${line}`);
      checkType(name, rest);
      family = { name, type: rest, samples: [] };
      families.set(name, family);
    } else {
      const sample = readSample(line);
      const owner = family && ownerOf(sample.name, family);
      if (owner === undefined) throw new Error(`out of place: ${line}`);
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()]);
      if (seen.has(key)) throw new Error(`twice: ${line}`);
      seen.add(key);
      owner.samples.push(sample);
    }
  }
  for (const one of families.values()) if (one.type === "histogram") checkHistogram(one);
  return [...families.values()].flatMap(({ samples }) => samples);
}

function checkType(name: string, type: string): void {
  if (!["counter", "gauge", "histogram"].includes(type)) throw new Error(`${name}: type ${type}`);
  if ((type === "counter") !== name.endsWith("_total")) {
    throw new Error(`${name}: counters, and no others, end in _total`);
  }
}

function ownerOf(name: string, family: Family): Family | undefined {
  const suffix = name.slice(family.name.length);
  const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  return name.startsWith(family.name) && suffixes.includes(suffix) ? family : undefined;
}

function readSample(line: string): Sample {
  const [, name, , inside, value] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.+)\})? (-?[0-9.]+(?:e[+-]?\d+)?|\+Inf|NaN)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  let rest = inside ?? "";
  while (rest !== "") {
    const [whole, label, text] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)/.exec(rest) ?? [];
    if (whole === undefined || label === undefined) throw new Error(`bad labels: ${line}`);
    if (Object.hasOwn(labels, label)) throw new Error(`label ${label} twice: ${line}`);
    labels[label] = (text ?? "").replace(/\\(.)/g, (_all, character: string) =>
      character === "n" ? "\n" : character,
    );
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: value === "+Inf" ? Infinity : Number(value) };
}

function checkHistogram({ name, samples }: Family): void {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _le, ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [labels, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels["le"]?.replace("+Inf", "Infinity")));
    const counts = buckets.map(({ value }) => value);
    const of = (suffix: string) => group.find((sample) => sample.name === `${name}_${suffix}`);
    if (bounds.at(-1) !== Infinity || !isGrowing(bounds) || !isGrowing(counts)) {
      throw new Error(`${name}${labels}: buckets out of order`);
    }
    if (of("sum") === undefined || of("count")?.value !== counts.at(-1)) {
      throw new Error(`${name}${labels}: sum or count is missing or wrong`);
    }
  }
}

function isGrowing(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0));
}
