import { about, firstId, firstIdOf, unique, type Checking } from './asking';
import type { Findings } from './findings';

interface Held {
  id: string;
  form_id: string | null;
  workspace_id: string | null;
  active: boolean;
  revision: number;
  waiting: boolean;
}

interface Copy {
  id: string;
  state: 'active' | 'inactive' | 'deleted';
  revision: number;
  waiting: boolean;
}

/**
 * Compares the subscriptions of `hooks` with the copies of `delivery`, side by side in the order of their ids, and looks for the forms of the former.
 * Differences are looked at once more, in an order that tells a loss from a change on its way.
 * @returns how many subscriptions `hooks` has, and their workspaces
 */
export async function checkSubscriptions(checking: Checking, findings: Findings): Promise<{ webhooks: number; workspaces: Set<string> }> {
  const workspaces = new Set<string>();
  let webhooks = 0;
  const held = new Pages<Held>(
    checking.pageSize,
    (after) => page<Held>(checking, 'hooks', 'list-subscriptions', after),
    async (rows) => {
      webhooks += rows.length;
      for (const id of unique(rows.map(({ workspace_id }) => workspace_id))) workspaces.add(id);
      await checkForms(checking, findings, rows);
    },
  );
  const copies = new Pages<Copy>(checking.pageSize, (after) => page<Copy>(checking, 'delivery', 'list-copies', after));
  let different: string[] = [];
  for (;;) {
    const [own, copy] = [await held.peek(), await copies.peek()];
    if (!own && !copy) break;
    const isSame = own !== undefined && own.id === copy?.id;
    const first = !copy || (own && own.id < copy.id) ? own : copy;
    if (first && isDifferent(isSame || first === own ? own : undefined, isSame || first === copy ? copy : undefined))
      different.push(first.id);
    if (isSame || first === own) held.take();
    if (isSame || first === copy) copies.take();
    if (different.length >= checking.pageSize) {
      await judge(checking, findings, different);
      different = [];
    }
  }
  await judge(checking, findings, different);
  return { webhooks, workspaces };
}

const isDifferent = (held: Held | undefined, copy: Copy | undefined): boolean =>
  held && copy
    ? (held.active ? 'active' : 'inactive') !== copy.state || held.revision < copy.revision
    : held !== undefined || copy?.state !== 'deleted';

/**
 * Reads `hooks`, then `delivery`, then `hooks` again. All that `delivery` had confirmed at the first reading is in the second one,
 * and all that `delivery` knew at the second one, `hooks` had before the third.
 */
async function judge(checking: Checking, findings: Findings, all: readonly string[]): Promise<void> {
  const moment = firstIdOf(checking.before);
  const ids = all.filter((id) => id < moment);
  if (ids.length === 0) return;
  const before = await askHooks(checking, ids);
  const { subscriptions } = await about<{ subscriptions: Copy[] }>(checking, 'delivery', 'list-copies-among', ids);
  const after = await askHooks(checking, ids);
  const copies = byId(subscriptions);

  const untold: string[] = [];
  for (const id of ids) {
    const [earlier, copy, later] = [before.held.get(id), copies.get(id), after.held.get(id)];
    if (before.waiting.has(id) || after.waiting.has(id) || copy?.waiting === true) continue;
    if (!earlier && !later) {
      if (copy && copy.state !== 'deleted') findings.add('subscription_lost', [id]);
    } else if (earlier && later && earlier.revision === later.revision) {
      if (!copy) untold.push(id);
      else if (copy.revision > later.revision) findings.add('subscription_behind', [id]);
      else if (copy.state === (later.active ? 'active' : 'inactive')) continue;
      else if (copy.revision < later.revision) untold.push(id);
      else findings.add('subscription_unheard', [id]);
    }
  }
  findings.add('subscription_untold', untold);
  if (checking.repair && untold.length > 0)
    findings.mended('subscription_untold', (await about<{ told: number }>(checking, 'hooks', 'tell-subscriptions', untold)).told);
}

async function askHooks(checking: Checking, ids: readonly string[]): Promise<{ held: Map<string, Held>; waiting: Set<string> }> {
  const answer = await about<{ subscriptions: Held[]; waiting: string[] }>(checking, 'hooks', 'list-subscriptions-among', ids);
  return { held: byId(answer.subscriptions), waiting: new Set(answer.waiting) };
}

/** Forms of which `hooks` has webhooks and which `forms` does not have. If a form was erased meanwhile, `hooks` has removed them by now. */
async function checkForms(checking: Checking, findings: Findings, held: readonly Held[]): Promise<void> {
  const formIds = unique(held.map(({ form_id }) => form_id));
  if (formIds.length === 0) return;
  const { missing } = await about<{ missing: string[] }>(checking, 'forms', 'list-missing-forms', formIds);
  if (missing.length === 0) return;
  const gone = new Set(missing);
  const suspects = held.filter(({ form_id }) => form_id !== null && gone.has(form_id)).map(({ id }) => id);
  const { held: still } = await askHooks(checking, suspects);
  findings.add('webhook_form_missing', [...still.keys()]);
}

const byId = <T extends { id: string }>(rows: readonly T[]): Map<string, T> => new Map(rows.map((row) => [row.id, row]));

async function page<T>({ context, pageSize }: Checking, app: 'hooks' | 'delivery', command: string, after: string): Promise<T[]> {
  const answer = await context.runCommand(app, [command, `--after=${after}`, `--limit=${pageSize}`]);
  return (answer as { subscriptions: T[] }).subscriptions;
}

/** Rows in the order of their ids, of which a page is in memory. */
class Pages<T extends { id: string }> {
  private rows: T[] = [];
  private at = 0;
  private after: string | undefined = firstId;

  constructor(
    private readonly size: number,
    private readonly read: (after: string) => Promise<T[]>,
    private readonly onPage: (rows: readonly T[]) => Promise<void> = () => Promise.resolve(),
  ) {}

  async peek(): Promise<T | undefined> {
    if (this.at === this.rows.length && this.after !== undefined) {
      this.rows = await this.read(this.after);
      this.at = 0;
      // Under load, there are always some more by the time of the next page.
      this.after = this.rows.length < this.size ? undefined : this.rows.at(-1)?.id;
      if (this.rows.length > 0) await this.onPage(this.rows);
    }
    return this.rows[this.at];
  }

  take(): void {
    this.at += 1;
  }
}
