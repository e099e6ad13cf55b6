/** A number with commas between thousands. Not by `toLocaleString`, whose first call takes longer than all other work. */
export function withThousands(value: number): string {
  const [whole = "", ...fraction] = String(value).split(".");
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ","), ...fraction].join(".");
}
