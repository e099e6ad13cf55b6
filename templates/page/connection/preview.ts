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
): PreviewState | undefined {
  const [state, setState] = useState<PreviewState>();
  useEffect(() => {
    if (address === undefined) return undefined;
    const stop = new AbortController();
    void follow(address, stop.signal, (changed, isFirst) => {
      setState(changed);
      if (!isFirst) onChange();
    });
    return () => stop.abort();
  }, [address, onChange]);
  return state;
}

async function follow(
  address: string,
  stop: AbortSignal,
  onState: (state: PreviewState, isFirst: boolean) => void,
): Promise<void> {
  let version: number | undefined;
  while (!stop.aborted) {
    try {
      const response = await fetch(`${address}?after=${version ?? ""}`, { signal: stop });
      const state = (await response.json()) as PreviewState;
      if (state.version !== version) onState(state, version === undefined);
      version = state.version;
    } catch {
      // The preview was ended, and may be started again.
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
