/** The path of the server card of an endpoint. */
export function cardPath(path: string): string {
  return `${path === "/" ? "" : path}/server-card`;
}
