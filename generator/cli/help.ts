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
  const { usage, summary, options: names, passesOn, optionHelp, details } = commands[name];
  return `Usage: mcpwright ${usage} [options]${passesOn === undefined ? "" : ` [-- ${passesOn}]`}

${summary}

${names.map((option) => optionLine(option, optionHelp?.[option])).join("\n")}
${details === undefined ? "" : `\n${details}\n`}`;
}

/** @param commandHelp the help text if the option has another meaning for this command */
function optionLine(name: OptionName, commandHelp: string | undefined): string {
  const { short, placeholder, help } = options[name];
  const long = placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
  return `  ${(short === undefined ? `    ${long}` : `-${short}, ${long}`).padEnd(28)}${commandHelp ?? help}`;
}
