import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";

/** How many rows, members or blocks are shown at first. */
const shownAtFirst = 100;

/** Shows the start of a long list, and a button for more. @param props.children Renders so many elements */
export function Shortened(props: {
  readonly count: number;
  readonly children: (shown: number) => ComponentChildren;
}): JSX.Element {
  const [shown, setShown] = useState(shownAtFirst);
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
