import { _, Name, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { setEvaluated } from "ajv/dist/compile/util.js";

/**
 * Records which properties and items a schema has evaluated, for `unevaluatedProperties` and
 * `unevaluatedItems`. AJV keeps this record in variables that alternatives share, with three faults:
 * an alternative that failed leaves its entries behind; an alternative that was not tried still has
 * the entries of the previous item; and entries of a reference are written into the called function,
 * where all later calls find them.
 */

/** A keyword of our own: starts the record of what is evaluated, for values of every type. */
export const RECORD_MARK = "recordEvaluated";

type Context = Pick<KeywordCxt, "gen" | "it">;

/**
 * Gives a schema its own variables for the record, before entries of subschemas are merged into it.
 * AJV creates no variables as long as everything evaluated is known at compile time.
 */
export function startRecord({ gen, it }: Context): void {
  if (it.opts.unevaluated !== true) return;
  if (it.props !== true && !(it.props instanceof Name)) {
    // Without a prototype, `toString` is not in the record of itself, and `__proto__` can be.
    const props = gen.var("props", _`Object.create(null)`);
    if (it.props !== undefined) setEvaluated(gen, props, it.props);
    it.props = props;
  }
  if (it.items !== true && !(it.items instanceof Name)) {
    it.items = gen.var("items", it.items ?? 0);
  }
}

/**
 * Starts the record before the keywords of objects and of arrays. Without it, code in a loop would go on
 * with the record of the previous item.
 */
export const recordMark: CodeKeywordDefinition = {
  keyword: RECORD_MARK,
  schemaType: "boolean",
  code: startRecord,
};

/** Adds a property name or an index to the record, unless the record says that everything is evaluated. */
export function addToRecord({ gen, it }: Context, name: Name): void {
  const { props } = it;
  if (!(props instanceof Name)) return;
  gen.if(_`${props} !== true`, () => gen.assign(_`${props}[${name}]`, true));
}
