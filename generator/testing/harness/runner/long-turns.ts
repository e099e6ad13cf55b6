/**
 * Tests that try more where `TEST_LENGTH` is `long`, by parts of their paths, in the turns in which `.ci/run` runs them.
 * There is one for each day of a week, and each takes about seven minutes of a processor, of which the runner prints
 * what each file takes.
 */
export const LONG_TURNS: readonly (readonly string[])[] = [
  [
    ...["command/faults", "publishing/published-packages"],
    ...["serving/runtimes-conformance", "serving/other-runtimes", "dev/dev-websocket"],
    ...["regeneration/evolution", "2-validate/validate.test", "4-compare/compare.test"],
    ...["command/round-trip", "2-validate/hostile-manifests", "5-emit/fixed-files"],
    ...["page/page-project", "record/record.test", "import/import-updates"],
  ],
  [
    ...["6-reconcile/regeneration", "6-reconcile/merge-lines", "random-manifests", "large-lists"],
    ...["regeneration/guarantees-on-disk", "7-apply/crashes", "author/author-server"],
    ...["import/import-servers", "import/import-proxies", "command/unusual-settings"],
    ...["command/package.test", "command/readme", "3-normalize/inline-shared"],
    ...["instances/make-instances", "regeneration/owned-layout"],
    ...["access/interleaved-principals"],
  ],
  [
    ...["comparison/compare-schemas", "flat-root/flatten-root", "5-emit/injection"],
    ...["4-compare/schema-verdicts"],
    ...["validators/random-validators", "5-emit/reuse", "bodies/exec-bodies"],
    ...["bodies/http-bodies", "bodies/sql-bodies", "bodies/directory-bodies"],
    ...["serving/served-project", "publishing/deployed-project", "6-reconcile/write-lock"],
    ...["5-emit/context-scaffold", "serving/replicas-example"],
  ],
  [
    ...["patterns/corpus", "selection/selection", "command/large-project", "soak/soak-server"],
    ...["fast-path/sessions", "serving/replicated-faults", "access/hidden-items"],
    ...["command/terminal", "command/real-tools", "regeneration/included-files"],
    ...["access/served-exchange", "access/served-issuers", "serving/served-audit"],
    ...["type-check/project-configuration", "cli/reuse-file"],
  ],
  [
    ...["attacks/hostile-requests", "attacks/hostile-fetch", "attacks/mistyped-messages"],
    ...["fuzz/random-projects", "serving/end-to-end", "attacks/hostile-project"],
    ...["access/served-access", "access/served-principals", "access/members", "cli/named-files"],
  ],
  [
    ...["publishing/compilers", "publishing/unbuilt", "bodies/former-bodies"],
    ...["fast-path/fast-path"],
    ...["serving/replicated-conformance", "serving/conformance", "access/acting-members"],
    ...["serving/replicated-server", "serving/served-by-workers", "update/update-properties"],
  ],
  [
    ...["publishing/new-project", "publishing/hand-written-server", "edit/manifest-editor"],
    ...["regeneration/life-with-others", "regeneration/item-merges", "cli/installed-runtime"],
    ...["import/import.test", "publishing/package-project", "serving/process-runtimes"],
    ...["author/author-example"],
    ...["command/process.test", "publishing/starter-project"],
  ],
];

/** The turn of a day, which is a number of days since any day. */
export function turnOf(day: number): readonly string[] {
  return LONG_TURNS[day % LONG_TURNS.length] ?? [];
}
