import { searchSubmissions } from '@sheaf/client';
import { alternate, type Bench, type Result } from '../row';

const searchesOf = {
  'rare word': '?q=rare',
  'common word': '?q=common',
  'two words': '?q=common%20frequent',
  'word in 1 %': '?q=seldom',
  'beginning of a word': '?q=respond*',
  'a word in quotation marks': '?q=%22rare%22',
  'beginnings that all and none have': '?q=resp%20zebra',
  'an answer': '?filter[rating]=3',
  'a range of answers': '?filter[rating][gte]=4',
  'in the order of an answer': '?sort=-answers.rating',
  'a part of a text': '?filter[name][contains]=requent',
  'two answers and a word': '?q=common&filter[rating]=3&filter[again]=true',
  'in the order of a text': '?sort=answers.name',
  'in the order of status': '?sort=-status',
};

/** Searches few submissions and many, and compares them with the yardstick's plain page. */
export async function searches(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world, yardstick } = bench;
  const { headers, system } = world;
  for (const count of world.quick ? [1_000] : [10_000, 1_000_000]) {
    const form = await world.searchableFormWith(count);
    const list = `${system.origin}/app/v1/forms/${form}/submissions`;
    const bare = { url: `${yardstick.origin}/page/${form}` };
    const measure = async (name: string, query: string) =>
      report(await alternate(bench, `${name}, ${count.toLocaleString('en')}`, { url: `${list}${query}`, headers }, bare, 'ratio ≥ 0.25'));
    for (const [name, query] of Object.entries(searchesOf)) await measure(name, query);
    const query = { q: 'common' };
    const { next_cursor } = await searchSubmissions({ client: world.owner, path: { id: form }, query });
    await measure('second page of a common word', `?q=common&cursor=${next_cursor ?? ''}`);
  }
}
