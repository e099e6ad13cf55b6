import type { Implementation } from "@modelcontextprotocol/client";
import type { JSX } from "preact";

/** The first icon that can be shown without asking anybody for it. */
export function Icon(props: { readonly icons: Implementation["icons"] }): JSX.Element | null {
  const icon = props.icons?.find(({ src }) => /^data:image\/[\w.+-]+[;,]/i.test(src));
  return icon === undefined ? null : (
    <img class="icon" src={icon.src} alt="" onError={(event) => event.currentTarget.remove()} />
  );
}
