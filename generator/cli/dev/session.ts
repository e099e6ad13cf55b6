import { join } from "node:path";
import { mergeConflict, projectFile, unusableOutputFolder } from "../../model/catalogue/project.js";
import { dependenciesMissing, serverEnded } from "../../model/catalogue/development.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { ServerModel } from "../../model/server-model.js";
import { generateProject, type Generated } from "../commands/generate.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { findPackage, neededPackages } from "../type-check/installed-packages.js";
import { typeCheck } from "../type-check/project-compiler.js";
import { readSources, type CheckedSources } from "./checked-sources.js";
import type { DevReporter } from "./dev-reporter.js";
import { FileWatch } from "./file-watch.js";
import { GRACE, ProjectServer, type Ending } from "./project-server.js";
import { serverCommand } from "./server-command.js";
import type { StdioBridge } from "./stdio-bridge.js";
import { differences, withFileOf, type Snapshot } from "./watched-files.js";

export interface SessionPlaces {
  /** Absolute. */
  readonly manifest: string;
  readonly outDir: string;
}

/**
 * One run of `dev`: generates, checks and restarts the server after each change, until it is told to
 * end. The server that runs is always the last one that was good.
 */
export class DevSession {
  readonly #places: SessionPlaces;
  readonly #reporter: DevReporter;
  readonly #parameters: readonly string[];
  readonly #openBridge: (onEnd: () => void) => StdioBridge;
  readonly #watch: FileWatch;
  readonly #stop = new AbortController();
  #status: ExitStatus = exitStatus.done;
  #bridge: StdioBridge | undefined;
  #isClientGone = false;
  /** The server that is meant to run. */
  #server: ProjectServer | undefined;
  /** The same, or the one that is being stopped. */
  #latest: ProjectServer | undefined;
  /** The files from which the server was started. */
  #startedFrom: Snapshot | undefined;

  /**
   * @param parameters what the command line passes on to the server
   * @param openBridge takes stdin and stdout for a client; called once, when a server needs it
   */
  constructor(
    places: SessionPlaces,
    reporter: DevReporter,
    parameters: readonly string[],
    openBridge: (onEnd: () => void) => StdioBridge,
  ) {
    this.#places = places;
    this.#reporter = reporter;
    this.#parameters = parameters;
    this.#openBridge = openBridge;
    this.#watch = new FileWatch(places);
  }

  /** Returns when it was told to end, or the client has gone. */
  async run(): Promise<ExitStatus> {
    const { manifest, outDir } = this.#places;
    const [file, folder] = [manifest, join(outDir, "src")].map((path) =>
      this.#reporter.shown(path),
    );
    this.#reporter.line(`watching ${file} and ${folder}; Ctrl-C ends it`);
    let snapshot = await this.#round(this.#watch.snapshot());
    while (!this.#stop.signal.aborted) {
      const changes = await this.#watch.changesSince(snapshot, this.#stop.signal);
      if (changes.length === 0) break;
      this.#reporter.line(`changed: ${this.#named(changes)}`);
      snapshot = await this.#round(this.#watch.snapshot());
    }
    await this.end();
    return this.#status;
  }

  /** Ends the watching, and the server with the time that it needs; returns when it has gone. */
  async end(): Promise<void> {
    this.#stop.abort();
    this.#watch.close();
    await this.#stopServer();
  }

  /** Ends the server at once. */
  kill(): void {
    this.#latest?.kill();
  }

  #named(changes: readonly string[]): string {
    const names = changes.slice(0, 3).map((path) => this.#reporter.shown(path));
    return `${names.join(", ")}${changes.length > 3 ? ` and ${changes.length - 3} more` : ""}`;
  }

  /**
   * Brings the project and the server up to date.
   *
   * @param before how the files were when it began
   * @returns how they were when it looked at them; what changed since needs another round
   */
  async #round(before: Snapshot): Promise<Snapshot> {
    const generated = await generateProject(this.#reporter.generation, false);
    // What generating has written is no change; the manifest may have been saved again meanwhile.
    const snapshot = withFileOf(before, this.#places.manifest, this.#watch.snapshot());
    const { model } = generated;
    if (this.#cannotBeMended(generated)) this.#giveUp(generated.status);
    else if (model === undefined || !isUsable(generated)) this.#keep();
    else if (this.#isUnchanged(snapshot)) this.#reporter.line("the server need not be restarted");
    else await this.#checkAndRestart(model(), snapshot);
    return snapshot;
  }

  /** What was saved again during the check is not started: it differs from the snapshot, and so gets another round. */
  async #checkAndRestart(model: ServerModel, snapshot: Snapshot): Promise<void> {
    const sources = await this.#checkedSources(snapshot);
    if (sources === "saved again") this.#reporter.line("saved again during the check");
    else if (sources === undefined) this.#keep();
    else await this.#restart(model, snapshot, sources);
  }

  /** No change of a watched file can put this right. */
  #cannotBeMended({ diagnostics }: Generated): boolean {
    return diagnostics.some(({ code }) => code === unusableOutputFolder.entry.code);
  }

  #giveUp(status: ExitStatus): void {
    this.#status = status;
    this.#stop.abort();
  }

  #isUnchanged(snapshot: Snapshot): boolean {
    const { manifest } = this.#places;
    if (this.#startedFrom === undefined || this.#server?.isAlive !== true) return false;
    return differences(this.#startedFrom, snapshot).every((path) => path === manifest);
  }

  /** The modules that can be run: the project's dependencies are there, and its own compiler accepts them. */
  async #checkedSources(snapshot: Snapshot): Promise<CheckedSources | "saved again" | undefined> {
    const { outDir } = this.#places;
    const needed = neededPackages(outDir);
    const missing = needed.filter((name) => findPackage(name, outDir) === undefined);
    if (missing.length > 0) {
      const place = projectFile(this.#reporter.shown(join(outDir, "package.json")));
      this.#isAccepted([dependenciesMissing(place, { names: missing, folder: outDir })]);
      return undefined;
    }
    if (this.#stop.signal.aborted) return undefined;
    const started = performance.now();
    const { folder } = this.#reporter.generation;
    const { diagnostics, sources } = await typeCheck(outDir, folder, this.#stop.signal);
    if (this.#stop.signal.aborted) return undefined;
    // Read before it looks whether they are still those that the compiler read.
    const modules = readSources(snapshot);
    if (differences(snapshot, this.#watch.snapshot()).length > 0) return "saved again";
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    this.#reporter.line(`type-checked in ${seconds} s`);
    return this.#isAccepted(diagnostics, sources) ? modules : undefined;
  }

  #isAccepted(diagnostics: readonly Diagnostic[], sources?: ReadonlyMap<string, string>): boolean {
    const ok = diagnostics.every(({ severity }) => severity !== "error");
    this.#reporter.problems(diagnostics, sources);
    this.#reporter.event("checked", { ok, ...this.#reporter.counted(diagnostics) });
    return ok;
  }

  #keep(): void {
    if (this.#stop.signal.aborted) return;
    const serving = this.#server?.isAlive === true;
    this.#reporter.event("waiting", { serving });
    this.#reporter.line(
      serving
        ? "not restarted: the last good server goes on"
        : "no server runs: waiting for a change",
    );
  }

  async #restart(model: ServerModel, snapshot: Snapshot, sources: CheckedSources): Promise<void> {
    const isFirst = this.#server === undefined;
    await this.#stopServer();
    if (this.#stop.signal.aborted) return;
    const command = serverCommand(model, this.#places.outDir, this.#parameters);
    const server = new ProjectServer(command, sources);
    this.#server = server;
    this.#latest = server;
    this.#startedFrom = snapshot;
    const { client } = server;
    if (client !== undefined) {
      this.#bridge ??= this.#openBridge(() => void this.#clientHasGone());
      this.#bridge.connect(client);
    }
    void server.ended.then((ending) => this.#onEnd(server, ending));
    const { processId } = server;
    this.#reporter.event("started", { processId, arguments: command.parameters });
    this.#reporter.line(
      `${isFirst ? "started" : "restarted"} the server (process ${processId}) ${command.parameters.join(" ")}`.trimEnd(),
    );
  }

  async #stopServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.client !== undefined) this.#bridge?.hold();
    // Also where another call has begun it.
    await this.#latest?.stop();
    if (server?.client !== undefined) this.#bridge?.disconnect();
  }

  /** A server that was stopped is not ours any more; another has ended by itself. */
  #onEnd(server: ProjectServer, ending: Ending): void {
    if (this.#server !== server || this.#isClientGone) return;
    if (server.client !== undefined) this.#bridge?.disconnect();
    const place = projectFile(this.#reporter.shown(join(this.#places.outDir, "src/main.ts")));
    const diagnostics = [serverEnded(place, { ending: inWords(ending) })];
    this.#reporter.event("ended", { ...ending, ...this.#reporter.counted(diagnostics) });
    this.#reporter.problems(diagnostics);
    this.#keep();
  }

  /** The server ends by itself, once it has answered. */
  async #clientHasGone(): Promise<void> {
    this.#reporter.line("the client has closed stdin");
    this.#isClientGone = true;
    await this.#server?.endedWithin(GRACE);
    this.#stop.abort();
  }
}

function inWords({ exitCode, signal }: Ending): string {
  if (signal !== null) return `by ${signal}`;
  return exitCode === null ? "before it had begun" : `with status ${exitCode}`;
}

/** Also where all that a person must know is that values of theirs were kept: that is said once. */
function isUsable({ status, diagnostics }: Generated): boolean {
  if (status === exitStatus.done) return true;
  return (
    status === exitStatus.needsPerson &&
    diagnostics.every(
      ({ code, severity }) => severity !== "error" || code === mergeConflict.entry.code,
    )
  );
}
