/**
 * Switches items of one kind on and off while the server runs, for all clients, and notifies them. Items without `enabled`
 * cannot be switched: `enable` and `disable` throw a TypeError for their names, and for names that do not exist.
 */
export interface ItemSwitches<Name extends string = string> {
  /** Switches the item on: it is listed and can be used. No effect if it is on already. */
  enable(name: Name): void;
  /** Switches the item off: it is not listed, and its use fails as if it did not exist. No effect if it is off. */
  disable(name: Name): void;
  /** Whether the item is on. */
  isEnabled(name: Name): boolean;
}

/** An item. `enabled` says whether it is on at start; an item without `enabled` is always on. */
interface Switchable {
  readonly definition: { readonly name: string };
  readonly enabled?: boolean;
}

/** Stores which items are on. Only items with `enabled` in the manifest can be switched. */
export class Switches implements ItemSwitches {
  /** Increases by one with every change. */
  version = 0;
  /** Called after each change that this process makes. Set if other processes share the switches. */
  onSwitch?: (name: string, isOn: boolean) => void;
  readonly #isOn: Map<string, boolean>;
  /** The names of items that can be switched, but are not served. Nobody is told of their changes. */
  readonly #unserved: ReadonlySet<string>;
  readonly #changed: () => void;

  /**
   * @param served The items that are served.
   * @param all All items, if there are more. Code may switch the others, too, without an effect on clients.
   * @param changed Called after each change that clients notice.
   */
  constructor(
    served: readonly Switchable[],
    all: readonly Switchable[] | undefined,
    changed: () => void,
  ) {
    const switchable = (all ?? served).flatMap(({ definition, enabled }) =>
      enabled === undefined ? [] : [[definition.name, enabled] as const],
    );
    this.#isOn = new Map(switchable);
    const names = new Set(served.map(({ definition }) => definition.name));
    this.#unserved = new Set([...this.#isOn.keys()].filter((name) => !names.has(name)));
    this.#changed = changed;
  }

  /** Whether any item can be switched. */
  get canChange(): boolean {
    return this.#isOn.size > this.#unserved.size;
  }

  /** Whether clients can use an item. Always true for an item that cannot be switched. */
  isOn(name: string): boolean {
    return this.#isOn.get(name) ?? true;
  }

  enable(name: string): void {
    this.#set(name, true);
  }

  disable(name: string): void {
    this.#set(name, false);
  }

  /** The name that handlers have for {@link isOn}. */
  isEnabled(name: string): boolean {
    return this.isOn(name);
  }

  #set(name: string, isOn: boolean): void {
    const before = this.#isOn.get(name);
    if (before === undefined) {
      throw new TypeError(`The manifest states no \`enabled\` for ${JSON.stringify(name)}`);
    }
    if (before === isOn) return;
    this.apply(name, isOn);
    this.onSwitch?.(name, isOn);
  }

  /** Applies a change, of any process. No effect if the item cannot be switched or has this state already. */
  apply(name: string, isOn: boolean): void {
    const before = this.#isOn.get(name);
    if (before === undefined || before === isOn) return;
    this.#isOn.set(name, isOn);
    if (this.#unserved.has(name)) return;
    this.version += 1;
    this.#changed();
  }
}
