/**
 * Ends the process with a message if Node.js is older than a program needs, whose own error would not say so.
 *
 * @param version the oldest version, such as `22.19`
 */
export function checkNode(
  version: string,
  program: string,
  current: string = process.versions.node,
): void {
  const [major = 0, minor = 0] = current.split(".").map(Number);
  const [neededMajor = 0, neededMinor = 0] = version.split(".").map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  console.error(`${program} needs Node.js ${version} or newer; this is ${current}`);
  process.exitCode = 1;
}
