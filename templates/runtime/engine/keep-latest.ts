/** Sets the last entry of a map, and drops the first one where the map would get more than `most`. */
export function keepLatest<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  most: number,
): void {
  map.delete(key);
  const [first] = map.keys();
  if (first !== undefined && map.size >= most) map.delete(first);
  map.set(key, value);
}
