/** Which mcpwright generates. */
export interface GeneratorIdentity {
  readonly version: string;
  /** Hash of the templates and schemas that go into projects, and of the code that decides about them. */
  readonly templates: string;
}
