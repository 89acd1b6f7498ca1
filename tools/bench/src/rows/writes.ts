import { randomUUID } from 'node:crypto';
import { submitForm, updateForm } from '@sheaf/client';
import { alone, alternate, type Bench, type Result } from '../row';
import { answers } from '../world';

/** Submits to one form, to many forms, and to one with a limit. */
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
