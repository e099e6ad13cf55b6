import { ToolError, type ToolHandler } from "../generated/index.ts";

/** What we use of GitHub's answer. */
interface CreatedIssue {
  readonly number: number;
  readonly html_url: string;
}

/** Opens an issue in a GitHub repository. */
export const githubCreateIssue: ToolHandler<"github_create_issue"> = async (input, ctx) => {
  const { owner, repo, title, body, labels } = input;
  if (!ctx.env.GITHUB_TOKEN) {
    throw new ToolError("GITHUB_TOKEN is not set, so no issue can be opened");
  }
  const json = { title, body, labels };
  const answer = await ctx.upstreams.github.post(`/repos/${owner}/${repo}/issues`, { json });
  const issue = answer.json<CreatedIssue>();
  return { number: issue.number, url: issue.html_url };
};
