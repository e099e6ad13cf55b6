import { Component, type ComponentChildren } from "preact";
import { texts } from "../texts.js";
import { Failure } from "./failure.js";

/** Part of the page that may fail at what the server says, which leaves the others as they are. */
export class Boundary extends Component<
  { readonly children: ComponentChildren },
  { readonly error?: unknown }
> {
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ComponentChildren {
    return "error" in this.state ? (
      <Failure title={texts.cannotShow} error={this.state.error} />
    ) : (
      this.props.children
    );
  }
}
