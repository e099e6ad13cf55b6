/** What a page shows of the results of a tool: the members of the output schema, in its order. */
export interface AppView {
  /** The name by which the page calls the tool again. */
  readonly tool: string;
  /** The heading of the page. */
  readonly title: string;
  /** The members of a result. What a result has beside them is shown, too. */
  readonly members: readonly AppMember[];
  /** The schema of the arguments, where the page asks for them again. */
  readonly form?: Readonly<Record<string, unknown>>;
}

/** A column of a table, or another member. */
export interface AppColumn {
  /** Its key in results. */
  readonly name: string;
  /** Its name for people. */
  readonly label: string;
}

/** A member of a result. */
export interface AppMember extends AppColumn {
  /** The description in its schema. */
  readonly description?: string;
  /** The columns of a list of objects. */
  readonly columns?: readonly AppColumn[];
  /** The columns of such a list that are shown as a chart. */
  readonly chart?: AppChart;
}

/** The one numeric column of a list, over its dates or names. */
export interface AppChart {
  /** The numbers. */
  readonly value: AppColumn;
  /** The column that they are drawn over. */
  readonly axis: AppColumn;
  /** Whether the axis has dates. Otherwise, it has names. */
  readonly dates: boolean;
}
