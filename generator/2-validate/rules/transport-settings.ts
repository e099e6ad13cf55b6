import {
  cardWithoutHttp,
  cardWithoutName,
  corsWithoutOrigins,
  deprecatedTransport,
  pageWithoutHttp,
  resumableWithoutSessions,
  settingForOlderEras,
} from "../../model/catalogue/rules-server.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { itemsOf, textIn } from "../manifest-view.js";

/** Reports settings of a transport that have no effect without another one, and a deprecated transport. */
export function checkTransportSettings(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "transports").flatMap(({ path, value }) => {
    const problems: Diagnostic[] = [];
    if (value["resumable"] === true && textIn(value, "sessions") !== "memory") {
      problems.push(resumableWithoutSessions(manifest.locate([...path, "resumable"], "key"), {}));
    }
    const origins = value["allowedOrigins"];
    const hasOrigins = Array.isArray(origins) && origins.length > 0;
    if (value["cors"] === true && !hasOrigins) {
      problems.push(corsWithoutOrigins(manifest.locate([...path, "cors"], "key"), {}));
    }
    if (textIn(value, "type") === "sse") {
      problems.push(deprecatedTransport(manifest.locate([...path, "type"], "value"), {}));
    }
    return problems;
  });
}

/** Reports a `page` without the transport that serves it. */
export function checkPage(manifest: LoadedManifest): Diagnostic[] {
  const { page } = manifest.value;
  const isServed = itemsOf(manifest, "transports").some(
    ({ value }) => textIn(value, "type") === "http",
  );
  if (page === undefined || page === false || isServed) return [];
  return [pageWithoutHttp(manifest.locate(["page"], "key"), {})];
}

/** Reports a `card` without the transport that serves it, and one without a name. */
export function checkCard(manifest: LoadedManifest): Diagnostic[] {
  const { card } = manifest.value;
  if (card === undefined || card === false) return [];
  const place = manifest.locate(["card"], "key");
  const isServed = itemsOf(manifest, "transports").some(
    ({ value }) => textIn(value, "type") === "http",
  );
  const named = [card, memberIn(memberIn(manifest.value, "package"), "registry")];
  const hasName = named.some((value) => memberIn(value, "name") !== undefined);
  return [
    ...(isServed ? [] : [cardWithoutHttp(place, {})]),
    ...(hasName ? [] : [cardWithoutName(place, {})]),
  ];
}

function memberIn(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? ownValue(value, name) : undefined;
}

/** Reports settings that only older clients use, on a server that turns these away. */
export function checkOlderEras(manifest: LoadedManifest): Diagnostic[] {
  const { protocol } = manifest.value;
  if (!isJsonObject(protocol) || protocol["legacy"] !== "reject") return [];
  const reject = manifest.locate(["protocol", "legacy"], "value");
  const related = [{ ...reject, message: "older clients are turned away here" }];
  return itemsOf(manifest, "transports").flatMap(({ path, value }) => {
    const key = textIn(value, "sessions") === "memory" ? "sessions" : "type";
    if (key === "type" && textIn(value, "type") !== "sse") return [];
    const what = key === "type" ? "the transport sse" : "sessions: memory";
    return [settingForOlderEras(manifest.locate([...path, key], "key"), { what }, related)];
  });
}
