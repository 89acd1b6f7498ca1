import { about, firstId, type Checking } from './asking';
import type { Findings } from './findings';

interface Used {
  id: string;
  forms: number;
}

/**
 * Looks for the workspaces of forms and webhooks. If one was erased meanwhile, `forms` knows it as being erased by the time it is asked again.
 * @param ofWebhooks the workspaces that `hooks` names
 */
export async function checkWorkspaces(checking: Checking, findings: Findings, ofWebhooks: ReadonlySet<string>): Promise<void> {
  const others = new Set(ofWebhooks);
  let after = firstId;
  for (;;) {
    const answer = await checking.context.runCommand('forms', ['list-used-workspaces', `--after=${after}`, `--limit=${checking.pageSize}`]);
    const { workspaces } = answer as unknown as { workspaces: Used[] };
    const last = workspaces.at(-1);
    if (!last) break;
    for (const { id } of workspaces) others.delete(id);
    await check(
      checking,
      findings,
      workspaces.map(({ id }) => id),
    );
    after = last.id;
  }
  const { missing } = await missingAmong(checking, [...others]);
  findings.add(
    'workspace_missing',
    missing.filter(({ erased }) => !erased).map(({ id }) => id),
  );
}

async function check(checking: Checking, findings: Findings, ids: readonly string[]): Promise<void> {
  const { missing } = await missingAmong(checking, ids);
  if (missing.length === 0) return;
  const erased = new Set(missing.filter((workspace) => workspace.erased).map(({ id }) => id));
  const { workspaces } = await about<{ workspaces: Used[] }>(
    checking,
    'forms',
    'list-used-among',
    missing.map(({ id }) => id),
  );
  for (const { id, forms } of workspaces) findings.add(erased.has(id) ? 'workspace_erased' : 'workspace_missing', [id], forms);
}

const missingAmong = (checking: Checking, ids: readonly string[]) =>
  about<{ missing: { id: string; erased: boolean }[] }>(checking, 'workspaces', 'list-missing-workspaces', ids);
