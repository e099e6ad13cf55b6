import type { ItemModel, ServerModel } from "../../model/server-model.js";
import type { BodyContracts } from "../contract-tests/bodies/body-contracts.js";
import type { Entry } from "../modules/item-settings.js";
import type { PackageName } from "../project/dependency-versions.js";
import type { BodyCode } from "./body-code.js";
import type { BodySource } from "./source-code.js";

/** What a kind of body becomes in a project. Its members are methods, so that a table can hold all kinds. */
export interface BodyKind<Body> {
  /** The code of an item with the body. */
  code(item: ItemModel, body: Body): BodyCode;
  /** What answers, for SERVER.md, as part of a sentence: the service `weather`. */
  answerer(body: Body): string;
  /** The sentence of SERVER.md about an item with the body. */
  sentence(body: Body): string;
  /** True if the server has what the body asks. Without the function, it asks nothing. */
  isRunnable?(body: Body, model: ServerModel): boolean;
  /** The members of the item's entry, besides those of every item. */
  entries?(body: Body): Entry[];
  /** The packages that the project needs for it. */
  readonly packages?: readonly PackageName[];
  /** What tests expect of the items that they call with its stand-ins. */
  readonly contracts: BodyContracts;
}

/** A kind of body that finds the values of completions and the instances of templates, too. */
export interface SourceKind<Body> extends BodyKind<Body> {
  /** How it finds them. */
  readonly source: BodySource<Body>;
}
