import { commands, options, type CommandName, type OptionName } from "./specification.js";

/** `mcpwright --help`. */
export function generalHelp(): string {
  const lines = Object.values(commands).map(
    ({ usage, summary }) => `  ${usage.padEnd(22)}${summary}`,
  );
  return `mcpwright compiles a YAML manifest into a Model Context Protocol server in TypeScript.

Usage: mcpwright COMMAND [options]

${lines.join("\n")}

The manifest is ./mcp.yaml unless one is named; the project goes to the manifest's folder.
\`mcpwright COMMAND --help\` shows a command's options, \`mcpwright explain CODE\` explains a problem.
`;
}

/** `mcpwright COMMAND --help`. */
export function commandHelp(name: CommandName): string {
  const { usage, summary, options: names } = commands[name];
  return `Usage: mcpwright ${usage} [options]

${summary}

${names.map(optionLine).join("\n")}
`;
}

function optionLine(name: OptionName): string {
  const { short, placeholder, help } = options[name];
  const long = placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
  return `  ${(short === undefined ? `    ${long}` : `-${short}, ${long}`).padEnd(28)}${help}`;
}
