import { newDataDir, Person, removeDataDir, System } from '@sheaf/testing';

// The first start of a system, as somebody sees it who tries Sheaf.

let dataDir: string;
let system: System | undefined;
beforeAll(async () => {
  dataDir = await newDataDir();
});
afterEach(() => system?.stop());
afterAll(() => removeDataDir(dataDir));

const start = async (env: NodeJS.ProcessEnv = {}) => {
  system = await System.start(dataDir, { SAMPLE_FORM: 'true', ...env });
  const { body } = await new Person(system.origin, system.credentials.api_key).get('/api/v1/forms');
  return {
    origin: system.origin,
    titles: (body as { data: { title: string }[] }).data.map(({ title }) => title),
    address: /^ {2}Form {4}(\S+)$/m.exec(system.said)?.[1],
  };
};

it('the first start prints the address of a page that is ready to be filled in, and later ones print it again', async () => {
  const first = await start();
  expect(first.titles).toEqual(['Workshop feedback']);
  expect(first.address).toBe(`${first.origin}/f/workshop-feedback`);
  const page = await fetch(first.address ?? '');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Which workshop did you take part in?');
  await system?.stop();

  const second = await start();
  expect(second.titles).toEqual(['Workshop feedback']);
  expect(second.address).toBe(`${second.origin}/f/workshop-feedback`);
  // A form that was deleted does not come back.
  const owner = new Person(second.origin, system?.credentials.api_key);
  const { body } = await owner.get('/api/v1/forms');
  expect(await owner.delete(`/api/v1/forms/${(body as { data: { id: string }[] }).data[0]?.id ?? ''}`)).toMatchObject({ status: 204 });
  await system?.stop();

  expect(await start()).toMatchObject({ titles: [], address: undefined });
});
