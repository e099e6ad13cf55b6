/**
 * Of the schema of SARIF 2.1.0 (OASIS Standard incorporating Approved Errata 01, 28 August 2023,
 * sarif-schema-2.1.0.json) the objects that mcpwright writes: what the standard requires of them, the
 * types of their properties, and no property that the standard does not know. Sections are named.
 */
const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const ordinal = { type: "integer", minimum: 1 } as const;
const level = { enum: ["none", "note", "warning", "error"] } as const;
const reference = (name: string): object => ({ $ref: `#/$defs/${name}` });
const list = (name: string): object => ({ type: "array", items: reference(name) });

function object(required: readonly string[], properties: Readonly<Record<string, object>>): object {
  return { type: "object", required, properties, additionalProperties: false };
}

export const sarifShape = {
  $ref: "#/$defs/sarifLog",
  $defs: {
    // 3.13
    sarifLog: object(["version", "runs"], {
      $schema: text,
      version: { const: "2.1.0" },
      runs: list("run"),
    }),
    // 3.14
    run: object(["tool"], {
      tool: reference("tool"),
      invocations: list("invocation"),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: list("result"),
    }),
    // 3.18, 3.19
    tool: object(["driver"], { driver: reference("toolComponent") }),
    toolComponent: object(["name"], {
      name: text,
      semanticVersion: text,
      informationUri: text,
      rules: list("reportingDescriptor"),
    }),
    // 3.49, 3.50
    reportingDescriptor: object(["id"], {
      id: text,
      shortDescription: reference("multiformatMessageString"),
      fullDescription: reference("multiformatMessageString"),
      help: reference("multiformatMessageString"),
      defaultConfiguration: object([], { level }),
    }),
    // 3.12
    multiformatMessageString: object(["text"], { text, markdown: text }),
    // 3.20, 3.58
    invocation: object(["executionSuccessful"], {
      executionSuccessful: { type: "boolean" },
      toolExecutionNotifications: list("notification"),
    }),
    notification: object(["message"], { message: reference("message"), level }),
    // 3.11
    message: object(["text"], { text }),
    // 3.27
    result: object(["message"], {
      ruleId: text,
      ruleIndex: count,
      level,
      message: reference("message"),
      locations: list("location"),
      relatedLocations: list("location"),
      fixes: list("fix"),
    }),
    // 3.55, 3.56, 3.57
    fix: object(["artifactChanges"], { artifactChanges: list("artifactChange") }),
    artifactChange: object(["artifactLocation", "replacements"], {
      artifactLocation: reference("artifactLocation"),
      replacements: list("replacement"),
    }),
    replacement: object(["deletedRegion"], {
      deletedRegion: reference("region"),
      insertedContent: reference("message"),
    }),
    // 3.28, 3.29
    location: object([], {
      id: count,
      physicalLocation: object(["artifactLocation"], {
        artifactLocation: reference("artifactLocation"),
        region: reference("region"),
      }),
      message: reference("message"),
    }),
    // 3.4
    artifactLocation: object(["uri"], { uri: text, uriBaseId: text }),
    // 3.30
    region: object(["startLine"], {
      startLine: ordinal,
      startColumn: ordinal,
      endLine: ordinal,
      endColumn: ordinal,
    }),
  },
};
