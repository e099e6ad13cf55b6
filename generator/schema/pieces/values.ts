// What validators of generated projects do, the compiler does with the same code.
export { countCharacters, isLonger, isShorter } from "../../../templates/validators/checks.js";
export {
  canonicalText,
  findDuplicate,
  isEqual,
  isMultipleOf,
} from "../../../templates/validators/values.js";
