import type { ComponentChildren, JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";

export interface Tab {
  readonly name: string;
  readonly content: ComponentChildren;
}

/** Tabs with several views of the same value. Arrow keys select tabs, as WAI-ARIA recommends. */
export function Tabs(props: {
  readonly label: string;
  readonly tabs: readonly Tab[];
}): JSX.Element {
  const { label, tabs } = props;
  const [selected, setSelected] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = Math.min(selected, tabs.length - 1);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (current + step + tabs.length) % tabs.length;
    setSelected(next);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === current}
            aria-controls={`${id}-panel`}
            tabIndex={index === current ? 0 : -1}
            onClick={() => setSelected(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {tabs[current]?.content}
      </div>
    </div>
  );
}
