import { envelopeOf } from "../../selection/envelope.js";
import type { DiagnosticMaker } from "../../model/catalogue-entry.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { walkSchema } from "../../schema/subschemas.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { defaultMisfit, exampleValueMisfit } from "../../model/catalogue/schema-meaning.js";
import {
  exampleArgumentsMisfit,
  exampleResultMisfit,
  fixedAnswerMisfit,
  resultWithoutSchema,
  textWithSchema,
} from "../../model/catalogue/tool-examples.js";
import { mappingsIn, type Mapping } from "../manifest-view.js";
import { checkMatchers } from "./check-matchers.js";
import { describeFindings } from "./describe-findings.js";
import type { CheckRun, SchemaDocument } from "./schema-document.js";
import type { ValueChecker } from "./value-checker.js";
import type { Soundness } from "./soundness.js";

/** A value somewhere in the manifest that must fit a schema. */
interface ValueCheck {
  readonly value: JsonValue;
  /** The path of the value in the manifest. */
  readonly at: ManifestPath;
  readonly schema: JsonObject;
  readonly document: SchemaDocument;
  readonly misfit: DiagnosticMaker<{ problem: string }>;
}

/** Checks values of the manifest against its schemas: defaults, examples and fixed answers. */
export class ValueRules {
  readonly #run: CheckRun;
  readonly #checker: ValueChecker;
  readonly #soundness: Soundness;

  constructor(run: CheckRun, checker: ValueChecker, soundness: Soundness) {
    this.#run = run;
    this.#checker = checker;
    this.#soundness = soundness;
  }

  /** Checks that the `default` and the `examples` of each schema in a document fit that schema. */
  *checkDocument(document: SchemaDocument): Generator<Diagnostic> {
    if (!this.#soundness.isReadable(document)) return;
    for (const [path, schema] of walkSchema(document.root)) {
      if (!isJsonObject(schema)) continue;
      const at = [...document.at, ...path];
      const value = ownValue(schema, "default");
      if (value !== undefined) {
        yield* this.#checkValue({
          value,
          at: [...at, "default"],
          schema,
          document,
          misfit: defaultMisfit,
        });
      }
      const examples = ownValue(schema, "examples");
      if (!Array.isArray(examples)) continue;
      for (const [index, example] of examples.entries()) {
        const exampleAt = [...at, "examples", index];
        yield* this.#checkValue({
          value: example,
          at: exampleAt,
          schema,
          document,
          misfit: exampleValueMisfit,
        });
      }
    }
  }

  /**
   * Checks that the arguments of a tool's examples fit its inputSchema, and that their results and a fixed answer
   * fit its outputSchema.
   *
   * @param input undefined if the schema is absent or no mapping
   */
  *checkTool(
    tool: Mapping,
    input?: SchemaDocument,
    output?: SchemaDocument,
  ): Generator<Diagnostic> {
    const hasOutput =
      Object.hasOwn(tool.value, "outputSchema") || envelopeOf(tool.value) !== undefined;
    for (const found of mappingsIn(tool, "examples")) {
      const { path, value: example } = found;
      const callArguments = ownValue(example, "arguments") ?? {};
      const at = Object.hasOwn(example, "arguments") ? [...path, "arguments"] : path;
      yield* this.#checkAgainstRoot(callArguments, at, exampleArgumentsMisfit, input);
      const result = ownValue(example, "result");
      if (result !== undefined && !hasOutput) {
        yield resultWithoutSchema(this.#run.manifest.locate([...path, "result"], "key"), {});
      } else if (result !== undefined) {
        yield* this.#checkAgainstRoot(result, [...path, "result"], exampleResultMisfit, output);
      }
      if (Object.hasOwn(example, "text") && hasOutput) {
        yield textWithSchema(this.#run.manifest.locate([...path, "text"], "key"), {});
      }
      yield* checkMatchers(found, this.#run, this.#checker);
    }
    const answer = ownValue(tool.value, "structuredContent");
    if (answer === undefined || ownValue(tool.value, "isError") === true) return;
    yield* this.#checkAgainstRoot(
      answer,
      [...tool.path, "structuredContent"],
      fixedAnswerMisfit,
      output,
    );
  }

  *#checkAgainstRoot(
    value: JsonValue,
    at: ManifestPath,
    misfit: DiagnosticMaker<{ problem: string }>,
    document: SchemaDocument | undefined,
  ): Generator<Diagnostic> {
    if (document === undefined) return;
    yield* this.#checkValue({ value, at, schema: document.root, document, misfit });
  }

  *#checkValue({ value, at, schema, document, misfit }: ValueCheck): Generator<Diagnostic> {
    if (!this.#soundness.isSound(schema, document)) return;
    const findings = this.#checker.findings(value, schema, document.root);
    for (const { path, target, problem } of describeFindings(findings)) {
      yield misfit(this.#run.manifest.locate([...at, ...path], target), { problem });
    }
  }
}
