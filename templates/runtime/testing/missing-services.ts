import { NotImplementedError } from "../engine/errors.js";

/** Thrown when a handler uses a service that its test does not give. Tests treat the handler like a stub. */
export class MissingServicesError extends NotImplementedError {
  override readonly name = "MissingServicesError";

  constructor(message: string) {
    super("");
    this.message = message;
  }
}

/** The services of a test that gives none. @throws MissingServicesError when a handler uses one, with its name */
export function missingServices(): object {
  return missingMembers((name) => {
    const remedy = `pass it, createTestContext({ services: { ${name} } })`;
    return new MissingServicesError(`needs ctx.services.${name}: ${remedy}`);
  });
}

/** An object that throws when a member is used. @param errorFor makes the error, from the name of the member */
export function missingMembers(errorFor: (name: string) => Error): object {
  return strictServices({}, errorFor);
}

/** Services that throw when one is used that is not given. @param errorFor makes the error, from the name */
export function strictServices(services: object, errorFor: (name: string) => Error): object {
  return new Proxy(services, {
    get(target, name) {
      // Printing the context reads symbols, and `await` reads `then`.
      if (typeof name === "symbol" || name === "then" || name in target) {
        return Reflect.get(target, name) as unknown;
      }
      throw errorFor(name);
    },
  });
}
