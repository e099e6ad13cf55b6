import { parseUriTemplate } from "../../text/uri-template.js";

/**
 * A URI template of RFC 6570 in the subset of manifests, whose URIs are the same where each variable has one value: a list
 * in `{?q*}` has none, `{/a,b}` is `{/a}{/b}`, and `{?a}{&b}` is `{?a,b}`. Undefined if there is none, or if it is the
 * template itself.
 */
export function mendedTemplate(template: string): string | undefined {
  const mended = template
    // What follows a query in braces continues it.
    .replace(/\{\?([^{}]*)\}((?:\{&[^{}]*\})+)/g, (_, first: string, others: string) => {
      const names = others.split(/[{}&]+/).filter((text) => text !== "");
      return `{?${[first, ...names].join(",")}}`;
    })
    .replace(/\{([+./?]?)([^{}]*)\}/g, (expression, operator: string, list: string, at: number) => {
      const isLast = /^(?:\{\?[^{}]*\})?$/.test(template.slice(at + expression.length));
      return mendedExpression(operator, list.split(","), isLast);
    });
  return mended !== template && parseUriTemplate(mended).ok ? mended : undefined;
}

/** @param isLast true if at most a query follows */
function mendedExpression(operator: string, variables: readonly string[], isLast: boolean): string {
  const names = variables.map((variable) => variable.replace(/\*$/, ""));
  if (operator !== "/") return `{${operator}${names.join(",")}}`;
  const expressions = variables.map((variable, index) => {
    if (!variable.endsWith("*")) return `{/${variable}}`;
    const isEnd = isLast && index === variables.length - 1;
    return isEnd ? `{/${variable}}` : `/{+${variable.slice(0, -1)}}`;
  });
  return expressions.join("");
}
