import { Component, type ComponentChildren } from "preact";
import { texts } from "../texts.js";
import { Failure } from "./failure.js";

/** A part of the page. If it fails to render, the other parts stay. */
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
