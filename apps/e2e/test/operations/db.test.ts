import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { db } from '../../support/operator';

const dataDir = process.env.E2E_DATA_DIR ?? '';
const containing = (text: string) => expect.stringContaining(text) as unknown;

describe('npm run db', () => {
  it('runs a statement on the database of a service and prints its rows', async () => {
    expect(await db(dataDir, ['forms', '-c', 'select 1 as one, null as nothing, current_database()'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/│ 1 +│ null +│ sheaf_forms +│\n[^]*\(1 row\)/) as unknown,
    });
  });

  it('changes rows only with --write, and never tables', async () => {
    const statement = 'delete from vacated_slug where false';
    expect(await db(dataDir, ['forms', '-c', statement])).toMatchObject({
      code: 1,
      stderr: containing('read-only transaction. Add --write to change rows.'),
    });
    expect(await db(dataDir, ['forms', '--write', '-c', statement])).toMatchObject({ code: 0, stdout: 'DELETE 0\n' });
    expect(await db(dataDir, ['forms', '--write', '-c', 'drop table form'])).toMatchObject({
      code: 1,
      stderr: containing('must be owner of table form'),
    });
  });

  it('says how to install psql if it is missing, and how to start a system if none is running', async () => {
    expect(await db(dataDir, ['forms'], { env: { PATH: '/nowhere' } })).toMatchObject({
      code: 1,
      stderr: containing('apt install postgresql-client'),
    });

    const empty = await mkdtemp(join(tmpdir(), 'sheaf-db-'));
    expect(await db(empty, ['forms', '-c', 'select 1'])).toMatchObject({ code: 1, stderr: containing('Start one with npm start') });
    await rm(empty, { recursive: true });
  });
});
