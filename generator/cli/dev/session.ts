import { join } from "node:path";
import {
  keyNotAdded,
  linesConflict,
  mergeConflict,
  textWithMarkers,
  unusableOutputFolder,
} from "../../model/catalogue/project.js";
import { wholeFile } from "../../model/place.js";
import {
  dependenciesMissing,
  otherVersions,
  serverEnded,
} from "../../model/catalogue/development.js";
import { namesAndMore } from "../../model/catalogue/message-parts.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { ServerModel } from "../../model/server-model.js";
import { generateProject, type Generated } from "../commands/generate.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { packageManagerOf } from "../package-manager.js";
import {
  isRuntime,
  readPackageJson,
  uninstalledPackages,
  uninstalledText,
} from "../type-check/installed-packages.js";
import { typeCheck } from "../type-check/project-compiler.js";
import { readSources, type CheckedSources } from "./checked-sources.js";
import type { DevReporter } from "./dev-reporter.js";
import { FileWatch } from "./file-watch.js";
import { GRACE, ProjectServer, type Ending, type ServerCommand } from "./project-server.js";
import { serverCommand } from "./server-command.js";
import type { StdioBridge } from "./stdio-bridge.js";
import { differences, withManifestOf, type Snapshot, type WatchedPaths } from "./watched-files.js";

/**
 * One run of `dev`. After each change it generates and type-checks the project and restarts the server, until it is
 * told to end. If the project has an error, the last server without errors goes on.
 */
export class DevSession {
  readonly #paths: WatchedPaths;
  readonly #reporter: DevReporter;
  readonly #parameters: readonly string[];
  readonly #openBridge: (onEnd: () => void) => StdioBridge;
  readonly #watch: FileWatch;
  readonly #stop = new AbortController();
  #status: ExitStatus = exitStatus.done;
  #bridge: StdioBridge | undefined;
  #isClientGone = false;
  /** The server that should run. Absent while a server is being stopped. */
  #server: ProjectServer | undefined;
  /** The server that was started last. It may be the one that is being stopped. */
  #latest: ProjectServer | undefined;
  /** The states of the files when the server was started. */
  #startedFrom: Snapshot | undefined;

  /**
   * @param parameters arguments that the command line passes on to the server
   * @param openBridge connects a client on stdin and stdout; called once, if a server needs it
   */
  constructor(
    paths: WatchedPaths,
    reporter: DevReporter,
    parameters: readonly string[],
    openBridge: (onEnd: () => void) => StdioBridge,
  ) {
    this.#paths = paths;
    this.#reporter = reporter;
    this.#parameters = parameters;
    this.#openBridge = openBridge;
    this.#watch = new FileWatch(paths);
  }

  /** Runs until it is told to end, or until the client has closed its connection. */
  async run(): Promise<ExitStatus> {
    const { manifest, outDir } = this.#paths;
    const [file, folder] = [manifest, join(outDir, "src")].map((path) =>
      this.#reporter.shown(path),
    );
    this.#reporter.line(`watching ${file} and ${folder}; Ctrl-C ends it`);
    let snapshot = await this.#round(this.#watch.snapshot());
    while (!this.#stop.signal.aborted) {
      const changes = await this.#watch.changesSince(snapshot, this.#stop.signal);
      if (changes.length === 0) break;
      this.#reporter.line(`changed: ${this.#namesOf(changes)}`);
      snapshot = await this.#round(this.#watch.snapshot());
    }
    await this.end();
    return this.#status;
  }

  /** Stops watching, and stops the server. Returns when the server's process has ended. */
  async end(): Promise<void> {
    this.#stop.abort();
    this.#watch.close();
    await this.#stopServer();
  }

  /** Ends the server at once. */
  kill(): void {
    this.#latest?.kill();
  }

  #namesOf(changes: readonly string[]): string {
    const names = changes.slice(0, 3).map((path) => this.#reporter.shown(path));
    return namesAndMore(names, changes.length);
  }

  /**
   * Brings the project and the server up to date.
   *
   * @param before the files at the beginning of the round
   * @returns the files that the round used; later changes need another round
   */
  async #round(before: Snapshot): Promise<Snapshot> {
    const generated = await generateProject(this.#reporter.generation, false);
    // Files that were just generated do not count as changes, but the manifest may have been saved again meanwhile.
    const snapshot = withManifestOf(before, this.#watch.snapshot());
    const { model } = generated;
    if (this.#isOutputFolderUnusable(generated)) this.#giveUp(generated.status);
    else if (model === undefined || !isUsable(generated)) this.#reportWaiting();
    else if (this.#isUnchanged(snapshot)) this.#reporter.line("the server need not be restarted");
    else await this.#checkAndRestart(model(), snapshot);
    return snapshot;
  }

  /** Files that were saved during the check are not started. They differ from the snapshot, so that another round follows. */
  async #checkAndRestart(model: ServerModel, snapshot: Snapshot): Promise<void> {
    const uninstalled = this.#installProblems();
    if (uninstalled.some(({ severity }) => severity === "error")) {
      this.#reportCheck(uninstalled);
      this.#reportWaiting();
      return;
    }
    if (this.#stop.signal.aborted) return;
    const command = serverCommand(model, this.#paths.outDir, this.#parameters);
    const next = new ProjectServer(command);
    try {
      const sources = await this.#checkedSources(snapshot, uninstalled);
      if (sources === "saved again") this.#reporter.line("saved again during the check");
      else if (sources === undefined) this.#reportWaiting();
      else await this.#restart(next, command, sources, snapshot);
    } finally {
      if (this.#latest !== next) next.kill();
    }
  }

  /** True if the output folder cannot be used. No change of a watched file can mend that. */
  #isOutputFolderUnusable({ diagnostics }: Generated): boolean {
    return diagnostics.some(({ code }) => code === unusableOutputFolder.entry.code);
  }

  #giveUp(status: ExitStatus): void {
    this.#status = status;
    this.#stop.abort();
  }

  #isUnchanged(snapshot: Snapshot): boolean {
    if (this.#startedFrom === undefined || this.#server?.isAlive !== true) return false;
    const manifest = new Set([...this.#startedFrom.manifest, ...snapshot.manifest]);
    return differences(this.#startedFrom, snapshot).every((path) => manifest.has(path));
  }

  /**
   * The texts of the project's modules, if its own compiler accepts them. Undefined if not; the reason has been reported.
   *
   * @param uninstalled warnings of packages that are reported with those of the compiler
   */
  async #checkedSources(
    snapshot: Snapshot,
    uninstalled: readonly Diagnostic[],
  ): Promise<CheckedSources | "saved again" | undefined> {
    const { outDir } = this.#paths;
    const started = performance.now();
    const { folder } = this.#reporter.generation;
    const { diagnostics, sources } = await typeCheck(outDir, folder, this.#stop.signal);
    if (this.#stop.signal.aborted) return undefined;
    // Read first and compared afterwards: then these are the texts that the compiler read.
    const modules = readSources(snapshot);
    if (differences(snapshot, this.#watch.snapshot()).length > 0) return "saved again";
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    this.#reporter.line(`type-checked in ${seconds} s`);
    return this.#reportCheck([...uninstalled, ...diagnostics], sources) ? modules : undefined;
  }

  /** Packages that are not installed as package.json wants them. Without them, or with another runtime, nothing can run. */
  #installProblems(): Diagnostic[] {
    const { outDir } = this.#paths;
    const packages = uninstalledPackages(readPackageJson(outDir), outDir);
    if (packages.length === 0) return [];
    const place = wholeFile(this.#reporter.shown(join(outDir, "package.json")));
    const problem = uninstalledText(packages);
    const isUsable = packages.every((one) => one.installed !== undefined && !isRuntime(one));
    const report = isUsable ? otherVersions : dependenciesMissing;
    return [report(place, { problem, manager: packageManagerOf(outDir) })];
  }

  /** Reports the result of a check. Returns true if there is no error. */
  #reportCheck(diagnostics: readonly Diagnostic[], sources?: ReadonlyMap<string, string>): boolean {
    const ok = diagnostics.every(({ severity }) => severity !== "error");
    this.#reporter.problems(diagnostics, sources);
    this.#reporter.event("checked", { ok, ...this.#reporter.counted(diagnostics) });
    return ok;
  }

  /** Says that `dev` waits for a change, and whether the last server goes on. */
  #reportWaiting(): void {
    if (this.#stop.signal.aborted) return;
    const serving = this.#server?.isAlive === true;
    this.#reporter.event("waiting", { serving });
    this.#reporter.line(
      serving
        ? "not restarted: the last good server goes on"
        : "no server runs: waiting for a change",
    );
  }

  /** @param server the next server, which waits for its sources */
  async #restart(
    server: ProjectServer,
    { parameters }: ServerCommand,
    sources: CheckedSources,
    snapshot: Snapshot,
  ): Promise<void> {
    const isFirst = this.#server === undefined;
    await this.#stopServer();
    if (this.#stop.signal.aborted) return;
    server.run(sources);
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
    this.#reporter.event("started", { processId, arguments: parameters });
    this.#reporter.line(
      `${isFirst ? "started" : "restarted"} the server (process ${processId}) ${parameters.join(" ")}`.trimEnd(),
    );
  }

  async #stopServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.client !== undefined) this.#bridge?.hold();
    // `#latest`, since another call may already have begun to stop the server.
    await this.#latest?.stop();
    if (server?.client !== undefined) this.#bridge?.disconnect();
  }

  /** Reports a server that ended by itself. A server that was stopped is no longer `#server`. */
  #onEnd(server: ProjectServer, ending: Ending): void {
    if (this.#server !== server || this.#isClientGone) return;
    if (server.client !== undefined) this.#bridge?.disconnect();
    const place = wholeFile(this.#reporter.shown(join(this.#paths.outDir, "src/main.ts")));
    const diagnostics = [serverEnded(place, { ending: endingText(ending) })];
    this.#reporter.event("ended", { ...ending, ...this.#reporter.counted(diagnostics) });
    this.#reporter.problems(diagnostics);
    this.#reportWaiting();
  }

  /** Ends the session when the client has closed stdin. The server then ends by itself after its last answer. */
  async #clientHasGone(): Promise<void> {
    this.#reporter.line("the client has closed stdin");
    this.#isClientGone = true;
    await this.#server?.endedWithin(GRACE);
    this.#stop.abort();
  }
}

function endingText({ exitCode, signal }: Ending): string {
  if (signal !== null) return `by ${signal}`;
  return exitCode === null ? "before it had begun" : `with status ${exitCode}`;
}

/** What was kept of a person's in a shared file does not prevent that the project runs. */
const KEPT: ReadonlySet<string> = new Set(
  [mergeConflict, keyNotAdded, linesConflict, textWithMarkers].map(({ entry }) => entry.code),
);

/** True if the generated project can run. */
function isUsable({ status, diagnostics }: Generated): boolean {
  if (status === exitStatus.done) return true;
  return (
    status === exitStatus.needsPerson &&
    diagnostics.every(({ code, severity }) => severity !== "error" || KEPT.has(code))
  );
}
