import { useEffect, useState } from "preact/hooks";

/** A problem of the manifest. */
export interface ManifestProblem {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly item?: { readonly list: string; readonly index: number; readonly key: string };
}

/** What `mcpwright preview` says of its manifest. */
export interface PreviewState {
  /** Goes up with each change. */
  readonly version: number;
  readonly file: string;
  /** Whether the server is that of the manifest as it was saved last. */
  readonly isCurrent: boolean;
  readonly diagnostics: readonly ManifestProblem[];
}

/** A manifest that the page follows. */
export interface FollowedManifest extends PreviewState {
  /** Whether the preview answers no more; what is shown is from before. */
  readonly hasEnded: boolean;
}

/** How long the page waits after a failure before it asks again, in milliseconds. */
const pauseMs = 1_000;

/**
 * Follows a manifest.
 *
 * @param address where to ask; undefined outside of previews
 * @param onChange called after each change but the first state
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
    const onState = (found: PreviewState, isFirst: boolean, isNew: boolean): void => {
      setState({ ...found, hasEnded: false });
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
      // The preview was ended, and may be started again.
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
