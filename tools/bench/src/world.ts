import { Person, runningDatabaseUrl, superuserOf, superuserUrl, type System } from '@sheaf/testing';
import type { Client } from 'pg';

/** The fixture of every row: a running system, its owner, and a way to insert a million rows at once. */
export class World {
  readonly owner: Person;
  readonly anyone: Person;

  constructor(
    readonly system: System,
    readonly quick: boolean,
  ) {
    this.anyone = new Person(system.origin);
    this.owner = this.anyone.with(system.credentials.api_key);
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.system.credentials.api_key}` };
  }

  /** A published form. */
  async form(title = 'Bench', items: readonly object[] = fields): Promise<string> {
    const { id } = (await this.expectOk(this.owner.post('/api/v1/forms', { title }))) as { id: string };
    await this.expectOk(this.owner.put(`/app/v1/forms/${id}/draft`, { fields: items, revision: 0 }));
    await this.expectOk(this.owner.post(`/api/v1/forms/${id}/publish`));
    return id;
  }

  async expectOk(reply: ReturnType<Person['get']>): Promise<unknown> {
    const { status, body } = await reply;
    if (status >= 300) throw new Error(`a request that prepares the benchmark answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** A form with this many submissions: one submitted through the API, and copies of its row. */
  async formWith(count: number): Promise<string> {
    const id = await this.form(`With ${count}`);
    await this.expectOk(this.anyone.post(`/public/v1/forms/${id}/submissions`, { data: answers(0) }));
    await this.inDatabase('submissions', async (db) => {
      await db.query(
        `insert into submission
         select copy.* from submission s, generate_series(2, $2) n,
                lateral jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'created_at', s.created_at - n * interval '1 second')) copy
          where s.form_id = $1`,
        [id, count],
      );
      await db.query(`update listed_count set listed = $2 where form_id = $1 and status = 'new'`, [id, count]);
      await db.query('update intake set accepted = $2 where form_id = $1', [id, count]);
      await db.query('vacuum analyze submission');
    });
    return id;
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

  async inDatabase(service: string, work: (db: Client) => Promise<void>): Promise<void> {
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

const fields = [
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
