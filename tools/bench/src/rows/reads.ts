import { alternate, type Bench, type Result } from '../row';

/** Reads one form, lists forms, and searches among many. */
export async function forms(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world, yardstick } = bench;
  const { origin } = world.system;
  const { headers } = world;
  const form = await world.form('Read');

  report(
    await alternate(
      bench,
      'GET one form',
      { url: `${origin}/api/v1/forms/${form}`, headers },
      { url: `${yardstick.origin}/form/${form}` },
      'ratio ≥ 0.45',
    ),
  );
  await world.moreForms(form, 1_000);
  report(
    await alternate(bench, 'list forms (1,000)', { url: `${origin}/api/v1/forms`, headers }, { url: `${yardstick.origin}/forms/${form}` }),
  );

  const many = world.quick ? 5_000 : 100_000;
  await world.moreForms(form, many);
  const search = { url: `${origin}/api/v1/forms?q=site%20c4ca4238`, headers };
  report(await alternate(bench, `search ${many.toLocaleString('en')} forms`, search, { url: `${yardstick.origin}/forms/${form}` }));
}

/** Reads pages of submissions, from few and from many, at the start, middle and end. */
export async function pages(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world, yardstick } = bench;
  const { origin } = world.system;
  const { headers } = world;

  for (const count of world.quick ? [1_000] : [10_000, 1_000_000]) {
    const form = await world.formWith(count);
    const bare = { url: `${yardstick.origin}/page/${form}` };
    for (const offset of [0, count / 2, count - 25]) {
      const name = `page of ${count.toLocaleString('en')} submissions at ${offset.toLocaleString('en')}`;
      report(
        await alternate(bench, name, { url: `${origin}/api/v1/forms/${form}/submissions?offset=${offset}`, headers }, bare, 'ratio ≥ 0.4'),
      );
    }
  }
}
