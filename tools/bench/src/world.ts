import { setTimeout } from 'node:timers/promises';
import {
  createClient,
  createForm,
  publishForm,
  saveFormDraft,
  searchSubmissions,
  submitForm,
  type Client,
  type FieldListInput,
} from '@sheaf/client';
import { copySubmissions, runningDatabaseUrl, superuserOf, superuserUrl, type System } from '@sheaf/testing';
import type { Client as Database } from 'pg';

/**
 * The fixture of every row: a running system, its owner, and a way to insert a million rows at once. Measured requests go past the clients.
 */
export class World {
  readonly owner: Client;
  readonly anyone: Client;

  constructor(
    readonly system: System,
    readonly quick: boolean,
  ) {
    this.anyone = createClient({ url: system.origin });
    this.owner = createClient({ url: system.origin, key: system.credentials.api_key });
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.system.credentials.api_key}` };
  }

  /** A published form. */
  async form(title = 'Bench', items = fields): Promise<string> {
    const client = this.owner;
    const path = await createForm({ client, body: { title } });
    await saveFormDraft({ client, path, body: { fields: items, revision: 0 } });
    await publishForm({ client, path });
    return path.id;
  }

  /** A form with this many submissions: one submitted through the API, and copies of its row. Searches do not find them. */
  formWith = (count: number): Promise<string> => this.formWithCopies(count);

  /** The same, with answers of which some are rare, and found by searches. */
  async searchableFormWith(count: number): Promise<string> {
    const words = `concat_ws(' ', 'respondent' || n, case when n % 3 = 0 then 'common' end, case when n % 4 = 1 then 'frequent' end,
                             case when n % 100 = 5 then 'seldom' end, case when n % (:count / 4) = 7 then 'rare' end)`;
    const id = await this.formWithCopies(
      count,
      `cast(s.data as jsonb) || jsonb_build_object('name', ${words.replace(':count', String(count))}, 'rating', 1 + n % 5)`,
    );
    await this.inDatabase('submissions', async (db) => {
      await db.query('insert into search_pending select id, form_id from submission where form_id = $1', [id]);
      const isWaiting = async () => (await db.query('select from search_pending limit 1')).rowCount !== 0;
      while (await isWaiting()) await setTimeout(500);
      // The first search that finds too little asks for the index of the form.
      const lastBlock = async () =>
        (await db.query('select id, entries from search_block where form_id = $1 order by id desc limit 1', [id])).rows[0] as unknown;
      await searchSubmissions({ client: this.owner, path: { id }, query: { q: 'rare' } });
      for (let before: unknown = null, now = await lastBlock(); JSON.stringify(now) !== JSON.stringify(before); now = await lastBlock()) {
        before = now;
        await setTimeout(3_000);
      }
      // The first sort by a text prepares its order.
      const sorted = () => searchSubmissions({ client: this.owner, path: { id }, query: { sort: 'answers.name' } });
      while ((await sorted()).preparing) await setTimeout(500);
      await db.query('vacuum analyze');
    });
    return id;
  }

  private async formWithCopies(count: number, data?: string): Promise<string> {
    const id = await this.form(`With ${count}`);
    await submitForm({ client: this.anyone, path: { form: id }, body: { data: answers(0) } });
    await this.inDatabase('submissions', (db) => copySubmissions(db, id, count - 1, data));
    return id;
  }

  /** Waits until the background has divided the list of a form with copies into blocks. */
  async untilCovered(form: string, count: number): Promise<void> {
    await this.inDatabase('submissions', async (db) => {
      const covered = async () => {
        const { rows } = await db.query<{ covered: string | null }>(
          `select sum(listed) as covered from list_block_count where form_id = $1 and list = 'all' and level = 1`,
          [form],
        );
        return Number(rows[0]?.covered);
      };
      while ((await covered()) < count - 1_000) await setTimeout(1_000);
    });
  }

  /** Adds this many forms to the workspace of the given form. */
  async moreForms(like: string, count: number): Promise<void> {
    await this.inDatabase('forms', async (db) => {
      await db.query(
        `insert into form
         select copy.* from form f, generate_series(1, $2) n,
                lateral jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid(), 'title', 'Inspection of site ' || md5(n::text), 'updated_at', f.updated_at - n * interval '1 second')) copy
          where f.id = $1`,
        [like, count],
      );
      await db.query('vacuum analyze form');
    });
  }

  async inDatabase(service: string, work: (db: Database) => Promise<void>): Promise<void> {
    const db = await superuserOf(this.system.dataDir, `sheaf_${service}`, 600_000);
    try {
      await work(db);
    } finally {
      await db.end();
    }
  }

  superuserUrl = (database: string): Promise<string> => superuserUrl(this.system.dataDir, database);

  databaseUrl = (service: string): Promise<string> => runningDatabaseUrl(this.system.dataDir, service);
}

export const fields: FieldListInput = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true, max_length: 120 },
  { key: 'email', label: 'What is your email address?', type: 'email' },
  {
    key: 'department',
    label: 'Which department did you visit?',
    type: 'select',
    required: true,
    options: ['Cardiology', 'Dermatology', 'X-ray'],
  },
  { key: 'rating', label: 'How was your visit?', type: 'rating', required: true, min: 1, max: 5 },
  { key: 'again', label: 'Would you come again?', type: 'boolean' },
];

export const answers = (n: number): Record<string, unknown> => ({
  name: `Respondent ${n}`,
  email: `respondent${n}@example.org`,
  department: 'Cardiology',
  rating: 1 + (n % 5),
  again: true,
});
