import type { Implementation } from "@modelcontextprotocol/client";
import type { JSX } from "preact";

/** The first icon with a data URL. Others are not shown, since they would be fetched. */
export function Icon(props: { readonly icons: Implementation["icons"] }): JSX.Element | null {
  const icon = props.icons?.find(({ src }) => /^data:image\/[\w.+-]+[;,]/i.test(src));
  return icon === undefined ? null : (
    <img class="icon" src={icon.src} alt="" onError={(event) => event.currentTarget.remove()} />
  );
}
