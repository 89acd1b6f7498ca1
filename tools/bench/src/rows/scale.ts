import { searchSubmissions } from '@sheaf/client';
import { measure, type Length, type Load, type Measurement } from '../load';
import { cpuOfAll } from '../processes';
import { median, type Bench, type Result } from '../row';
import { answers } from '../world';

/**
 * Compares a form with ten times as many submissions with another in the same tables: the same requests in turns, by the processor time of the
 * whole system, PostgreSQL included. Requests per second would say more of the machine than of the size.
 */
export async function scale(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world, rounds, seconds } = bench;
  const { system, headers } = world;
  const [few, many] = world.quick ? [1_000, 2_000] : [1_000_000, 10_000_000];
  const sizes = [few, many] as const;
  const forms = new Map<number, string>();
  for (const count of sizes) forms.set(count, await world.formWith(count));
  for (const [count, id] of world.quick ? [] : forms) await world.untilCovered(id, count);
  const firsts = new Map<number, string[]>();
  for (const [count, id] of forms) {
    const { data } = await searchSubmissions({ client: world.owner, path: { id }, query: { limit: 100 } });
    firsts.set(
      count,
      data.map((submission) => submission.id),
    );
  }

  const length: Length = world.quick ? { answers: 2 } : { seconds };
  const cost = async (load: Load): Promise<Measurement & { micros: number }> => {
    const before = await cpuOfAll(system);
    const measured = await measure(load, length);
    return { ...measured, micros: (1_000 * ((await cpuOfAll(system)) - before)) / measured.requests };
  };
  const compare = async (name: string, loadOf: (form: string, count: number) => Load) => {
    const loads = sizes.map((count) => loadOf(forms.get(count) ?? '', count));
    for (const load of world.quick ? [] : loads) await measure(load, { seconds });
    const costs: Awaited<ReturnType<typeof cost>>[][] = [[], []];
    for (let round = 0; round < rounds; round++) {
      for (const [size, load] of loads.entries()) costs[size]?.push(await cost(load));
    }
    const [small = 0, large = 0] = costs.map((of) => median(of.map(({ micros }) => micros)));
    const atScale = costs[1] ?? [];
    report({
      name: `${name}, ${many.toLocaleString('en')}`,
      perSecond: median(atScale.map(({ perSecond }) => perSecond)),
      p50: median(atScale.map(({ p50 }) => p50)),
      p99: median(atScale.map(({ p99 }) => p99)),
      ratio: large / small,
      goal: `≤ 1.3 × of ${few.toLocaleString('en')}`,
      note: `all processes ${Math.round(small)} → ${Math.round(large)} µs`,
    });
  };

  const page = (form: string) => `${system.origin}/api/v1/forms/${form}/submissions`;
  await compare('page at 0', (form) => ({ url: page(form), headers }));
  await compare('page in the middle', (form, count) => ({ url: `${page(form)}?offset=${count / 2}`, headers }));
  await compare('page at the end', (form, count) => ({ url: `${page(form)}?offset=${count - 25}`, headers }));

  let n = 0;
  await compare('one submission', (form, count) => ({
    url: system.origin,
    headers,
    path: () => {
      const ids = firsts.get(count) ?? [];
      return `/api/v1/forms/${form}/submissions/${ids[n++ % ids.length] ?? ''}`;
    },
  }));
  await compare('submit', (form) => ({
    url: `${system.origin}/public/v1/forms/${form}/submissions`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ data: answers(n++) }),
  }));
  const statuses = ['in_review', 'approved', 'rejected'];
  await compare('change a status', (form, count) => ({
    url: system.origin,
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    path: () => {
      const ids = firsts.get(count) ?? [];
      return `/api/v1/forms/${form}/submissions/${ids[n % ids.length] ?? ''}/status`;
    },
    body: () => JSON.stringify({ status: statuses[Math.floor(n++ / 100) % statuses.length] }),
  }));
}
