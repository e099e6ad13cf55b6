import { ToolError, type ToolHandler } from "../generated/index.ts";

/** What we use of GitHub's answer. */
interface CreatedIssue {
  readonly number: number;
  readonly html_url: string;
}

/** Opens an issue in a GitHub repository. */
export const githubCreateIssue: ToolHandler<"github_create_issue"> = async (input, ctx) => {
  const { owner, repo, title, body, labels } = input;
  const token = ctx.env.GITHUB_TOKEN;
  if (!token) throw new ToolError("GITHUB_TOKEN is not set, so no issue can be opened");

  const base = String(ctx.env.GITHUB_API_URL).replace(/\/+$/, "");
  const response = await fetch(`${base}/repos/${owner}/${repo}/issues`, {
    method: "POST",
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "user-agent": "field-guide-mcp-server",
    },
    body: JSON.stringify({ title, body, labels }),
    redirect: "error",
    signal: ctx.signal,
  });
  if (!response.ok) {
    ctx.log.warning("GitHub refused the issue", { status: response.status });
    throw new ToolError(`GitHub answered ${response.status} for ${owner}/${repo}`);
  }
  const issue = (await response.json()) as CreatedIssue;
  return { number: issue.number, url: issue.html_url };
};
