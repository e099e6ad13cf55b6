import { ToolError, type ToolHandler } from "../generated/index.ts";
import { parseCsv } from "../workspace/csv.ts";
import { OutsideWorkspaceError } from "../workspace/workspace.ts";

/** 对 CSV 文件的一列求和、求平均或计数。 */
export const analyzeCsv: ToolHandler<"analyze_csv"> = async ({ file, operation, column }, ctx) => {
  const text = await ctx.services.workspace.read(file).catch((error: unknown) => {
    throw readProblem(error, file);
  });
  const [header = [], ...rows] = parseCsv(text);
  if (operation === "count") return { operation, value: rows.length, rows: rows.length };

  if (column === undefined) throw new ToolError(`${operation} needs a column`);
  const index = header.indexOf(column);
  if (index < 0) throw new ToolError(`${file} has no column ${column}`);
  const sum = rows.reduce((total, row) => total + numberIn(row[index], column), 0);
  const value = operation === "sum" ? sum : rows.length === 0 ? 0 : sum / rows.length;
  return { operation, value, rows: rows.length };
};

function numberIn(cell: string | undefined, column: string): number {
  const value = Number(cell);
  if (cell === undefined || cell.trim() === "" || !Number.isFinite(value)) {
    throw new ToolError(`Column ${column} holds "${cell ?? ""}", which is not a number`);
  }
  return value;
}

function readProblem(error: unknown, file: string): unknown {
  if (error instanceof OutsideWorkspaceError) return new ToolError(error.message);
  if (error instanceof Error && "code" in error && error.code === "ENOENT") {
    return new ToolError(`There is no file ${file}`);
  }
  return error;
}
