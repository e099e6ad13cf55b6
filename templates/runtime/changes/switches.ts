/** Switches items of one kind on and off, for all clients, while the server runs. Clients are told. */
export interface ItemSwitches<Name extends string = string> {
  /** Lists the item again, and lets it be used. Without effect where it is on. */
  enable(name: Name): void;
  /** Takes the item out of its list, and refuses its use as if it did not exist. Without effect where it is off. */
  disable(name: Name): void;
  isEnabled(name: Name): boolean;
}

/** An item that says whether it starts switched on; without `enabled` it always is. */
interface Switchable {
  readonly definition: { readonly name: string };
  readonly enabled?: boolean;
}

/** The state of the items that can be switched: those for which the manifest states `enabled`. */
export class Switches implements ItemSwitches {
  /** Grows with every change. */
  version = 0;
  /** Called after each change by code of this process, where other processes share the switches. */
  onSwitch?: (name: string, isOn: boolean) => void;
  readonly #isOn: Map<string, boolean>;
  readonly #changed: () => void;

  /** @param changed Called after each change. */
  constructor(entries: readonly Switchable[], changed: () => void) {
    const switchable = entries.flatMap(({ definition, enabled }) =>
      enabled === undefined ? [] : [[definition.name, enabled] as const],
    );
    this.#isOn = new Map(switchable);
    this.#changed = changed;
  }

  /** Whether any item can be switched. */
  get exist(): boolean {
    return this.#isOn.size > 0;
  }

  /** Whether an item is there for clients; those without a switch are. */
  isOn(name: string): boolean {
    return this.#isOn.get(name) ?? true;
  }

  enable(name: string): void {
    this.#set(name, true);
  }

  disable(name: string): void {
    this.#set(name, false);
  }

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

  /** Takes over what another process has switched. Without effect where this one has no such switch, or it is so already. */
  apply(name: string, isOn: boolean): void {
    const before = this.#isOn.get(name);
    if (before === undefined || before === isOn) return;
    this.#isOn.set(name, isOn);
    this.version += 1;
    this.#changed();
  }
}
