/** What is bound or filled in, where a message names who has it: templates have variables. */
export function argumentWord(what: string): "argument" | "variable" {
  return what === "the template" ? "variable" : "argument";
}
