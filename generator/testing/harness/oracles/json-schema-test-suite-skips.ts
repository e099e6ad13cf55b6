/** Groups of the suite whose schemas a manifest cannot hold, by file: compiling them throws. */
export const REFUSED_GROUPS: Readonly<Record<string, readonly string[]>> = {
  // `$id`, which a manifest may not use, or another document by its URI, which nothing ever opens.
  "anchor.json": [
    "Location-independent identifier with absolute URI",
    "Location-independent identifier with base URI change in subschema",
    "same $anchor with different base uri",
  ],
  "defs.json": ["validate definition against metaschema"],
  "dynamicRef.json": [
    "A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated",
    "A $dynamicRef without anchor in fragment behaves identical to $ref",
    "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
    "An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution",
    "A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
    "A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
    "A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope",
    "A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor",
    "multiple dynamic paths to the $dynamicRef keyword",
    "after leaving a dynamic scope, it is not used by a $dynamicRef",
    "strict-tree schema, guards against misspelled properties",
    "tests for implementation dynamic anchor and reference link",
    "$ref and $dynamicAnchor are independent of order - $defs first",
    "$ref and $dynamicAnchor are independent of order - $ref first",
    "$ref to $dynamicRef finds detached $dynamicAnchor",
    "$dynamicRef skips over intermediate resources - direct reference",
    "$dynamicRef avoids the root of each schema, but scopes are still registered",
  ],
  "optional/cross-draft.json": ["refs to historic drafts are processed as historic drafts"],
  "optional/dynamicRef.json": [
    "$dynamicRef skips over intermediate resources - pointer reference across resource boundary",
  ],
  "optional/id.json": ["$id inside an enum is not a real identifier"],
  "optional/unknownKeyword.json": ["$id inside an unknown keyword is not a real identifier"],
  "ref.json": [
    "remote ref, containing refs itself",
    "Recursive references between schemas",
    "refs with relative uris and defs",
    "relative refs with absolute uris and defs",
    "$id must be resolved against nearest parent, not just immediate parent",
    "order of evaluation: $id and $ref",
    "order of evaluation: $id and $ref on nested schema",
    "simple URN base URI with $ref via the URN",
    "URN base URI with URN and JSON pointer ref",
    "URN base URI with URN and anchor ref",
    "URN ref with nested pointer ref",
    "ref to if",
    "ref to then",
    "ref to else",
    "ref with absolute-path-reference",
  ],
  "refRemote.json": [
    "remote ref",
    "fragment within remote ref",
    "anchor within remote ref",
    "ref within remote ref",
    "base URI change",
    "base URI change - change folder",
    "base URI change - change folder in subschema",
    "root ref in remote ref",
    "remote ref with ref to defs",
    "Location-independent identifier in remote ref",
    "retrieved nested refs resolve relative to their URI not $id",
    "remote HTTP ref with different $id",
    "remote HTTP ref with different URN $id",
    "remote HTTP ref with nested absolute ref",
    "$ref to $ref finds detached $anchor",
  ],
  "unevaluatedItems.json": ["unevaluatedItems with $dynamicRef"],
  "unevaluatedProperties.json": ["unevaluatedProperties with $dynamicRef"],
  // References to places that are no schemas: unknown keywords, examples.
  "optional/refOfUnknownKeyword.json": [
    "reference of a root arbitrary keyword ",
    "reference of a root arbitrary keyword with encoded ref",
    "reference of an arbitrary keyword of a sub-schema",
    "reference internals of known non-applicator",
    "reference of an arbitrary keyword of a sub-schema with encoded ref",
  ],
};

/** Whole files about behaviour that is not promised. */
export const OTHER_FILES: Readonly<Record<string, string>> = {
  "format.json": "formats are asserted here, not annotations",
  "optional/dependencies-compatibility.json": "a manifest may use `dependencies` in draft-07 only",
};

/** Tests that are known to be answered otherwise, by reason and file. */
export const KNOWN_DISAGREEMENTS: Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
> = {
  "a key that a manifest may not use": {
    "properties.json": ["__proto__ not valid"],
  },
  "a manifest may not use `$vocabulary`": {
    "vocabulary.json": ["no validation: invalid number, but it still validates"],
  },
};
