/** The choices. A short run uses the first of each. */
const choices = {
  methods: ["tools/call", "tools/list", "resources/read", "prompts/get"],
  eras: ["2026-07-28", "2025-11-25"],
  transports: ["http", "stdio"],
  servers: ["echo", "fast", "sdk-path", "low-level", "shared", "factory"],
  parts: ["calls", "start", "bodies", "access", "acting", "scale", "workers", "field"],
} as const;

export type Method = (typeof choices.methods)[number];
export type Era = (typeof choices.eras)[number];
export type Transport = (typeof choices.transports)[number];
export type ServerName = (typeof choices.servers)[number] | "bundle";

export interface BenchOptions {
  /** What is measured: what calls cost, what it takes to start, what bodies of the manifest cost, what access and the audit trail cost, what a token of the caller's own costs, what it costs to share, what several workers do, and a workload as servers have it in the field. */
  readonly parts: readonly (typeof choices.parts)[number][];
  readonly methods: readonly Method[];
  readonly eras: readonly Era[];
  readonly transports: readonly Transport[];
  readonly servers: readonly ServerName[];
  readonly tools: readonly number[];
  readonly connections: readonly number[];
  /** How often each server has its turn. */
  readonly rounds: number;
  /** CPU time of a turn, in milliseconds. */
  readonly turnMs: number;
}

const everything: BenchOptions = {
  ...choices,
  tools: [1, 100, 1_000, 10_000],
  connections: [1, 16, 64],
  rounds: 7,
  turnMs: 300,
};

const short: BenchOptions = {
  ...everything,
  methods: ["tools/call", "tools/list"],
  eras: ["2026-07-28"],
  transports: ["http"],
  parts: ["calls"],
  tools: [1, 100],
  connections: [16],
  rounds: 5,
  turnMs: 150,
};

/**
 * Reads `--short`, and `--methods tools/call,tools/list` and the like: what is not named stays as it is.
 * @throws Error for an option or a value that does not exist
 */
export function readOptions(argv: readonly string[]): BenchOptions {
  const chosen = new Map<string, string>();
  for (let index = 0; index < argv.length; index++) {
    const name = argv[index]!;
    if (name !== "--short") chosen.set(name, argv[++index] ?? "");
  }
  const base = argv.includes("--short") ? short : everything;
  const options = [...chosen].map(([flag, text]) => {
    const name = flag.replace(/^--/, "");
    if (!(name in base)) throw new Error(`Unknown option ${flag}`);
    return [name, valueOf(name, text)] as const;
  });
  return { ...base, ...(Object.fromEntries(options) as Partial<BenchOptions>) };
}

function valueOf(name: string, text: string): unknown {
  if (name === "rounds" || name === "turnMs") return Number(text);
  const values = text.split(",");
  if (name === "tools" || name === "connections") return values.map(Number);
  const known: readonly string[] = choices[name as keyof typeof choices];
  const unknown = values.find((value) => !known.includes(value));
  if (unknown !== undefined)
    throw new Error(`--${name}: ${unknown} is none of ${known.join(", ")}`);
  return values;
}
