/**
 * The layout that prettier gave a piece when mcpwright was packed: `packaging/bundle.ts` puts a table in
 * place of this file, with the pieces that most projects have.
 *
 * @param _source of the piece
 */
export function knownLayout(_source: string): string | undefined {
  return undefined;
}
