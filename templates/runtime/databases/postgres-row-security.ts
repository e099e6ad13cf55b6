import type pg from "pg";
import { SettingError } from "./failures.js";

/**
 * Finds what the roles of the connection, and those that its statements take, have against row-level security. Whoever
 * has the rights of a table's owner passes its policies by, unless the table has FORCE.
 */
const ROLES = `
select asked.name, session_user::text as login, role.rolbypassrls as bypasses,
  coalesce(pg_has_role(session_user, role.oid, 'member'), false) as granted,
  (select format('%I.%I', schema.nspname, owned.relname)
    from pg_class owned join pg_namespace schema on schema.oid = owned.relnamespace
    where owned.relrowsecurity and not owned.relforcerowsecurity and pg_has_role(role.oid, owned.relowner, 'usage')
    order by 1 limit 1) as owned
from unnest(array[session_user::text, current_user::text] || $1::text[]) as asked (name)
left join pg_roles role on role.rolname = asked.name`;

interface AskedRole {
  readonly name: string;
  readonly login: string;
  readonly bypasses: boolean | null;
  readonly granted: boolean;
  readonly owned: string | null;
}

/**
 * Expects that policies of row-level security hold for the roles with which statements run.
 *
 * @param taken the roles that statements take for their callers, beside that of the connection
 * @param database its description, for messages
 * @throws SettingError if a role has BYPASSRLS or the rights of the owner of a table without FORCE, or cannot be taken
 */
export async function expectRowSecurity(
  client: pg.ClientBase,
  taken: readonly string[],
  database: string,
): Promise<void> {
  const { rows } = await client.query<AskedRole>(ROLES, [taken]);
  const problems = rows.flatMap((role) => problemOf(role) ?? []);
  if (problems[0] !== undefined) throw new SettingError(`${database}: ${problems[0]}`);
}

function problemOf({ name, login, bypasses, granted, owned }: AskedRole): string | undefined {
  if (!granted) return `the role ${login} cannot become ${name}; run: grant ${name} to ${login}`;
  const unheeded = "policies of row-level security do not hold for the role";
  if (bypasses === true) return `${unheeded} ${name}, which has BYPASSRLS; take another role`;
  if (owned === null) return undefined;
  return (
    `${unheeded} ${name}, which has the rights of the owner of the table ${owned}; ` +
    `take another role, or run: alter table ${owned} force row level security`
  );
}
