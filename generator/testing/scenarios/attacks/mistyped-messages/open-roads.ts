import { shortOrLong } from "../../../harness/runner/test-length.js";
import { httpRoad, sseRoad, stdioRoad, webSocketRoad, type Road } from "./roads.js";
import { ServerProcess } from "./server-process.js";

const NETWORK = ["--http", "--sse", "--websocket", "--port", "0"];

type OnStdio = readonly [era: "modern" | "legacy", kind: "plain" | "asking"];
const PLAIN: OnStdio = ["modern", "plain"];
const ASKING: OnStdio = ["legacy", "asking"];
/** Each is a process. In short, each era and each kind is one of them. */
const ON_STDIO = shortOrLong<readonly OnStdio[]>(
  [PLAIN, ASKING],
  [PLAIN, ["modern", "asking"], ["legacy", "plain"], ASKING],
);

/** Starts servers, and opens a road to them over each transport in each era. */
export async function openRoads(): Promise<readonly Road[]> {
  const [plain, asking, searched] = await Promise.all([
    ServerProcess.start("plain", NETWORK),
    ServerProcess.start("asking", NETWORK),
    ServerProcess.start("searched", NETWORK),
  ]);
  const onStdio = await Promise.all(
    ON_STDIO.map(async ([era, kind]) =>
      stdioRoad(await ServerProcess.start(kind, ["--stdio"]), era),
    ),
  );
  return [
    ...[plain, searched].flatMap((server) => [
      httpRoad(server, "modern"),
      httpRoad(server, "legacy"),
    ]),
    ...[httpRoad(asking, "modern"), httpRoad(asking, "legacy", true)],
    ...[plain, asking].flatMap((server) => [
      webSocketRoad(server, "modern"),
      webSocketRoad(server, "legacy"),
      sseRoad(server),
    ]),
    ...onStdio,
  ];
}

/** Closes roads, and stops their servers. */
export async function closeRoads(roads: readonly Road[]): Promise<void> {
  await Promise.all(roads.map((road) => road.close()));
  await Promise.all([...new Set(roads.map(({ server }) => server))].map((server) => server.stop()));
}
