import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';

// A server that a user could write in an evening: bare node:http with pg and a prepared statement, without any of Sheaf's guarantees.
// It marks the practical limit and the current load of the machine: all ratios are relative to it.

interface Settings {
  forms: string;
  submissions: string;
  scratch: string;
}

const oneForm = `select f.*, (select g.role from form_grant g where g.form_id = f.id and g.user_id = $2) as granted,
                        exists (select from favorite v where v.form_id = f.id and v.principal_id = $2) as favorite
                   from form f where f.id = $1`;
const listForms = `select id, title, status, current_version, created_at, updated_at from form
                    where instance_id = (select instance_id from form where id = $1) and workspace_id = (select workspace_id from form where id = $1) and status <> 'trashed'
                    order by updated_at desc, id desc limit 25`;
const page = `select id, form_id, data::text as data, schema_version, status, created_at from submission
               where form_id = $1 and deleted_at is null and spam_at is null order by created_at desc, id desc limit 25`;

/** Runs the server in its own process. */
async function serve({ forms, submissions, scratch }: Settings): Promise<void> {
  const pools = {
    forms: new Pool({ connectionString: forms, max: 10 }),
    submissions: new Pool({ connectionString: submissions, max: 10 }),
    scratch: new Pool({ connectionString: scratch, max: 10 }),
  };
  await pools.scratch.query(
    'create table if not exists answer (id bigint generated always as identity primary key, form_id uuid not null, data json not null, created_at timestamptz not null default now())',
  );

  const answer = async (path: string, id: string, body: Buffer): Promise<unknown> => {
    switch (path) {
      case 'form':
        return (await pools.forms.query({ name: path, text: oneForm, values: [id, id] })).rows[0];
      case 'forms':
        return (await pools.forms.query({ name: path, text: listForms, values: [id] })).rows;
      case 'page':
        return (await pools.submissions.query({ name: path, text: page, values: [id] })).rows;
      default: {
        const { data } = JSON.parse(body.toString()) as { data: unknown };
        const { rows } = await pools.scratch.query({
          name: path,
          text: 'insert into answer (form_id, data) values ($1, $2) returning id, created_at',
          values: [id, JSON.stringify(data)],
        });
        return rows[0];
      }
    }
  };

  let kept = Buffer.alloc(0);
  const server = createServer((request, response) => {
    const [, path = '', id = ''] = (request.url ?? '').split('/');
    // The limit for a page: a server that only sends its bytes.
    if (path === 'bytes' && request.method === 'GET') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Length', kept.length).end(kept);
      return;
    }
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        if (path === 'bytes') {
          kept = Buffer.concat(chunks);
          response.end();
          return;
        }
        answer(path, id, Buffer.concat(chunks)).then(
          (found) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found)),
          (error: unknown) => response.writeHead(500).end(String(error)),
        );
      });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('disconnect', () => process.exit(0));
}

export const yardstickCommand = 'yardstick';

/** Runs when this bundle was started as the yardstick. */
export const serveYardstick = (): Promise<void> => serve(JSON.parse(process.env.YARDSTICK ?? '{}') as Settings);

export class Yardstick {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {}

  static async start(settings: Settings): Promise<Yardstick> {
    const child = fork(__filename, [yardstickCommand], { env: { ...process.env, YARDSTICK: JSON.stringify(settings) } });
    const [{ port }] = (await once(child, 'message', { signal: AbortSignal.timeout(10_000) })) as [{ port: number }];
    return new Yardstick(child, `http://127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}
