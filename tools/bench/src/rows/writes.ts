import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { submitForm, updateForm } from '@sheaf/client';
import { measure, type Length } from '../load';
import { cpuOfAll } from '../processes';
import { alone, alternate, median, type Bench, type Result } from '../row';
import { answers, fields } from '../world';

/** Submits to one form, to many forms, to one with a limit, and to one whose options have places, beside that with a limit. */
export async function submits(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world, yardstick } = bench;
  const { origin } = world.system;
  let n = 0;
  const body = () => JSON.stringify({ data: answers(n++) });
  const json = { 'content-type': 'application/json' };
  const submitTo = (path: string) => ({ url: origin + path, method: 'POST' as const, headers: json, body });
  const into = (form: string) => `/public/v1/forms/${form}/submissions`;

  const one = await world.form('One form');
  const bare = { url: `${yardstick.origin}/insert/${one}`, method: 'POST' as const, headers: json, body };
  report(await alternate(bench, 'submit, one form', submitTo(into(one)), bare, 'ratio ≥ 0.5, ≥ 2,000/s'));
  report(
    await alternate(
      bench,
      'submit, one form, 128 connections',
      { ...submitTo(into(one)), connections: 128 },
      { ...bare, connections: 128 },
    ),
  );

  const keyed = { ...submitTo(into(one)), withKeys: true };
  report(await alternate(bench, 'submit with an Idempotency-Key', keyed, bare));

  const many = await Promise.all(Array.from({ length: world.quick ? 5 : 100 }, (_, i) => world.form(`Form ${i}`)));
  report(
    await alternate(bench, `submit, ${many.length} forms`, { ...submitTo('/'), path: () => into(many[n % many.length] ?? one) }, bare),
  );

  const limited = await world.form('With a limit');
  await updateForm({ client: world.owner, path: { id: limited }, body: { max_submissions: 100_000_000 } });
  report(await alternate(bench, 'submit, with a limit', submitTo(into(limited)), bare));

  const placed = await world.form('With places', [
    ...fields,
    { key: 'day', label: 'Day', type: 'select', options: ['sat', 'sun'].map((value) => ({ value, label: value, limit: 1_000_000 })) },
  ]);
  const choosing = {
    ...submitTo(into(placed)),
    body: () => JSON.stringify({ data: { ...answers(n++), day: n % 2 === 0 ? 'sat' : 'sun' } }),
  };
  report(await alternate(bench, 'submit, with places', choosing, { ...submitTo(into(limited)) }, 'ratio ≥ 0.8'));
}

/**
 * Submits with and without the triggers that note submissions for searches and insights, in turns: what both cost, until all of them are
 * indexed and counted.
 */
export async function background({ world, seconds, rounds }: Bench, report: (result: Result) => void): Promise<void> {
  const { origin } = world.system;
  const form = await world.form('Indexed and counted');
  let n = 0;
  const load = {
    url: `${origin}/public/v1/forms/${form}/submissions`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ data: answers(n++) }),
  };
  const length: Length = world.quick ? { answers: 2 } : { seconds: 2 * seconds };
  await world.inDatabase('submissions', async (db) => {
    const isWaiting = async () => {
      const { rows } = await db.query('select from search_pending union all select from insight_pending limit 1');
      return rows.length > 0;
    };
    const cost = async (setting: 'enable' | 'disable', work = (): Promise<void> => Promise.resolve()): Promise<Measured> => {
      await db.query(`alter table submission ${setting} trigger submission_searched`);
      const before = await cpuOfAll(world.system);
      const { perSecond, requests } = await measure(load, length);
      await work();
      return { perSecond, micros: (1_000 * ((await cpuOfAll(world.system)) - before)) / requests };
    };
    const done = async () => {
      while (await isWaiting()) await setTimeout(500);
      // A batch may still be at work.
      await setTimeout(1_500);
    };
    if (!world.quick) await cost('enable', done);
    const without: Measured[] = [];
    const noted: Measured[] = [];
    const withBoth: Measured[] = [];
    for (let round = 0; round < rounds; round++) {
      without.push(await cost('disable'));
      // Only one process at a time indexes, the one that holds this lock.
      await db.query(`select pg_advisory_lock(hashtext('search'))`);
      noted.push(await cost('enable'));
      await db.query(`select pg_advisory_unlock(hashtext('search'))`);
      await done();
      withBoth.push(await cost('enable', done));
    }
    const micros = (costs: readonly Measured[]) => median(costs.map((one) => one.micros));
    const row = (name: string, costs: readonly Measured[], goal: string): Result => ({
      name,
      perSecond: median(costs.map(({ perSecond }) => perSecond)),
      ratio: micros(costs) / micros(without),
      goal,
      note: `${Math.round(micros(without))} → ${Math.round(micros(costs))} µs; without ${Math.round(median(without.map(({ perSecond }) => perSecond)))}/s`,
    });
    report(row('submit, noted for searches and insights', noted, 'all processes ≤ 1.1'));
    report(row('submit, with indexing and counting', withBoth, 'all processes ≤ 1.4'));
  });
}

interface Measured {
  perSecond: number;
  micros: number;
}

/** Measures the changes that people and automation platforms make. */
export async function changes(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world } = bench;
  const { origin } = world.system;
  const headers = { ...world.headers, 'content-type': 'application/json' };
  const form = await world.form('Changed');
  const submissions: string[] = [];
  for (let i = 0; i < 100; i += 1) {
    submissions.push((await submitForm({ client: world.anyone, path: { form }, body: { data: answers(i) } })).id);
  }

  let n = 0;
  const statuses = ['in_review', 'approved', 'rejected'];
  report(
    await alone(bench, 'change a status', {
      url: origin,
      method: 'PATCH',
      headers,
      path: () => `/api/v1/forms/${form}/submissions/${submissions[n % submissions.length] ?? ''}/status`,
      body: () => JSON.stringify({ status: statuses[Math.floor(n++ / submissions.length) % statuses.length] }),
    }),
  );

  // Each subscription goes to its own form, as subscriptions per form are limited.
  const forms = await Promise.all(Array.from({ length: world.quick ? 10 : 200 }, (_, i) => world.form(`Subscribed ${i}`)));
  report(
    await alone(bench, 'subscribe', {
      url: `${origin}/api/v1/hooks/subscribe`,
      method: 'POST',
      headers,
      body: () =>
        JSON.stringify({
          form_id: forms[n++ % forms.length],
          event: 'submission.created',
          source: 'zapier',
          target_url: `http://127.0.0.1:9/${randomUUID().slice(0, 1)}`,
        }),
    }),
  );
}
