import { useEffect, useState } from "preact/hooks";
import type { OfItems } from "./item-marks.js";

/** A problem of the manifest. */
export interface ManifestProblem {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly item?: { readonly list: string; readonly index: number; readonly key: string };
}

/** The state of the manifest that `mcpwright preview` reports. */
export interface PreviewState {
  /** Increases with each change. */
  readonly version: number;
  readonly file: string;
  /** Whether the server has the manifest's last saved version. */
  readonly isCurrent: boolean;
  readonly diagnostics: readonly ManifestProblem[];
  /** How many tokens the lists take of a model's context; absent as long as no manifest was valid. */
  readonly tokens?: ListTokens;
}

/** How many tokens the lists take. */
export interface ListTokens {
  readonly all: number;
  /** The tokens of each listed item, by their kinds and keys. */
  readonly items: OfItems<number>;
}

/** The state of the manifest, and of the preview itself. */
export interface FollowedManifest extends PreviewState {
  /** Whether the preview no longer answers, so that the page is not up to date. */
  readonly hasEnded: boolean;
}

/** Time after a failed request until the next one, in milliseconds. */
const pauseMs = 1_000;

/**
 * Returns the state of the manifest, and updates it at each change.
 *
 * @param address the URL that reports changes; undefined outside of previews
 * @param onChange called at each change after the first state
 */
export function usePreview(
  address: string | undefined,
  onChange: () => void,
): FollowedManifest | undefined {
  const [state, setState] = useState<FollowedManifest>();
  useEffect(() => {
    if (address === undefined) return undefined;
    const stop = new AbortController();
    const onEnd = (): void => setState((before) => before && { ...before, hasEnded: true });
    const onState = (reported: PreviewState, isFirst: boolean, isNew: boolean): void => {
      setState({ ...reported, hasEnded: false });
      if (!isFirst && isNew) onChange();
    };
    void follow(address, stop.signal, onState, onEnd);
    return () => stop.abort();
  }, [address, onChange]);
  return state;
}

async function follow(
  address: string,
  stop: AbortSignal,
  onState: (state: PreviewState, isFirst: boolean, isNew: boolean) => void,
  onEnd: () => void,
): Promise<void> {
  let version: number | undefined;
  while (!stop.aborted) {
    try {
      const response = await fetch(`${address}?after=${version ?? ""}`, { signal: stop });
      const state = (await response.json()) as PreviewState;
      onState(state, version === undefined, state.version !== version);
      version = state.version;
    } catch {
      if (stop.aborted) return;
      onEnd();
      // The preview has ended, and may be started again.
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
