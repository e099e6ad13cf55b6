/** Which items of one kind are switched on. */
export interface ItemStates {
  /** Increases with every change. */
  readonly version: number;
  /** Whether any item can be switched on and off. */
  readonly canChange: boolean;
  isOn(name: string): boolean;
}

/** Which items of a server are switched on. */
export interface ItemStatesByKind {
  readonly tools: ItemStates;
  /** Resources and resource templates. */
  readonly resources: ItemStates;
  readonly prompts: ItemStates;
}

/** The states of items that cannot be switched. */
const allOn: ItemStates = { version: 0, canChange: false, isOn: () => true };

/** The states of the items of a list. Templates have the states of resources. */
export function statesOf(key: string, states: ItemStatesByKind | undefined): ItemStates {
  if (states === undefined) return allOn;
  if (key === "tools" || key === "prompts") return states[key];
  return states.resources;
}
