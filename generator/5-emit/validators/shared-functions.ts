import { Name, type CodeGen } from "ajv";
import * as checks from "../../../templates/validators/checks.js";
import * as unions from "../../../templates/validators/unions.js";
import * as values from "../../../templates/validators/values.js";

const functions = { ...checks, ...unions, ...values };

/** What compiled code calls of `templates/validators/`: it runs here, and is imported in the generated project. */
export function sharedFunction(gen: CodeGen, name: keyof typeof functions): Name {
  return gen.scopeValue("func", { ref: functions[name], code: new Name(name) });
}
