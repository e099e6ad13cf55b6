import { Name, type CodeGen } from "ajv";
import * as checks from "../../../templates/runtime/validators/checks.js";
import * as unions from "../../../templates/runtime/validators/unions.js";
import * as values from "../../../templates/runtime/validators/values.js";

const functions = { ...checks, ...unions, ...values };

/** A name by which AJV's code calls a function of `templates/runtime/validators/`. Generated projects import it. */
export function sharedFunction(gen: CodeGen, name: keyof typeof functions): Name {
  return gen.scopeValue("func", { ref: functions[name], code: new Name(name) });
}
