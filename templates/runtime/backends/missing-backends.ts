/**
 * Stands in for the backends of a test that passes none.
 * @param error Makes the error that is thrown when a handler uses the backend with a name.
 */
export function missingBackends(error: (name: string) => Error): object {
  return new Proxy(
    {},
    {
      get(target, name) {
        if (typeof name === "string") throw error(name);
        return Reflect.get(target, name) as unknown;
      },
    },
  );
}
