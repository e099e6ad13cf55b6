import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";

/** The number of rows, members or blocks that are shown at first. */
const initialCount = 100;

/** Shows the start of a long list, and a button for more. `children` renders the first `shown` elements. */
export function Shortened(props: {
  readonly count: number;
  readonly children: (shown: number) => ComponentChildren;
}): JSX.Element {
  const [shown, setShown] = useState(initialCount);
  return (
    <>
      {props.children(shown)}
      {props.count > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown * 10)}>
          {texts.moreRows(props.count - shown)}
        </button>
      )}
    </>
  );
}
